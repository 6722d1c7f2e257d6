"""Floats of 16 and 8 bits on the CPU, where Numba has none to compute with: they are float32, rounded to the format."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core.typing import signature

from ...errors import Mismatch, RangeError
from ...types import Scalar
from ..datamodel.fixed import FORMATS, bits_of_float, float_of_bits
from ..datamodel.kinds import VectorType
from .site import Call, Site

_LARGEST = 2**128  # which no format has: floats of Python's are larger


def is_half(scalar: Any, dialect: str) -> bool:
    """Whether a number is one of these on the CPU."""
    return dialect != "cuda" and isinstance(scalar, Scalar) and scalar.name in FORMATS


def is_rounded(kind: Any) -> bool:
    """Whether a type is that of vectors whose elements are float32, rounded to the format."""
    return isinstance(kind, VectorType) and kind.rounded


def _bits(x: float, mantissa: int, lowest: int, limit: int, infinite: int, sign: int) -> int:
    """The bits of the nearest number, ties to even; negative where it is too large. Compiled by Numba."""
    minus = sign if math.copysign(1.0, x) < 0 else 0
    size = abs(x)
    if size != size:
        return minus | limit | (1 << (mantissa - 1))
    if size == math.inf:
        return minus | limit if infinite else -1 - minus
    if size == 0:
        return minus
    exponent = max(math.frexp(size)[1] - 1, lowest)
    scaled = math.ldexp(size, mantissa - exponent)
    rounded = int(scaled)
    rest = scaled - rounded
    if rest > 0.5 or (rest == 0.5 and rounded & 1):
        rounded += 1
    # The leading bit of a normal number adds one to the exponent's field, a carry another.
    found = rounded + ((exponent - lowest) << mantissa)
    return -1 - minus if found >= limit else minus | found


def _compiled(site: Site, function: Any, result: Any, kind: Any, value: Any, scalar: Scalar) -> Any:
    form = FORMATS[scalar.name]
    numbers = [site.context.get_constant(types.int64, n) for n in form]
    made = signature(result, kind, *[types.int64] * len(form))
    # Which raises nothing: it is called where Python's values become Numba's, too, where nothing could be passed on.
    compiled = site.context.compile_subroutine(site.builder, function, made)
    _, found = site.context.call_internal_no_propagate(site.builder, compiled.fndesc, made, [value, *numbers])
    return found


def _found(site: Site, scalar: Scalar, value: Any, kind: Any) -> Any:
    double = site.context.cast(site.builder, value, kind, types.float64)
    return _compiled(site, _bits, types.int64, types.float64, double, scalar)


def nearest_bits(site: Site, scalar: Scalar, value: Any, kind: Any = types.float32) -> Any:
    """The bits of a float as arithmetic rounds it: infinity, or NaN, where it is too large."""
    bits, form = _found(site, scalar, value, kind), FORMATS[scalar.name]
    return _instead(site, bits, form.limit, form.sign)


def _instead(site: Site, bits: Any, large: int, sign: int) -> Any:
    """Other bits, with the sign, where a number was too large."""
    builder, form = site.builder, bits.type
    wrong = builder.icmp_signed("<", bits, form(0))
    minus = builder.icmp_signed("<", bits, form(-1))
    return builder.select(wrong, builder.select(minus, form(large | sign), form(large)), bits)


def rounded(site: Site, scalar: Scalar, value: Any, kind: Any = types.float32) -> Any:
    """The float32 of a number that the format has, next to a float or an integer."""
    bits, form = nearest_bits(site, scalar, value, kind), FORMATS[scalar.name]
    if (
        scalar.name == "float16" and kind == types.float32
    ):  # NumPy's keeps what a NaN says; ml_dtypes has one NaN
        odd = site.builder.fcmp_unordered("uno", value, value)
        said = site.builder.zext(bits_of_float(site.builder, form, value), bits.type)
        bits = site.builder.select(odd, said, bits)
    return float_of_bits(site.builder, form, bits)


def crossing_bits(call: Call, scalar: Scalar, value: Any, kind: Any) -> Any:
    """The bits of a float that crosses: too large is an error, and of 8 bits the largest number, as in CUDA."""
    bits, form = _found(call, scalar, value, kind), FORMATS[scalar.name]
    if scalar.size == 2:  # CUDA has one NaN, without a sign
        odd = call.builder.fcmp_unordered("uno", value, value)
        bits = call.builder.select(odd, bits.type(form.sign - 1), bits)
    if scalar.size == 1:
        largest = form.limit - 1
        bits = _instead(call, bits, largest, form.sign)
        if form.infinite:
            plain = call.builder.and_(bits, bits.type(form.sign - 1))
            infinite = call.builder.icmp_unsigned("==", plain, bits.type(form.limit))
            bits = call.builder.select(infinite, call.builder.sub(bits, bits.type(1)), bits)
        return bits
    fits = call.builder.icmp_signed(">=", bits, bits.type(0))
    call.require(fits, RangeError, f"expected {scalar}, got a finite number that it cannot hold")
    return bits


def store_bits(site: Site, scalar: Scalar, bits: Any, place: Any) -> None:
    """Write a number's bits to an address."""
    form = ir.IntType(8 * scalar.size)
    site.builder.store(site.builder.trunc(bits, form), site.at(place, form), align=scalar.size)


def lower_half(call: Call, scalar: Scalar, value: Any, kind: Any) -> Any:
    """The address of a float, rounded."""
    bits, place = crossing_bits(call, scalar, value, kind), call.stack(scalar.size, scalar.size)
    store_bits(call, scalar, bits, place)
    return place


def read_half(site: Site, scalar: Scalar, data: Any, align: int | None) -> Any:
    """The float32 of the number at an address."""
    form = ir.IntType(8 * scalar.size)
    bits = site.builder.load(site.at(data, form), align=min(align or scalar.size, scalar.size))
    return float_of_bits(site.builder, FORMATS[scalar.name], bits)


def exact_half(scalar: Scalar, number: int) -> float:
    """A literal integer as a float.

    Raises
    ------
    Mismatch
        If the format does not have it.
    """
    with np.errstate(over="ignore"):
        found = float(scalar.numpy(number)) if abs(number) <= _LARGEST else math.inf
    if found != number:
        raise Mismatch(RangeError, str(scalar), str(number), "It has no exact value of that format")
    return found
