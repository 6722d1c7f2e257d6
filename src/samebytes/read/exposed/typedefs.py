"""The typedefs that a header exposes, by what they name: records, and functions or pointers to these."""

from __future__ import annotations

from ..clang.kinds import FUNCTIONS, TYPEDEFS, Kind
from ..clang.libclang import element_type, type_kind
from ..clang.parse import ParsedUnit
from .exposure import Declared, Exposure
from .groups import groups


class Typedefs:
    """Those of one unit.

    Attributes
    ----------
    meaning : dict of str to list
        By the canonical spelling of a record or of a function type: the declarations of its typedefs, in the order of
        the source. An array of records is a matter of these, as ``typedef struct … mpz_t[1]`` is.
    places : dict of str to int
        In which order all of them stand, by name.
    """

    def __init__(self, unit: ParsedUnit, expose: tuple[str, ...], only: tuple[str, ...]) -> None:
        self.meaning: dict[str, list[list[Declared]]] = {}
        self.places: dict[str, int] = {}
        for group in groups(Exposure(unit, expose, only)):
            if group[0].kind not in TYPEDEFS:
                continue
            self.places.setdefault(group[0].qualified, len(self.places))
            meant = group[0].cursor.underlying_typedef_type.get_canonical()
            if type_kind(meant) == Kind.POINTER:
                meant = meant.get_pointee()
                kinds = FUNCTIONS
            else:
                while type_kind(meant) == Kind.CONSTANT_ARRAY:
                    meant = element_type(meant)
                kinds = FUNCTIONS | {Kind.RECORD}
            if type_kind(meant) in kinds:
                name = (
                    meant.get_declaration().type.spelling
                    if type_kind(meant) == Kind.RECORD
                    else meant.spelling
                )
                self.meaning.setdefault(name, []).append(group)


def typedefs(unit: ParsedUnit, expose: tuple[str, ...], only: tuple[str, ...]) -> Typedefs:
    """The typedefs of a parsed header, which are looked for once."""
    key = "typedefs", expose, only
    if key not in unit.listed:
        unit.listed[key] = Typedefs(unit, expose, only)
    found: Typedefs = unit.listed[key]
    return found
