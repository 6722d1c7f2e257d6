"""Second names of classes that a header makes of its templates: where they are many, each is read when it is used.

Every class that is read has members, whose types are such classes again: all that Eigen names implies thousands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ...model.module import Later
from ..clang.kinds import RECORDS, TYPEDEFS, Kind
from ..clang.libclang import ClangType, kind_of, type_kind
from ..cxxtypes.cxxtypes import CannotCross, Types
from ..cxxtypes.type_names import plain_name
from ..exposed.exposure import Declared
from ..functions.functions import location
from ..records.records import Records
from .collected import Collected

# So many classes that a header makes of its templates are read with it; of more, none is: each use of one compiles.
MOST_AT_ONCE = 32


class LaterNames:
    """The typedefs and aliases of one unit that wait for their use."""

    def __init__(self, types: Types, records: Records, collected: Collected, *, patient: bool) -> None:
        self._collected = collected
        self._types = types
        self._records = records
        self._patient = patient
        self._waits: dict[str, list[Declared]] = {}

    def begin(self, groups: Iterable[list[Declared]]) -> None:
        """Find out which wait."""
        if not self._patient:
            return
        found = {group[0].qualified: group for group in groups if self._names_instance(group[0])}
        classes = {_meant(group[0]).spelling for group in found.values()}
        self._waits = found if len(classes) > MOST_AT_ONCE else {}

    def takes(self, group: list[Declared]) -> bool:
        """Whether an entity is a name that waits."""
        return self._waits.get(group[0].qualified) is group

    def end(self, read: Callable[[list[Declared]], bool]) -> None:
        """Bind the names of classes that something else has read meanwhile; the others are collected as they are."""
        for group in self._waits.values():
            meant, first = _meant(group[0]), group[0]
            try:
                spelling = self._types.spelling(meant)
            except CannotCross:
                read([*group])  # no name in C++ means it: this says so
                continue
            if plain_name(self._types.name_of(meant)) in self._records.structs:
                read([*group])
            else:
                row = Later(first.cursor.spelling, first.qualified, spelling, location(first.cursor))
                self._collected.later.append(row)

    def _names_instance(self, declared: Declared) -> bool:
        """Whether a declaration at the scope of a namespace names a class that one of the header's templates makes."""
        if declared.kind not in TYPEDEFS or kind_of(declared.cursor.semantic_parent) in RECORDS:
            return False
        meant = _meant(declared)
        return (
            type_kind(meant) == Kind.RECORD
            and "<" in meant.spelling
            and not (meant.is_const_qualified() or meant.is_volatile_qualified())
            and not self._types.troubles.type(meant)
            and self._records.own(meant)
        )


def _meant(declared: Declared) -> ClangType:
    return declared.cursor.underlying_typedef_type.get_canonical()
