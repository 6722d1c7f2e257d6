"""Arrays as arguments of compiled calls: what their elements must be, and the descriptor of mdspan and span."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from llvmlite import ir
from numba import types

from ...errors import ArrayError, Mismatch
from ...model.signature import Parameter
from ...types import Array, CArray, Const, Enum, Type, Vector, unqualified
from ..datamodel.equivalents import numba_type, vector_of
from ..datamodel.models import ADDRESS
from ..lowering.halves import is_half
from ..lowering.site import Call
from .fit import EXACT, Fit
from .objects import mirrors_struct

_LAYOUTS = {"right": "C", "left": "F"}


def fit_array(type_: Array, argument: Any, dialect: str, parameter: Parameter | None) -> Fit:
    """An array that C++ takes with its shape."""
    words = f"{type_.element}[{', '.join('n' * type_.ndim)}] ({type_})"
    if not isinstance(argument, types.Array):
        raise Mismatch(ArrayError, words, str(argument), "")
    if argument.ndim != type_.ndim or not holds(argument.dtype, type_.element, dialect):
        raise Mismatch(ArrayError, words, str(argument), "")
    check_writable(isinstance(type_.dtype, Const), words, argument)
    needed = _LAYOUTS.get(getattr(type_, "layout", ""), "")
    if needed and argument.layout != needed and argument.ndim > 0:
        order = {"C": "np.ascontiguousarray(x)", "F": "np.asfortranarray(x)"}[needed]
        raise Mismatch(ArrayError, f"{needed}-contiguous {words}", str(argument), f"{order} makes a copy")

    written = not isinstance(type_.dtype, Const)

    def lower(call: Call, value: Any) -> Any:
        return _descriptor(call, argument, value, written=written)

    return Fit(EXACT, lower)


def _descriptor(call: Call, argument: Any, value: Any, *, written: bool) -> Any:
    """``{T* data; uint64_t shape[n]; uint64_t strides[n]}``, strides in elements.

    The elements of an array that C++ may write to lie apart; those of one that Numba knows to be contiguous do.
    """
    builder, unpack = call.builder, call.compiler.cgutils.unpack_tuple
    held = call.context.make_array(argument)(call.context, builder, value)
    place = call.stack(8 + 16 * argument.ndim, 8)
    builder.store(builder.bitcast(held.data, ADDRESS), call.at(place, ADDRESS))
    shape, strides = (unpack(builder, part, argument.ndim) for part in (held.shape, held.strides))
    if written and argument.layout not in ("C", "F"):
        words = (
            "expected an array whose elements do not overlap where C++ may write, got strides that let them"
        )
        call.require(_lie_apart(builder, shape, strides, held.itemsize), ArrayError, words)
    for i, (extent, stride) in enumerate(zip(shape, strides, strict=True)):
        builder.store(extent, call.at(call.shift(place, 8 + 8 * i), extent.type))
        if argument.layout not in ("C", "F"):
            even = builder.icmp_signed("==", builder.srem(stride, held.itemsize), stride.type(0))
            call.require(even, ArrayError, "expected strides of whole elements, got a part of one")
        steps = builder.sdiv(stride, held.itemsize)
        builder.store(steps, call.at(call.shift(place, 8 + 8 * (argument.ndim + i)), steps.type))
    return place


def _lie_apart(builder: Any, shape: Sequence[Any], strides: Sequence[Any], itemsize: Any) -> Any:
    """Whether each dimension steps over all that the shorter steps reach, or the array has no elements."""
    one, zero = itemsize.type(1), itemsize.type(0)
    sizes = [builder.select(builder.icmp_signed("<", s, zero), builder.neg(s), s) for s in strides]
    apart, empty = ir.IntType(1)(1), ir.IntType(1)(0)
    for i, (extent, size) in enumerate(zip(shape, sizes, strict=True)):
        below = itemsize
        for j, (other, step) in enumerate(zip(shape, sizes, strict=True)):
            if j == i:
                continue
            shorter = builder.icmp_signed("<" if j > i else "<=", step, size)
            reach = builder.mul(builder.sub(other, one), step)
            below = builder.add(below, builder.select(shorter, reach, zero))
        alone = builder.icmp_signed("<=", extent, one)
        apart = builder.and_(apart, builder.or_(alone, builder.icmp_signed(">=", size, below)))
        empty = builder.or_(empty, builder.icmp_signed("==", extent, zero))
    return builder.or_(apart, empty)


def check_writable(const: bool, words: str, argument: Any) -> None:
    """Require of an array that C++ may write to that it may be written to."""
    if not const and not argument.mutable:
        raise Mismatch(ArrayError, f"writable {words}", f"a read-only array ({argument})", "")


def check_extents(call: Call, argument: Any, held: Any, shape: Sequence[int]) -> None:
    """Require the last extents of an array to be these."""
    extents = call.compiler.cgutils.unpack_tuple(call.builder, held.shape, argument.ndim)
    whole = ir.IntType(1)(1)
    for extent, wanted in zip(extents[argument.ndim - len(shape) :], shape, strict=True):
        whole = call.builder.and_(whole, call.builder.icmp_signed("==", extent, extent.type(wanted)))
    call.require(whole, ArrayError, f"expected an array whose last extents are {list(shape)}, got others")


def holds(dtype: Any, target: Type, dialect: str) -> bool:
    """Whether elements of an array are values of a type of C++."""
    if isinstance(target, Enum):
        target = target.underlying
    if isinstance(target, CArray):
        return holds(dtype, unqualified(target.element), dialect)
    if isinstance(target, Vector):
        return vector_of(dtype) == target or dtype == numba_type(target.element, dialect)
    if isinstance(dtype, types.Record):
        return mirrors_struct(dtype, target)
    if is_half(target, dialect):
        return False  # Numba has no arrays of them
    try:
        return bool(dtype == numba_type(target, dialect))
    except Mismatch:
        return False
