"""The members of a record: flattened, at the offsets that the compiler reports, without those Python may not see."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import Protocol

from ..types import Const, Converted, Field, Handle, OtherName, Struct, Type
from .cxxtypes import CannotCross, Types, is_const
from .inheritance import BaseClass, declared_names
from .libclang import ClangType, Cursor, innermost, rank_of
from .questions import Questions

_HIDDEN_ACCESS = (2, 3)  # protected, private


class BaseReader(Protocol):
    """What reads a base class; it and :class:`Members` need each other."""

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
    complete : bool
        False once a member is met that Python does not see.
    """

    def __init__(
        self, types: Types, questions: Questions, records: BaseReader, type_: ClangType, name: str,
        *, trivial: bool = True,
    ) -> None:  # fmt: skip
        self.fields: list[Field] = []
        self.converted: list[tuple[str, Type, str]] = []
        self.complete = True
        self._types = types
        self._ask = questions.ask
        self._inheritance = questions.inheritance
        self._records = records
        self._name = name
        self._trivial = trivial
        self._spelling = records.spelling(type_)
        self._size: int = type_.get_size()
        self._collect(type_, 0)
        self.fields, self.other_names = _told_apart(self.fields)

    def _hide(self) -> None:
        self.complete = False

    def _collect(self, type_: ClangType, start: int) -> None:
        """Add the members of the record, or of an anonymous one inside it that starts at bit ``start``."""
        if not self._types.unit.c:
            self._collect_bases(type_)
        for cursor in type_.get_fields():
            label = cursor.spelling
            offset = start + cursor.get_field_offsetof()
            if cursor.access_specifier.value in _HIDDEN_ACCESS:
                self._hide()
            elif cursor.is_bitfield():
                if label.isidentifier():
                    self._bit_field(cursor, offset)
            elif not label.isidentifier():
                self._collect(cursor.type.get_canonical(), offset)
            else:
                self._field(cursor, offset)

    def _field(self, cursor: Cursor, offset: int) -> None:
        label = cursor.spelling
        inner = innermost(cursor.type)
        if "(unnamed" in inner.spelling:
            expression = self._member_type(label, rank_of(cursor.type.get_canonical()))
            self._records.name_unnamed(inner, expression, f"{self._name}::{label}")
        try:
            type_ = self._types.value(cursor.type)
            if self._trivial and isinstance(type_, Handle):
                return self._hide()
            self.fields.append(Field(label, type_, offset // 8, spelling=self._types.spelling(cursor.type)))
        except CannotCross:
            self._hide()
            self._convertible(cursor)

    def _convertible(self, cursor: Cursor) -> None:
        """A member that is no bytes, but that a shim can convert: a text, a container."""
        try:
            type_ = self._types.crossing(cursor.type)
            const = is_const(cursor.type.get_canonical())
            spelling = self._types.spelling(cursor.type)
        except CannotCross:
            return
        if isinstance(type_, Converted):
            self.converted.append((cursor.spelling, Const(type_) if const else type_, spelling))

    def _member_type(self, member: str, rank: int) -> str:
        """An expression for the type of a member, or of its elements."""
        if self._types.unit.c:
            return f"__typeof__((({self._spelling} *)0)->{member}{'[0]' * rank})"
        whole = f"decltype({self._spelling}::{member})"
        return f"std::remove_all_extents<{whole}>::type" if rank else whole

    def _bit_field(self, cursor: Cursor, offset: int) -> None:
        type_ = self._types.value(cursor.type)
        width = cursor.get_bitfield_width()
        unit = _storage_unit(offset, width, cursor.type.get_size(), self._size)
        if unit is None or is_const(cursor.type.get_canonical()):  # no probe can set a const one
            self._hide()
            return
        spelling = self._types.spelling(cursor.type)
        self.fields.append(Field(cursor.spelling, type_, unit, offset - 8 * unit, width, spelling))

    def _collect_bases(self, type_: ClangType) -> None:
        bases = self._inheritance.known(type_)
        if bases is None:
            self._hide()
            return
        own = declared_names(type_)
        names = [self._inheritance.names(base.type) for base in bases]
        for number, base in enumerate(bases):
            found = self._base_fields(base, alone=len(bases) == 1 and self._trivial)
            if found is None:
                self._hide()
                continue
            inherited, complete = found
            # A name that the record or another base also has does not reach this field.
            taken = own.union(*names[:number], *names[number + 1 :])
            kept = [field for field in inherited if field.name not in taken]
            self.complete &= complete and len(kept) == len(inherited)
            self.fields += kept

    def _base_fields(self, base: BaseClass, *, alone: bool) -> tuple[list[Field], bool] | None:
        """A base's fields at their offsets in the derived record; None where Python does not see them."""
        type_ = base.type
        if base.virtual:
            return None
        if not list(type_.get_fields()) and self._inheritance.known(type_) == []:
            with suppress(CannotCross):  # it has no bytes to see, but may have methods
                self._records.base(type_)
            return [], True
        if base.access in _HIDDEN_ACCESS:
            return None
        try:
            struct = self._records.base(type_)
            # A lone base without virtual functions lies at offset 0 (Itanium C++ ABI, 2.4).
            start = 0 if alone else self._ask("base", self._spelling, self._records.spelling(type_))
        except CannotCross:
            return None
        if start is None or start < 0:
            return None
        return [replace(f, offset=(f.offset or 0) + start) for f in struct.members], struct.complete


def _storage_unit(offset: int, width: int, size: int, limit: int) -> int | None:
    """The byte where a unit of ``size`` bytes starts that holds the bits and lies inside the record."""
    aligned = offset // 8 // size * size
    for start in (aligned, min(offset // 8, limit - size)):
        if 0 <= start <= limit - size and start * 8 <= offset and offset + width <= 8 * (start + size):
            return start
    return None


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
