"""Records and enums of a header: the layout that the compiler reports, and the members that Python sees."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ..types import BOOL, Enum, Extent, Field, Scalar, Struct
from .comments import clean
from .cxxtypes import NUMBERS, CannotCross, Types, plain_name
from .libclang import (
    ARRAYS,
    ClangType,
    Cursor,
    Decl,
    Kind,
    element_type,
    is_virtual_base,
    kind_of,
    template_of,
    type_kind,
)
from .questions import Questions

_HIDDEN_ACCESS = (2, 3)  # protected, private
_IN_PROGRESS = "it contains itself"


@dataclass
class _Members:
    """The members seen so far; ``complete`` turns false at the first one that Python does not see."""

    fields: list[Field]
    complete: bool = True

    def hide(self) -> None:
        self.complete = False


class Records:
    """Reads each record and each enum of a unit once.

    Attributes
    ----------
    structs : dict of str to Struct
        By spelling, dependencies first.
    mentioned : dict of str to clang type
        Records that a parameter or a result points to.
    """

    def __init__(self, types: Types, questions: Questions) -> None:
        self.structs: dict[str, Struct] = {}
        self.enums: dict[str, Enum] = {}
        self.mentioned: dict[str, ClangType] = {}
        self._failures: dict[str, str] = {}
        self._bases: dict[str, Struct] = {}
        self._disputed: dict[str, bool] = {}
        self._names: dict[str, str] = {}
        self._types = types
        self._ask = questions.ask
        self._depth = 0
        types.records = self

    def value(self, type_: ClangType) -> Struct:
        """The record as a value.

        Raises
        ------
        CannotCross
            If it is a union, incomplete, empty or not trivially copyable.
        """
        key = plain_name(type_.spelling)
        if key in self._bases:
            self.structs.setdefault(key, self._bases[key])
        if key in self.structs:
            return self.structs[key]
        if key in self._failures:
            raise CannotCross(self._failures[key])
        self._failures[key] = _IN_PROGRESS
        self._depth += 1
        try:
            struct = self._read(type_)
        except CannotCross as reason:
            self._failures[key] = str(reason)
            raise
        finally:
            self._depth -= 1
        del self._failures[key]
        self.structs[key] = struct
        return struct

    def mention(self, type_: ClangType) -> None:
        """Remember a record that a signature points to."""
        if self._depth == 0:
            self.mentioned.setdefault(plain_name(type_.spelling), type_)

    def enum(self, type_: ClangType) -> Enum:
        """The enumeration, with its real underlying type.

        Raises
        ------
        CannotCross
            If its underlying type is not known, or no number format.
        """
        key = plain_name(type_.spelling)
        if key not in self.enums:
            spelling = self._types.spelling(type_)
            cursor = type_.get_declaration()
            underlying = NUMBERS.get(type_kind(cursor.enum_type.get_canonical()))
            if underlying is None:
                raise CannotCross(
                    "the enum is incomplete or its underlying type is no number that Python knows"
                )
            self.enums[key] = Enum(
                self._name(key, spelling),
                underlying,
                tuple(
                    (c.spelling, _wrapped(c.enum_value, underlying))
                    for c in _of_kind(cursor, Decl.ENUM_CONSTANT)
                ),
                cursor.is_scoped_enum(),
                _unqualified(spelling),
                clean(cursor.raw_comment),
            )
        return self.enums[key]

    def _spelling(self, type_: ClangType) -> str:
        """A spelling to which ``::member`` can be added, as generated assertions do."""
        spelling = _unqualified(self._types.spelling(type_))
        hidden = not self._types.unit.c and spelling.startswith("struct ")
        return f"std::remove_cv<{spelling}>::type" if hidden else spelling

    def _name(self, key: str, spelling: str) -> str:
        return self._names.get(key) or plain_name(spelling)

    def _read(self, type_: ClangType) -> Struct:
        cursor = type_.get_declaration()
        if kind_of(cursor) == Decl.UNION:
            raise CannotCross("a union does not say which of its members is valid")
        spelling = self._spelling(type_)
        size, align = type_.get_size(), type_.get_align()
        if size < 0:
            if "<" in type_.spelling:
                self._ask("complete", spelling)
                self._ask("trivial", spelling)
            raise CannotCross("it is incomplete: only its name is declared")
        if not self._trivial(type_, spelling):
            raise CannotCross("it is not trivially copyable, so it cannot travel as bytes")
        if not self._types.unit.c and self._is_disputed(type_):
            raise CannotCross(
                "it is packed around a class that is no plain C struct: compilers lay that out differently"
            )
        members = _Members([])
        name = self._name(plain_name(type_.spelling), _unqualified(self._types.spelling(type_)))
        self._collect(members, type_, spelling, name, 0, size)
        if size == 0 or (not members.fields and members.complete):
            raise CannotCross("it is empty: there are no bytes to pass")
        return Struct(
            name,
            tuple(members.fields),
            fixed=Extent(size, align),
            complete=members.complete,
            spelling=spelling,
            doc=clean(cursor.raw_comment),
        )

    def _trivial(self, type_: ClangType, spelling: str) -> bool:
        if self._types.unit.c:
            return True
        known = None if "<" in type_.spelling else self._inspect(type_)
        return bool(self._ask("trivial", spelling)) if known is None else known

    def _inspect(self, type_: ClangType) -> bool | None:
        """Whether a class is trivially copyable, where its members show it without a further parse."""
        for child in type_.get_declaration().get_children():
            kind = kind_of(child)
            if kind in (Decl.METHOD, Decl.DESTRUCTOR) and child.is_virtual_method():
                return False
            if kind == Decl.BASE and is_virtual_base(child):
                return False
            if kind == Decl.DESTRUCTOR or (kind == Decl.METHOD and child.spelling == "operator="):
                return None
            if kind == Decl.CONSTRUCTOR and (child.is_copy_constructor() or child.is_move_constructor()):
                return None
            if kind in (Decl.BASE, Decl.FIELD):
                inner = _element(child.type)
                if type_kind(inner) == Kind.RECORD and ("<" in inner.spelling or not self._inspect(inner)):
                    return None
        return True

    def _is_disputed(self, type_: ClangType) -> bool:
        """Whether GCC and clang lay the record out differently: each has its own rule for packing classes."""
        key = plain_name(type_.spelling)
        if key not in self._disputed:
            cursor = type_.get_declaration()
            packed = bool(_of_kind(cursor, Decl.PACKED_ATTRIBUTE))
            parts = [base.type for base in _of_kind(cursor, Decl.BASE)] + [f.type for f in type_.get_fields()]
            inner = [part for part in map(_element, parts) if type_kind(part) == Kind.RECORD]
            self._disputed[key] = any(
                self._is_disputed(part) or (packed and not _is_plain(part)) for part in inner
            )
        return self._disputed[key]

    def _collect(
        self, members: _Members, type_: ClangType, spelling: str, name: str, start: int, limit: int
    ) -> None:
        """Add a record's members; ``start`` is its own offset in bits, ``limit`` the whole size in bytes."""
        if not self._types.unit.c:
            self._collect_bases(members, type_, spelling)
        for cursor in type_.get_fields():
            label = cursor.spelling
            offset = start + cursor.get_field_offsetof()
            if cursor.access_specifier.value in _HIDDEN_ACCESS:
                members.hide()
            elif cursor.is_bitfield():
                if label.isidentifier():
                    self._bit_field(members, cursor, offset, limit)
            elif not label.isidentifier():
                self._anonymous(members, cursor, spelling, name, offset, limit)
            else:
                self._field(members, cursor, spelling, name, offset)

    def _field(self, members: _Members, cursor: Cursor, spelling: str, name: str, offset: int) -> None:
        label = cursor.spelling
        inner = _element(cursor.type)
        if "(unnamed" in inner.spelling:
            rank = _rank(cursor.type.get_canonical())
            self._types.name_unnamed(plain_name(inner.spelling), self._member_type(spelling, label, rank))
            self._names[plain_name(inner.spelling)] = f"{name}::{label}"
        try:
            type_ = self._types.value(cursor.type)
            members.fields.append(
                Field(label, type_, offset // 8, spelling=self._types.spelling(cursor.type))
            )
        except CannotCross:
            members.hide()

    def _member_type(self, spelling: str, member: str, rank: int) -> str:
        """An expression for the type of a member, or of its elements."""
        if self._types.unit.c:
            return f"__typeof__((({spelling} *)0)->{member}{'[0]' * rank})"
        whole = f"decltype({spelling}::{member})"
        return f"std::remove_all_extents<{whole}>::type" if rank else whole

    def _anonymous(
        self, members: _Members, cursor: Cursor, spelling: str, name: str, offset: int, limit: int
    ) -> None:
        if kind_of(cursor.type.get_declaration()) == Decl.UNION:
            members.hide()
        else:
            self._collect(members, cursor.type.get_canonical(), spelling, name, offset, limit)

    def _bit_field(self, members: _Members, cursor: Cursor, offset: int, limit: int) -> None:
        type_ = self._types.value(cursor.type)
        width = cursor.get_bitfield_width()
        unit = _storage_unit(offset, width, cursor.type.get_size(), limit)
        if unit is None:
            members.hide()
            return
        spelling = self._types.spelling(cursor.type)
        members.fields.append(Field(cursor.spelling, type_, unit, offset - 8 * unit, width, spelling))

    def _collect_bases(self, members: _Members, type_: ClangType, spelling: str) -> None:
        cursor = type_.get_declaration()
        bases = _of_kind(cursor, Decl.BASE)
        if "<" in type_.spelling:
            # An instantiation does not list its bases; if its template has some, they stay hidden.
            template = template_of(cursor)
            if template is not None and not bases and _of_kind(template, Decl.BASE):
                members.hide()
        own = _names(cursor)
        names = [_names(base.type.get_canonical().get_declaration(), inherited=True) for base in bases]
        for number, base in enumerate(bases):
            found = self._base_fields(base, spelling, alone=len(bases) == 1)
            if found is None:
                members.hide()
                continue
            inherited, complete = found
            # A name that the record or another base also has does not reach this field.
            taken = own.union(*names[:number], *names[number + 1 :])
            kept = [field for field in inherited if field.name not in taken]
            members.complete &= complete and len(kept) == len(inherited)
            members.fields += kept

    def _base(self, type_: ClangType) -> Struct:
        """A base as a record, without making it one that is bound."""
        key = plain_name(type_.spelling)
        if key in self.structs:
            return self.structs[key]
        struct = self.value(type_)
        self._bases[key] = self.structs.pop(key)
        return struct

    def _base_fields(self, base: Cursor, spelling: str, *, alone: bool) -> tuple[list[Field], bool] | None:
        """A base's fields at their offsets in the derived record; None where Python does not see them."""
        type_ = base.type.get_canonical()
        if is_virtual_base(base):
            return None
        if not list(type_.get_fields()) and not _of_kind(type_.get_declaration(), Decl.BASE):
            return [], True
        if base.access_specifier.value in _HIDDEN_ACCESS:
            return None
        try:
            struct = self._base(type_)
            # A lone base without virtual functions lies at offset 0 (Itanium C++ ABI, 2.4).
            start = 0 if alone else self._ask("base", spelling, self._spelling(type_))
        except CannotCross:
            return None
        if start is None or start < 0:
            return None
        return [replace(f, offset=(f.offset or 0) + start) for f in struct.fields], struct.complete


def _storage_unit(offset: int, width: int, size: int, limit: int) -> int | None:
    """The byte where a unit of ``size`` bytes starts that holds the bits and lies inside the record."""
    aligned = offset // 8 // size * size
    for start in (aligned, min(offset // 8, limit - size)):
        if 0 <= start <= limit - size and start * 8 <= offset and offset + width <= 8 * (start + size):
            return start
    return None


def _names(cursor: Cursor, *, inherited: bool = False) -> set[str]:
    """Every name that a class declares, in its anonymous structs too and, if asked, in its bases."""
    names: set[str] = set()
    for child in cursor.get_children():
        if kind_of(child) == Decl.BASE:
            if inherited:
                names |= _names(child.type.get_canonical().get_declaration(), inherited=True)
        elif child.spelling.isidentifier():
            names.add(child.spelling)
        else:
            names |= _names(child)
    return names


def _is_plain(type_: ClangType) -> bool:
    """Whether a class is what C could declare, down to its members."""
    cursor = type_.get_declaration()
    inner = [
        part
        for part in (_element(field.type) for field in type_.get_fields())
        if type_kind(part) == Kind.RECORD
    ]
    return type_.is_pod() and not _of_kind(cursor, Decl.BASE) and all(map(_is_plain, inner))


def _element(type_: ClangType) -> ClangType:
    """The canonical type inside an array type of any rank."""
    type_ = type_.get_canonical()
    while type_kind(type_) in ARRAYS:
        type_ = element_type(type_).get_canonical()
    return type_


def _rank(type_: ClangType) -> int:
    rank = 0
    while type_kind(type_) in ARRAYS:
        rank, type_ = rank + 1, element_type(type_)
    return rank


def _of_kind(cursor: Cursor, kind: Decl) -> list[Cursor]:
    return [child for child in cursor.get_children() if kind_of(child) == kind]


def _unqualified(spelling: str) -> str:
    for word in ("const ", "volatile "):
        spelling = spelling.removeprefix(word)
    return spelling


def _wrapped(value: int, scalar: Scalar) -> int:
    """An enumerator as its underlying type holds it."""
    if scalar == BOOL:
        return int(bool(value))
    bits = 8 * scalar.size
    value &= (1 << bits) - 1
    return value - (1 << bits) if scalar.kind == "int" and value >> (bits - 1) else value
