"""The one layout engine: size, alignment and offsets of any type, from a dialect's table of numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Protocol

from .errors import LayoutError
from .types import (
    BOOL,
    COMPONENTS,
    SCALARS,
    VOID,
    Aligned,
    Array,
    Atomic,
    Bits,
    CArray,
    Choice,
    Const,
    Container,
    Converted,
    Dictionary,
    Duration,
    Enum,
    Extent,
    Field,
    FilePath,
    Function,
    Handle,
    Held,
    Instant,
    Maybe,
    Mdspan,
    Named,
    Nothing,
    Object,
    Owner,
    Pointer,
    Product,
    Scalar,
    Span,
    Struct,
    Target,
    Text,
    Tuple,
    Type,
    Vector,
    Void,
    unqualified,
    unspelled,
)


class Table(Protocol):
    """What the engine asks of a dialect."""

    @property
    def name(self) -> str:
        """The dialect's name."""

    def extent(self, name: str) -> Extent:
        """Size and alignment in bytes of a scalar, a vector or ``"pointer"``."""

    def __hash__(self) -> int:
        """Layouts are cached by dialect."""


@dataclass(frozen=True, slots=True)
class FieldLayout:
    """Where one field lies.

    Attributes
    ----------
    name : str
    type : Type
    offset, size, align : int
        Bytes; of a bit-field: of the storage unit that holds it.
    bit_offset, bit_width : int
        Bits from the least significant one of the storage unit; width 0 means no bit-field.
    """

    name: str
    type: Type
    offset: int
    size: int
    align: int
    bit_offset: int = 0
    bit_width: int = 0


@dataclass(frozen=True, slots=True)
class Fact:
    """One number that a compiler can confirm.

    Attributes
    ----------
    kind : str
        ``"size"``, ``"align"`` or ``"offset"``.
    field : str
        The field it is about; empty: the whole type.
    value : int
        Bytes.
    """

    kind: str
    field: str
    value: int


@dataclass(frozen=True, slots=True)
class Layout:
    """How a type sits in memory: ``size`` and ``align`` in bytes, and its fields in order.

    Vectors have their components as fields, array descriptors ``data``, ``shape`` and ``strides``;
    numbers, pointers and C arrays have none.
    """

    size: int
    align: int
    fields: tuple[FieldLayout, ...] = ()

    @property
    def offsets(self) -> tuple[int, ...]:
        """Bytes from the start to each field."""
        return tuple(f.offset for f in self.fields)

    def facts(self) -> tuple[Fact, ...]:
        """Size, alignment, and of each field its offset and size; a bit-field's are those of its storage unit."""
        own = (Fact("size", "", self.size), Fact("align", "", self.align))
        return own + tuple(
            fact
            for f in self.fields
            for fact in (Fact("offset", f.name, f.offset), Fact("size", f.name, f.size))
        )


def round_up(offset: int, align: int) -> int:
    """The least multiple of ``align`` (a power of two) that is not below ``offset``."""
    return (offset + align - 1) & -align


_LARGEST = 2**63 - 1  # PTRDIFF_MAX


@lru_cache(maxsize=8192)
def compute(type_: Type, table: Table) -> Layout:
    """The layout of a type in a dialect, by the rules of the Itanium C++ ABI for standard-layout classes.

    Raises
    ------
    LayoutError
        If the type has no size (void, a record known by name only) or no fields.
    """
    found = _RULES[type(type_)](type_, table)
    if found.size > _LARGEST:
        raise LayoutError(f"the type takes {found.size} bytes; C++ allows at most {_LARGEST}")
    return found


def _number(type_: Scalar, table: Table) -> Layout:
    extent = table.extent(type_.row)
    return Layout(extent.size, extent.align)


def _pointer(_: Pointer | Void, table: Table) -> Layout:
    # None crosses as void* (specification, "None"), so that is the size of "no value" too.
    extent = table.extent("pointer")
    return Layout(extent.size, extent.align)


