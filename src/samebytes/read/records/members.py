"""The members of a record: flattened, at the offsets that the compiler reports, without those Python may not see."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import NamedTuple, Protocol

from ...model.symbols import OVERRIDING
from ...types import Const, Converted, Field, FlexibleArray, Handle, OtherName, Owner, Struct, Type
from ..clang.kinds import ARRAYS, PUBLIC, Decl
from ..clang.libclang import (
    ClangType,
    Cursor,
    children_of,
    element_type,
    innermost,
    kind_of,
    rank_of,
    type_kind,
)
from ..cxxtypes.cxxtypes import CannotCross, ContainsItself, Types, is_const, whole
from ..cxxtypes.functiontypes import is_function
from ..cxxtypes.lifetimes import is_copyable
from ..cxxtypes.measures import with_measures
from ..cxxtypes.standard import atomic, is_converted
from ..functions.methods import used_in
from ..questions.inheritance import BaseClass
from ..questions.questions import Questions
from .unnamed import is_unnamed

_HIDDEN_ACCESS = (2, 3)  # protected, private
_SHARES = "it is [[no_unique_address]] and shares bytes with another member"
NO_ACTIVE_MEMBER = "a union that C++ code copies or destroys does not say which member that concerns"
_MOVES_ONLY = "its objects can only be moved, so Python gets no copy"


class Unseen(NamedTuple):
    """A public member that is not bound.

    Attributes
    ----------
    home : str
        The name of the class that declares it.
    """

    home: str
    reason: str
    cursor: Cursor


class BaseReader(Protocol):
    """What reads a base class; it and :class:`Members` need each other."""

    unseen: dict[str, dict[str, Unseen]]

    def base(self, type_: ClangType) -> Struct: ...
    def spelling(self, type_: ClangType) -> str: ...
    def name_unnamed(self, type_: ClangType, expression: str, name: str) -> None: ...


class Members:
    """The members of one record.

    Attributes
    ----------
    fields : list of Field
    converted : list of (name, type, spelling)
        The members that are no bytes, and that a shim can convert.
    other_names : list of OtherName
        The further names of fields.
    unseen : dict of str to Unseen
        The public members that Python does not see, inherited ones too.
    flexible : FlexibleArray or None
        The array without a length behind all fields.
    complete : bool
        False once a member is met that Python does not see.
    """

    def __init__(
        self, types: Types, questions: Questions, records: BaseReader, type_: ClangType, name: str,
        *, trivial: bool = True,
    ) -> None:  # fmt: skip
        self.fields: list[Field] = []
        self.converted: list[tuple[str, Type, str]] = []
        self._late: list[Cursor] = []
        self.unseen: dict[str, Unseen] = {}
        self.complete = True
        self.flexible: FlexibleArray | None = None
        self._types = types
        self._ask = questions.ask
        self._inheritance = questions.inheritance
        self._instances = questions.instances
        self._records = records
        self._name = name
        self._trivial = trivial
        self._spelling = records.spelling(type_)
        self._size: int = type_.get_size()
        self._unsized: list[tuple[Cursor, int]] = []
        self._collect(type_, 0)
        self._end()
        self.fields, self.other_names = _told_apart(self.fields)

    def _hide(self) -> None:
        self.complete = False

    def _miss(self, cursor: Cursor, reason: object) -> None:
        """Remember why Python does not see a public member."""
        self.complete = False
        if cursor.spelling.isidentifier():
            self.unseen[cursor.spelling] = Unseen(self._name, str(reason), cursor)

    def _collect(self, type_: ClangType, start: int, *, one_of: bool = False) -> None:
        """Add the members of the record, or of an anonymous one inside it that starts at bit ``start``.

        ``one_of``: at most one of them is there, as they lie in a union.
        """
        one_of |= kind_of(type_.get_declaration()) == Decl.UNION
        if not self._types.unit.c:
            self._collect_bases(type_)
        fields = list(type_.get_fields())
        for cursor in fields:
            label = cursor.spelling
            offset = start + cursor.get_field_offsetof()
            if _shares_bytes(cursor, fields):
                self._miss(cursor, _SHARES)
            elif cursor.access_specifier.value in _HIDDEN_ACCESS:
                self._hide()
            elif cursor.is_bitfield():
                if label.isidentifier():
                    self._bit_field(cursor, offset)
            elif type_kind(cursor.type.get_canonical()) in ARRAYS and cursor.type.get_size() <= 0:
                self._unsized.append((cursor, offset // 8))
            elif not label.isidentifier():
                self._collect(cursor.type.get_canonical(), offset, one_of=one_of)
            elif one_of and not self._trivial and not self._is_trivial(innermost(cursor.type)):
                self._miss(cursor, NO_ACTIVE_MEMBER)
            else:
                self._field(cursor, offset)

    def _is_trivial(self, type_: ClangType) -> bool:
        """Whether no code of C++'s copies or destroys such a member."""
        try:
            return bool(self._ask("trivial", self._types.spelling(type_)))
        except CannotCross:
            return False

    def _field(self, cursor: Cursor, offset: int) -> None:
        label = cursor.spelling
        inner = innermost(cursor.type)
        if is_unnamed(inner):
            expression = self._member_type(label, rank_of(cursor.type.get_canonical()))
            self._records.name_unnamed(inner, expression, f"{self._name}::{label}")
        if (
            not self._types.unit.c
            and (is_converted(cursor.type) or self._types.is_of_library(cursor.type))
            and self._converts(cursor)
        ):
            return None
        if not self._types.unit.c and is_function(cursor.type.get_canonical()):
            self._hide()
            return self._callback(cursor)
        try:
            type_ = self._value(cursor.type)
            if self._trivial and isinstance(type_, Handle):
                return self._miss(cursor, f"a {type_} is an object of its own, and its class is plain bytes")
            type_ = with_measures(type_, cursor)
            self.fields.append(Field(label, type_, offset // 8, spelling=self._types.spelling(cursor.type)))
        except CannotCross as reason:
            self._hide()
            self._convertible(cursor, reason)

    def _end(self) -> None:
        """Take the array without a length in which a struct ends; GNU C writes it ``[0]``, too, and elsewhere."""
        alone, last = self.complete and len(self._unsized) == 1, len(self._unsized) - 1
        for number, (cursor, offset) in enumerate(self._unsized):
            try:
                array = cursor.type.get_canonical()
                if number != last or not self._trivial or any((f.offset or 0) >= offset for f in self.fields):
                    self._types.value(array)
                element, inner = self._types.value(element_type(array)), element_type(cursor.type)
                element = Const(element) if is_const(element_type(array)) else element
                spelling = self._types.spelling(inner)
                self.flexible = FlexibleArray(cursor.spelling, element, offset, spelling, alone=alone)
                self._hide()
            except CannotCross as reason:
                self._miss(cursor, reason)

    def _callback(self, cursor: Cursor) -> None:
        """A std::function: Python sets it, and reads it as an object of its class."""
        self._convertible(cursor, CannotCross("it is a std::function"))
        if not self._name.startswith(f"{OVERRIDING}::"):  # those are the table that Python fills
            with suppress(CannotCross):
                self._types.value(cursor.type.get_canonical())

    def _value(self, type_: ClangType) -> Type:
        """The type of a member that Python reads and writes in place."""
        found = None if self._trivial else atomic(type_, self._types.value)
        if found is None:
            return whole(self._types.value(type_))
        return Const(found) if is_const(type_.get_canonical()) else found

    def _converts(self, cursor: Cursor) -> bool:
        """Whether a member of the standard library is one that a shim converts, though it may be mere bytes to C++."""
        if self._types.unit.request.dialect != "cxx":
            return False  # kernels have no shims that could
        try:
            type_ = self._types.crossing(cursor.type)
        except ContainsItself as reason:  # asked once more when the class is known
            self._hide()
            self._late.append(cursor)
            self._miss(cursor, reason)
            return True
        except CannotCross:
            return False
        if not (isinstance(type_, Converted) and is_copyable(type_)):
            return False
        self._hide()
        self._add_converted(cursor, type_)
        return True

    def _add_converted(self, cursor: Cursor, type_: Converted) -> None:
        const = is_const(cursor.type.get_canonical())
        spelling = self._types.spelling(cursor.type)
        self.converted.append((cursor.spelling, Const(type_) if const else type_, spelling))

    def _convertible(self, cursor: Cursor, because: CannotCross) -> None:
        """A member that is no bytes, but that a shim can convert: a text, a container."""
        try:
            type_ = self._types.crossing(cursor.type)
            self._types.spelling(cursor.type)
        except CannotCross as reason:
            if isinstance(reason, ContainsItself):
                self._late.append(cursor)
            self._miss(cursor, reason)
            return
        if not isinstance(type_, Converted):
            self._miss(cursor, because)
        elif not (isinstance(type_, Owner) or is_copyable(type_)):
            self._miss(cursor, _MOVES_ONLY)
        else:
            self._add_converted(cursor, type_)

    def complete_late(self) -> None:
        """Look again at the members that have objects of the class itself, which is read now: ``std::vector<Node>``."""
        late, self._late = self._late, []
        for cursor in late:
            self.unseen.pop(cursor.spelling, None)
            self._convertible(cursor, CannotCross("it is no bytes"))

    def _member_type(self, member: str, rank: int) -> str:
        """An expression for the type of a member, or of its elements."""
        if self._types.unit.c:
            return f"__typeof__((({self._spelling} *)0)->{member}{'[0]' * rank})"
        if not rank:
            return f"decltype({self._spelling}::{member})"
        if self._types.unit.reads("type_traits"):
            return f"std::remove_all_extents<decltype({self._spelling}::{member})>::type"
        # An object that is never made: what lies in an array is a reference to C++, and GCC calls `__typeof__(x)()`.
        return f"decltype(__typeof__((*({self._spelling} *)0).{member}{'[0]' * rank}){{}})"

    def _bit_field(self, cursor: Cursor, offset: int) -> None:
        type_ = self._types.value(cursor.type)
        width = cursor.get_bitfield_width()
        unit = _storage_unit(offset, width, cursor.type.get_size(), self._size)
        if is_const(cursor.type.get_canonical()):
            self._miss(cursor, "it is a const bit-field, which nothing can set to find out where it lies")
            return
        spelling = self._types.spelling(cursor.type)
        self.fields.append(Field(cursor.spelling, type_, unit, offset - 8 * unit, width, spelling))

    def _collect_bases(self, type_: ClangType) -> None:
        bases = self._inheritance.known(type_)
        if bases is None:
            self._hide()
            return
        used = self._used(type_)
        own = self._inheritance.declared(type_)
        shared = self._inheritance.shared(type_)
        for number, base in enumerate(bases):
            # A name that the record declares, or that C++ finds in another base, does not reach this field.
            taken = own.union(name for name, found in shared.items() if found.through != number)
            try:
                found = self._base_fields(base, alone=len(bases) == 1 and self._trivial)
            except CannotCross as reason:
                for cursor in base.type.get_fields():
                    if cursor.access_specifier.value not in _HIDDEN_ACCESS and cursor.spelling not in taken:
                        self._miss(cursor, f"its base {self._types.shown(base.type)}: {reason}")
                found = None
            if found is None:
                self._hide()
                continue
            inherited, complete, unseen = found
            self.unseen |= {name: member for name, member in unseen.items() if name not in taken}
            kept = [field for field in inherited if field.name not in taken]
            self.complete &= complete and all(f in kept or f.name in used for f in inherited)
            self.fields += kept
        for cursor in used.values():
            self._use(cursor)

    def _used(self, type_: ClangType) -> dict[str, Cursor]:
        """The fields of bases that the class publishes by using-declarations, by name."""
        found = (*used_in(type_.get_declaration()), *self._instances.used(type_))
        # What an object itself knows the place of is found through the base.
        there = {b.type.spelling for b in self._inheritance.of(type_) if b.virtual and b.access == PUBLIC}
        fields = (c for c in found if kind_of(c) == Decl.FIELD)
        return {c.spelling: c for c in fields if c.semantic_parent.type.get_canonical().spelling not in there}

    def _use(self, cursor: Cursor) -> None:
        """Add a field of a base, public there or not."""
        try:
            home = self._records.spelling(cursor.semantic_parent.type.get_canonical())
            start = self._ask("base", self._spelling, home)
        except CannotCross as reason:
            self._miss(cursor, reason)
            return
        if start is None or start < 0:
            self._miss(cursor, "a using-declaration names it, and C++ does not say where its base lies")
        elif cursor.is_bitfield():
            self._bit_field(cursor, 8 * start + cursor.get_field_offsetof())
        else:
            self._field(cursor, 8 * start + cursor.get_field_offsetof())

    def _base_fields(
        self, base: BaseClass, *, alone: bool
    ) -> tuple[list[Field], bool, dict[str, Unseen]] | None:
        """A base's fields at their offsets in the derived record, whether these are all, and what is unseen.

        None where C++ code outside the class sees nothing of the base, or each object says where it is.

        Raises
        ------
        CannotCross
            With the reason why Python does not see it.
        """
        type_ = base.type
        if base.virtual:
            return None
        if not list(type_.get_fields()) and self._inheritance.known(type_) == []:
            with suppress(CannotCross):  # it has no bytes to see, but may have methods
                self._records.base(type_)
            return [], True, {}
        if base.access in _HIDDEN_ACCESS:
            return None
        struct = self._records.base(type_)
        # A lone base without virtual functions lies at offset 0 (Itanium C++ ABI, 2.4).
        start = 0 if alone else self._ask("base", self._spelling, self._records.spelling(type_))
        if start is None or start < 0:
            raise CannotCross("C++ does not say where it lies")
        fields = [replace(f, offset=(f.offset or 0) + start) for f in struct.members]
        return fields, struct.complete, self._records.unseen.get(struct.name, {})


def _storage_unit(offset: int, width: int, size: int, limit: int) -> int:
    """The byte where a unit of ``size`` bytes starts that holds the bits and lies inside the record.

    Where a record is packed there may be none: then the byte where the bits start.
    """
    aligned = offset // 8 // size * size
    for start in (aligned, min(offset // 8, limit - size)):
        if 0 <= start <= limit - size and start * 8 <= offset and offset + width <= 8 * (start + size):
            return start
    return offset // 8


def _shares_bytes(cursor: Cursor, fields: list[Cursor]) -> bool:
    """Whether another member lies in the padding of one that is ``[[no_unique_address]]``: to assign it is C++'s."""
    if not children_of(cursor, Decl.OTHER_ATTRIBUTE) or rank_of(cursor.type.get_canonical()):
        return False
    begin, size = cursor.get_field_offsetof(), 8 * cursor.type.get_size()
    return any(begin <= f.get_field_offsetof() < begin + size for f in fields if f != cursor)


def _told_apart(fields: list[Field]) -> tuple[list[Field], list[OtherName]]:
    """The fields, and what only names one of them again: the ``r`` of ``union { float x, r; };``."""
    first: dict[tuple[int | None, Type, bool], Field] = {}
    kept, others = [], []
    for field in fields:
        known = first.setdefault((field.offset, field.type, field.constant), field)
        if known is field or field.bit_width or known.bit_width:
            kept.append(field)
        else:
            others.append(OtherName(field.name, known.name, field.spelling))
    return kept, others
