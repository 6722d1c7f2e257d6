"""The one layout engine: size, alignment and offsets of any type, from a dialect's table of numbers."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from ..errors import LayoutError
from ..types import (
    BOOL,
    COMPONENTS,
    SCALARS,
    VOID,
    Aligned,
    Array,
    Atomic,
    Bits,
    ByKind,
    Callback,
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
    Matrix,
    Maybe,
    Mdspan,
    Named,
    NdArray,
    Nothing,
    Object,
    Owner,
    Pointer,
    Product,
    Scalar,
    Span,
    Sparse,
    Stream,
    Struct,
    Target,
    Text,
    Tuple,
    Type,
    Vector,
    Void,
    unqualified,
)
from .model import FieldLayout, Layout, Table


def round_up(offset: int, align: int) -> int:
    """The least multiple of ``align`` (a power of two) that is not below ``offset``."""
    return (offset + align - 1) & -align


_LARGEST = 2**63 - 1  # PTRDIFF_MAX


def compute(type_: Type, table: Table) -> Layout:
    """The layout of a type in a dialect, by the rules of the Itanium C++ ABI for standard-layout classes.

    Raises
    ------
    LayoutError
        If the type has no size (void, a record known by name only) or no fields.
    """
    if isinstance(type_, Struct):
        return _of_struct(type_, table)
    made_of, found = _of_equals(type_, table)
    # Equal types of two libraries have one layout, and fields of different classes.
    return found if made_of is type_ or not found.fields else _of_itself(_Itself(type_), table)


def _of_struct(struct: Struct, table: Table) -> Layout:
    """What a struct keeps by itself, so that its layouts, and its class, last no longer than it does."""
    known = struct.__dict__.get("_layouts")
    if known is None:
        known = struct.__dict__["_layouts"] = {}
    found: Layout | None = known.get(table)
    if found is None:
        found = known[table] = _checked(struct, table)
    return found


def _checked(type_: Type, table: Table) -> Layout:
    found = _RULES[type(type_)](type_, table)
    if found.size > _LARGEST:
        raise LayoutError(f"the type takes {found.size} bytes; C++ allows at most {_LARGEST}")
    return found


@lru_cache(maxsize=1024)
def _of_equals(type_: Type, table: Table) -> tuple[Type, Layout]:
    return type_, _checked(type_, table)


class _Itself:
    """A type as the key of a cache that does not take an equal one for it."""

    __slots__ = ("type",)

    def __init__(self, type_: Type) -> None:
        self.type = type_

    def __hash__(self) -> int:
        return id(self.type)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Itself) and other.type is self.type


@lru_cache(maxsize=1024)
def _of_itself(key: _Itself, table: Table) -> Layout:
    return _RULES[type(key.type)](key.type, table)


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


def _span(type_: Span, table: Table) -> Layout:
    # A kernel takes the object itself; a shim makes it of the descriptor.
    return compute(type_.image, table) if type_.memory else _array(type_, table)


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
    if apart := table.apart.intersection(struct.wide):
        raise LayoutError(
            f"{struct} holds {min(apart)}, which devices of {table.name} lay out otherwise than the host"
        )
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


_RULES: ByKind[Callable[[Any, Table], Layout]] = ByKind(
    "layouts: how a type lies in memory",
    {
        Scalar: _number,
        Void: _pointer,
        Pointer: _pointer,
        Vector: _vector,
        CArray: _carray,
        Array: _array,
        Span: _span,
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
        **dict.fromkeys((Bits, Matrix, NdArray, Sparse), lambda type_, table: compute(type_.wire, table)),
        **dict.fromkeys((Callback, Stream), lambda type_, table: _described((_ADDRESS,) * 3, table)),
        Choice: lambda type_, table: _described((_COUNT, *type_.elements), table),
        Owner: lambda type_, table: _described((_ADDRESS,) * 4, table),
        Enum: lambda type_, table: compute(type_.underlying, table),
        Const: lambda type_, table: compute(type_.type, table),
    },
    without={"it is the root of others": (Converted,), "only a pointer to it is a value": (Function,)},
)