def _vector(type_: Vector, table: Table) -> Layout:
    extent, element = table.extent(str(type_)), table.extent(type_.element.name)
    return Layout(
        extent.size,
        extent.align,
        tuple(
            FieldLayout(name, type_.element, i * element.size, element.size, element.align)
            for i, name in enumerate(COMPONENTS[: type_.size])
        ),
    )


def _carray(type_: CArray, table: Table) -> Layout:
    element = compute(type_.element, table)
    return Layout(type_.count * element.size, element.align)


def _array(type_: Array, table: Table) -> Layout:
    extents = CArray(SCALARS["uint64"], (type_.ndim,))
    members = [Field("data", Pointer(type_.dtype))]
    if type_.ndim:
        members += [Field("shape", extents), Field("strides", extents)]
    return _place(Struct(str(type_), tuple(members)), table)


def _struct(type_: Struct, table: Table) -> Layout:
    return _fixed(type_, type_.fixed, table) if type_.fixed else _place(type_, table)


def _place(struct: Struct, table: Table) -> Layout:
    if not struct.fields:
        raise LayoutError(f"{struct} has no fields: an empty struct has no machine representation")
    end, align, placed = 0, struct.align or 1, []
    for field in struct.fields:
        if field.bit_width:
            raise LayoutError(f"{struct}.{field.name}: only a C++ compiler decides where a bit-field lies")
        held, least = as_member(field.type)
        inner = compute(held, table)
        own = max(inner.align, least)
        offset = round_up(end, own)
        placed.append(FieldLayout(field.name, held, offset, inner.size, own))
        end, align = offset + inner.size, max(align, own)
    return Layout(round_up(end, align), align, tuple(placed))


def _fixed(struct: Struct, extent: Extent, table: Table) -> Layout:
    placed = []
    for field in struct.fields:
        held, least = as_member(field.type)
        inner = compute(held, table)
        if field.offset is None or field.offset + (0 if field.bit_width else inner.size) > extent.size:
            raise LayoutError(f"{struct}.{field.name} at byte {field.offset} is outside {extent.size} bytes")
        bits = field.bit_offset, field.bit_width
        align = max(inner.align, least)
        placed.append(FieldLayout(field.name, held, field.offset, inner.size, align, *bits))
    return Layout(extent.size, extent.align, tuple(placed))


def as_member(type_: Type) -> tuple[Type, int]:
    """The type of a member as C++ declares it, and the least alignment (bytes) that it says beside it."""
    bare = unqualified(type_)
    if not isinstance(bare, Aligned):
        return type_, 1
    return (Const(bare.type) if isinstance(type_, Const) else bare.type), bare.align


def _aligned(type_: Aligned, table: Table) -> Layout:
    return _around(type_.type, type_.align, table)


def _atomic(type_: Atomic, table: Table) -> Layout:
    # libstdc++'s std::atomic and, for what has no lock, libcu++'s cuda::std::atomic.
    size = compute(type_.type, table).size
    return _around(type_.type, size if size <= 16 and not size & (size - 1) else 1, table)


def _around(type_: Type, least: int, table: Table) -> Layout:
    inner = compute(type_, table)
    align = max(inner.align, least)
    place = FieldLayout("value", type_, 0, inner.size, inner.align)
    return Layout(round_up(inner.size, align), align, (place,))


def _named(type_: Named, table: Table) -> Layout:
    raise LayoutError(f"{type_} is known by name only: its size is not known, only pointers to it are")


_ADDRESS, _COUNT = Pointer(VOID), SCALARS["uint64"]


def _described(members: tuple[Type, ...], table: Table) -> Layout:
    """The layout of a wire; one without members takes a byte, as every C++ object does."""
    if not members:
        return Layout(1, 1)
    return _place(Struct("wire", tuple(Field(f"_{i}", m) for i, m in enumerate(members))), table)


