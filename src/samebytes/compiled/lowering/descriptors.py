"""Descriptors of arrays, ``sb.array``, as Numba's arrays: the same elements, strides in bytes as NumPy counts them."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types

from ...errors import ArgumentError, Mismatch
from ...types import Array, Const, Enum, Vector, unqualified
from ..datamodel.equivalents import array_element, element_type, vector_record
from ..datamodel.kinds import HandleType, StructType
from .site import Site

WORD = 8  # bytes


def descriptor_type(type_: Array, dialect: str) -> Any:
    """Numba's type of an array that a descriptor shows.

    Raises
    ------
    Mismatch
        If Numba has no such elements.
    """
    element = unqualified(type_.element)
    if isinstance(element, Enum):
        element = element.underlying
    is_vector = isinstance(element, Vector)
    dtype = vector_record(element, dialect) if is_vector else array_element(element, dialect)
    if isinstance(dtype, HandleType):
        dtype = None
    if isinstance(dtype, StructType):
        dtype = element_type(dtype)
    if dtype is None or not isinstance(dtype, types.Number | types.Boolean | types.Record):
        raise Mismatch(ArgumentError, "an array of what Numba has arrays of", str(type_), "")
    return types.Array(dtype, type_.ndim, "A", readonly=isinstance(type_.dtype, Const))


def read_descriptor(site: Site, kind: Any, type_: Array, data: Any) -> Any:
    """The array that the descriptor at an address shows; nothing keeps its elements but who made it."""
    builder, word = site.builder, ir.IntType(64)
    form = site.context.get_data_type(kind.dtype)
    itemsize = kind.dtype.size if isinstance(kind.dtype, types.Record) else site.context.get_abi_sizeof(form)

    def words(start: int) -> list[Any]:
        places = (site.shift(data, WORD * (start + i)) for i in range(type_.ndim))
        return [builder.load(site.at(place, word), align=WORD) for place in places]

    strides = [builder.mul(stride, word(itemsize)) for stride in words(1 + type_.ndim)]
    made = site.context.make_array(kind)(site.context, builder)
    site.compiler.arrays.populate_array(
        made, data=builder.load(site.at(data, form.as_pointer()), align=WORD), shape=words(1), strides=strides,
        itemsize=site.size(itemsize), meminfo=None,
    )  # fmt: skip
    return made._getvalue()
