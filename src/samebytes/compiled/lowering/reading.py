"""Reads values of C++ from registers and from memory: numbers, structs, vectors, arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir

from ...layouts import compute
from ...layouts.dialects import find_dialect
from ...types import Array, ByKind, CArray, Enum, Pointer, Scalar, Struct, Type, Vector, unqualified
from ..datamodel.equivalents import numba_type
from ..datamodel.kinds import LARGEST_VALUE, RecordType, StructType
from .descriptors import descriptor_type, read_descriptor
from .halves import is_half, read_half
from .registers import as_enumerator, narrowed
from .site import Site
from .vectors import load_vector

# A kind of type -> what reads it, where it is a file of its own that does: ``arguments.aggregates``.
READERS: ByKind[Callable[[Site, Any, Any, str, Any], Any]] = ByKind(
    "compiled: how a value is read, in files of their own",
    {},
    others="lowering/reading.py reads it",
)


def given_type(type_: Type, dialect: str) -> Any:
    """The type in which compiled code receives a value: a large struct is a record."""
    found = numba_type(type_, dialect)
    if isinstance(found, StructType) and not found.immutable and found.layout.size > LARGEST_VALUE:
        return RecordType(found)
    return found


def storage(site: Site, type_: Type, dialect: str) -> Any:
    """Zeroed storage on the stack for a value of a type."""
    layout = compute(type_, find_dialect(dialect))
    place = site.stack(layout.size, max(layout.align, 8))
    site.zero(place, layout.size)
    return place


def from_register(site: Site, type_: Type, value: Any) -> Any:
    """A number or an address as Numba holds it."""
    bare = unqualified(type_)
    if isinstance(bare, Enum):
        return as_enumerator(site, bare, narrowed(site, bare.underlying, value))
    if isinstance(bare, Pointer):
        return site.builder.bitcast(value, site.context.get_value_type(numba_type(bare, "cxx")))
    assert isinstance(bare, Scalar)
    return narrowed(site, bare, value)


def from_storage(site: Site, type_: Type, data: Any, dialect: str, align: int | None = None) -> Any:
    """The value that lies at an address.

    Parameters
    ----------
    align : int, optional
        Bytes; that of the type.
    """
    bare = unqualified(type_)
    if isinstance(bare, Array):
        return read_descriptor(site, descriptor_type(bare, dialect), bare, data)
    kind = given_type(type_, dialect)
    if (rule := READERS.get(type(bare))) is not None:
        return rule(site, bare, data, dialect, kind)
    if isinstance(bare, CArray):
        return _array(site, bare, data, dialect, kind)
    if isinstance(bare, Vector):
        return load_vector(site, kind, data)
    if isinstance(bare, Struct):
        return site.copied(kind, data) if isinstance(kind, RecordType) else site.load(kind, data, align)
    if isinstance(bare, Enum) and bare.python is not None:
        form = ir.IntType(8 * bare.underlying.size)
        loaded = site.builder.load(site.at(data, form), align=align or bare.underlying.size)
        return as_enumerator(site, bare, loaded)
    if is_half(bare, dialect):
        return read_half(site, bare, data, align)  # type: ignore[arg-type]
    form = site.context.get_data_type(kind)
    return site.context.unpack_value(site.builder, kind, site.at(data, form), align)


def _array(site: Site, type_: CArray, data: Any, dialect: str, kind: Any) -> Any:
    extent, *inner = type_.shape
    part = CArray(type_.element, tuple(inner)) if inner else type_.element
    step = compute(part, find_dialect(dialect)).size
    items = [from_storage(site, part, site.shift(data, i * step), dialect) for i in range(extent)]
    return site.context.make_tuple(site.builder, kind, items)