def _run(type_: Converted, table: Table) -> Layout:
    return _described((_ADDRESS, _COUNT), table)


def _sequence(type_: Container, table: Table) -> Layout:
    return _array(Array(type_.element, 1), table) if type_.numbers else _run(type_, table)


_RULES: dict[type[Type], Callable[[Any, Table], Layout]] = {
    Scalar: _number,
    Void: _pointer,
    Pointer: _pointer,
    Vector: _vector,
    CArray: _carray,
    Array: _array,
    Span: _array,
    **dict.fromkeys((Struct, Handle), _struct),
    Tuple: _struct,
    Mdspan: _struct,
    Aligned: _aligned,
    Atomic: _atomic,
    Named: _named,
    Text: _run,
    FilePath: _run,
    Dictionary: _run,
    Container: _sequence,
    **dict.fromkeys((Maybe, Target), lambda type_, table: _described((type_.value, BOOL), table)),
    Product: lambda type_, table: _described(type_.elements, table),
    Duration: lambda type_, table: compute(type_.count, table),
    Held: lambda type_, table: _described((_ADDRESS, _ADDRESS, type_.type), table),
    Object: lambda type_, table: _described((_ADDRESS,), table),
    Instant: lambda type_, table: compute(type_.count, table),
    Nothing: lambda type_, table: _described((), table),
    Bits: lambda type_, table: compute(_COUNT, table),
    Choice: lambda type_, table: _described((_COUNT, *type_.elements), table),
    Owner: lambda type_, table: _described((_ADDRESS,) * 4, table),
    Enum: lambda type_, table: compute(type_.underlying, table),
    Const: lambda type_, table: compute(type_.type, table),
}

_PARTS: dict[type[Type], Callable[[Any], tuple[Type, ...]]] = {
    Pointer: lambda t: (t.pointee,),
    Function: lambda t: (t.result, *(a.type for a in t.arguments)),
    Vector: lambda t: (t.element,),
    CArray: lambda t: (t.element,),
    Array: lambda t: (t.dtype,),
    Span: lambda t: (t.dtype,),
    **dict.fromkeys((Struct, Handle), lambda t: tuple(f.type for f in t.fields)),
    Tuple: lambda t: t.elements,
    Mdspan: lambda t: tuple(f.type for f in t.fields),
    Aligned: lambda t: (t.type,),
    Atomic: lambda t: (t.type,),
    Enum: lambda t: (t.underlying,),
    Const: lambda t: (t.type,),
    Held: lambda t: (t.type,),
    **dict.fromkeys(
        (Choice, Container, Dictionary, Instant, Maybe, Object, Owner, Target, Product, Duration),
        lambda t: t.parts,
    ),
}


@lru_cache(maxsize=4096)
def overlapping(struct: Struct, table: Table) -> frozenset[str]:
    """The fields that share bytes with others: those of a union, and of anonymous unions inside a struct."""
    if struct.fixed is None:
        return frozenset()
    spans = []
    for field in struct.fields:
        start = 8 * (field.offset or 0) + field.bit_offset
        bits = field.bit_width or 8 * compute(field.type, table).size
        spans.append((start, start + bits, field.name))
    found: set[str] = set()
    reach, holder = 0, ""
    for start, end, name in sorted(spans):
        if start < reach:
            found |= {name, holder}
        if end > reach:
            reach, holder = end, name
    return frozenset(found)


def walk(type_: Type) -> Iterator[Type]:
    """The type and all it is made of, each once, parts before wholes."""
    seen: set[Type] = set()

    def visit(part: Type) -> Iterator[Type]:
        if part in seen:
            return
        seen.add(part)
        for inner in _PARTS.get(type(part), lambda _: ())(part):
            yield from visit(inner)
        yield part

    return visit(type_)


def _is_run(type_: CArray) -> bool:
    """Whether the elements are numbers without gaps: then the whole array is one piece in every dialect."""
    element = unqualified(type_.element)
    return _is_run(element) if isinstance(element, CArray) else isinstance(element, Scalar | Enum | Pointer)


