"""Floats of 16 and 8 bits on the CPU, where Numba has none to compute with: they are float32, rounded to the format."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from llvmlite import ir
from numba import types
from numba.core.typing import signature

from ...errors import Mismatch, RangeError
from ...types import Scalar
from ..datamodel.kinds import VectorType
from .site import Call, Site


class Format(NamedTuple):
    """One format.

    Attributes
    ----------
    mantissa : int
        Bits that are stored.
    lowest : int
        The smallest exponent of normal numbers.
    limit : int
        The bits after those of the largest number: of infinity, or where there is none of NaN.
    infinite : int
        Whether it has infinity.
    sign : int
        The sign's bit.
    """

    mantissa: int
    lowest: int
    limit: int
    infinite: int
    sign: int


FORMATS = {
    "float16": Format(10, -14, 0x7C00, 1, 0x8000),
    "bfloat16": Format(7, -126, 0x7F80, 1, 0x8000),
    "float8e4m3": Format(3, -6, 0x7F, 0, 0x80),
    "float8e5m2": Format(2, -14, 0x7C, 1, 0x80),
}


def is_half(scalar: Any, dialect: str) -> bool:
    """Whether a number is one of these on the CPU."""
    return dialect != "cuda" and isinstance(scalar, Scalar) and scalar.name in FORMATS


def small_on_cpu(kind: Any) -> bool:
    """Whether a type is that of vectors of these."""
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
    rounded = int(np.rint(math.ldexp(size, mantissa - exponent)))
    # The leading bit of a normal number adds one to the exponent's field, a carry another.
    found = rounded + ((exponent - lowest) << mantissa)
    return -1 - minus if found >= limit else minus | found


def _value(bits: int, mantissa: int, lowest: int, limit: int, infinite: int, sign: int) -> float:
    """The number that bits mean. Compiled by Numba."""
    plain = bits & (sign - 1)
    exponent, fraction = plain >> mantissa, plain & ((1 << mantissa) - 1)
    if plain >= limit:
        size = math.inf if infinite and plain == limit else math.nan
    elif exponent == 0:
        size = math.ldexp(float(fraction), lowest - mantissa)
    else:
        size = math.ldexp(float(fraction + (1 << mantissa)), exponent - 1 + lowest - mantissa)
    return -size if bits & sign else size


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


def nearest_bits(site: Site, scalar: Scalar, value: Any) -> Any:
    """The bits of a float32 as arithmetic rounds it: infinity, or NaN, where it is too large."""
    bits, form = _found(site, scalar, value, types.float32), FORMATS[scalar.name]
    return _instead(site, bits, form.limit, form.sign)


def _instead(site: Site, bits: Any, large: int, sign: int) -> Any:
    """Other bits, with the sign, where a number was too large."""
    builder, form = site.builder, bits.type
    wrong = builder.icmp_signed("<", bits, form(0))
    minus = builder.icmp_signed("<", bits, form(-1))
    return builder.select(wrong, builder.select(minus, form(large | sign), form(large)), bits)


def rounded(site: Site, scalar: Scalar, value: Any) -> Any:
    """A float32 that the format has."""
    return _number(site, scalar, nearest_bits(site, scalar, value))


def _number(site: Site, scalar: Scalar, bits: Any) -> Any:
    double = _compiled(site, _value, types.float64, types.int64, bits, scalar)
    return site.context.cast(site.builder, double, types.float64, types.float32)


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
    return half_of_bits(site, scalar, bits)


def half_of_bits(site: Site, scalar: Scalar, bits: Any) -> Any:
    """The float32 of the number that bits mean."""
    return _number(site, scalar, site.builder.zext(bits, ir.IntType(64)))


def exact_half(scalar: Scalar, number: int) -> float:
    """A literal integer as a float.

    Raises
    ------
    Mismatch
        If the format does not have it.
    """
    form = FORMATS[scalar.name]
    bits = _bits(float(number), *form)
    if bits < 0 or _value(bits, *form) != number:
        raise Mismatch(RangeError, str(scalar), str(number), "It has no exact value of that format")
    return float(number)
