"""What belongs to some names that are read alone, so that they are what they are with the whole header.

A record that a signature or a member leads to has its own declarations; pointers to functions are called as their
typedefs are.
"""

from __future__ import annotations

from collections.abc import Callable

from ..clang.kinds import RECORDS
from ..clang.libclang import ClangType, kind_of
from ..cxxtypes.cxxtypes import CannotCross, Types
from ..exposed.exposure import Declared, Exposure, is_reserved, is_standard
from ..exposed.listing import listed
from ..exposed.typedefs import Typedefs
from ..records.records import Records
from .collected import Collected
from .declarations import Declarations

# C's FILE: no header holds one by value, of which a copy is none (ISO C 7.23.3). Everywhere it is an address.
_FILE = "_IO_FILE"


class Along:
    """Reads such declarations.

    Parameters
    ----------
    exposure : Exposure
        Of what was asked for.
    typedefs : callable
        Finds those of the header, which few names need.

    Attributes
    ----------
    unsure : set of str
        Records that are only pointed to, which the header binds where others of its declarations hold one.
    """

    def __init__(
        self, types: Types, records: Records, declarations: Declarations, collected: Collected,
        exposure: Exposure, typedefs: Callable[[], Typedefs],
    ) -> None:  # fmt: skip
        self._types, self._records = types, records
        self._declarations, self._collected = declarations, collected
        self._exposure, self._typedefs = exposure, typedefs
        self._declared: set[str] = set()
        self._pointed: set[str] = set()
        self.unsure: set[str] = set()
        types.functions, records.pointed = set(), {}

    def begin(self, every: list[list[Declared]]) -> None:
        """Note what was asked for."""
        self._declared.update(group[0].qualified for group in every)

    def read(self) -> None:
        """Read all that what was read leads to."""
        while self._point() or self._declare():
            pass
        if self._types.functions:  # of a pointer's typedefs the first one counts
            places = self._typedefs().places
            self._collected.aliases.sort(key=lambda alias: places.get(alias.qualified, len(places)))

    def _point(self) -> bool:
        """Bind the records that something points to; whether there are more of them."""
        pointed = {**self._records.mentioned, **(self._records.pointed or {})}
        new = [name for name in pointed if name not in self._pointed]
        self._pointed.update(new)
        for name in new:
            try:
                if self._is_bound(name, pointed[name]):
                    self._types.value(pointed[name])
            except CannotCross:
                continue
        return bool(new)

    def _is_bound(self, name: str, type_: ClangType) -> bool:
        """Whether the whole header binds a record that something points to, where it can."""
        if name in self._records.structs or name.startswith("std::"):
            return False
        if self._is_declared(name, type_):
            return True
        if name in self._records.mentioned and not is_standard(name):
            return True
        if type_.get_declaration().type.get_canonical().spelling in self._typedefs().meaning:
            return True
        if type_.get_size() >= 0 and name != _FILE:
            self.unsure.add(name)
        return False

    def _is_declared(self, name: str, type_: ClangType) -> bool:
        """Whether a record is bound as it is declared: C's that are declared inside of others are not."""
        inside = self._types.unit.c and kind_of(type_.get_declaration().lexical_parent) in RECORDS
        return self._exposure.declares(type_) and not inside and not is_reserved(name.rpartition("::")[2])

    def _declare(self) -> bool:
        """Read the typedefs of functions and the classes that were met; whether there are more of them."""
        functions = sorted(self._types.functions or ())
        found = [group for name in functions for group in self._typedefs().meaning.get(name, ())]
        if not self._types.unit.c:
            found += self._members()
        new = [group for group in found if group[0].qualified not in self._declared]
        self._declared.update(group[0].qualified for group in new)
        for group in new:
            self._collected.exposed += 1
            self._declarations.read(group)
        return bool(new)

    def _members(self) -> list[list[Declared]]:
        """The declarations of classes that were met, and of what is in them."""
        declared = self._records.declared
        met = {n for n in self._records.structs if n in declared and n not in self._declared and "<" not in n}
        met = {name for name in met if not self._exposure.hides(declared[name])}
        return listed(self._exposure, met) if met else []