def leaves(type_: Type, table: Table, base: int = 0) -> Iterator[tuple[int, int]]:
    """Offset and size in bytes of every number and pointer inside, in order; padding is in none of them.

    A struct with members that Python does not see is one piece.
    """
    type_ = unqualified(type_)
    layout = compute(type_, table)
    if (isinstance(type_, Struct) and not type_.complete) or (isinstance(type_, CArray) and _is_run(type_)):
        yield base, layout.size
    elif isinstance(type_, CArray):
        step = compute(type_.element, table).size
        for i in range(type_.count):
            yield from leaves(type_.element, table, base + i * step)
    elif not layout.fields:
        yield base, layout.size
    else:
        for field in layout.fields:
            yield from leaves(field.type, table, base + field.offset)


@lru_cache(maxsize=1024)
def moves(type_: Type, source: Table, target: Table) -> tuple[tuple[int, int, int], ...] | None:
    """How to bring a value from one dialect's layout to another's.

    Returns
    -------
    tuple of (source offset, target offset, size) in bytes, or None where both layouts are the same.
    """
    old, new = tuple(leaves(type_, source)), tuple(leaves(type_, target))
    if old == new and compute(type_, source).size == compute(type_, target).size:
        return None
    return tuple((a, b, size) for (a, size), (b, _) in zip(old, new, strict=True))


def repack(data: bytes, type_: Type, source: Table, target: Table) -> bytes:
    """The bytes of a value in another dialect's layout, padding zeroed."""
    plan = moves(type_, source, target)
    if plan is None:
        return data
    out = bytearray(compute(type_, target).size)
    for start, to, size in plan:
        out[to : to + size] = data[start : start + size]
    return bytes(out)


def without_padding(data: bytes, type_: Type, table: Table) -> bytes:
    """The same value with zero in all padding."""
    out = bytearray(len(data))
    for start, size in leaves(type_, table):
        out[start : start + size] = data[start : start + size]
    return bytes(out)


def difference(expected: Type, got: Type, table: Table, path: str = "") -> str:
    """The first way in which two types do not mean the same bytes and field names; empty if they do.

    Names of structs do not matter, names of their fields do. An enumeration is its integer format, and
    ``char`` is int8.
    """
    expected, got = _plain(expected), _plain(got)
    if isinstance(expected, Struct) and isinstance(got, Struct):
        return _struct_difference(expected, got, table, path)
    if isinstance(expected, CArray) and isinstance(got, CArray) and expected.shape == got.shape:
        return difference(expected.element, got.element, table, path + "[0]")
    same = expected == got or (isinstance(expected, Pointer) and isinstance(got, Pointer))
    return "" if same else f"{path or 'it'} is {got}, expected {expected}"


def _plain(type_: Type) -> Type:
    type_ = unqualified(type_)
    if isinstance(type_, Enum):
        return type_.underlying
    return SCALARS["int8"] if type_ == SCALARS["char"] else unspelled(type_)


def _struct_difference(expected: Struct, got: Struct, table: Table, path: str) -> str:
    want, have = compute(expected, table), compute(got, table)
    names = [f.name for f in want.fields], [f.name for f in have.fields]
    if names[0] != names[1]:
        return f"{path or 'it'} has the fields {', '.join(names[1])}, expected {', '.join(names[0])}"
    for a, b in zip(want.fields, have.fields, strict=True):
        where = f"{path}.{a.name}"
        if (a.offset, a.bit_offset, a.bit_width) != (b.offset, b.bit_offset, b.bit_width):
            return f"{where} lies at byte {b.offset}, expected {a.offset}"
        if found := difference(a.type, b.type, table, where):
            return found
    if want.size != have.size:
        return f"{path or 'it'} has {have.size} bytes, expected {want.size}"
    return ""
