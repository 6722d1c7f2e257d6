"""16-bit floats on the CPU, where Numba has none to compute with: arguments are rounded, results are float32."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from llvmlite import ir
from numba import types
from numba.core.typing import signature

from ...errors import Mismatch, RangeError
from ...types import Scalar
from .site import Call, Site


class Format(NamedTuple):
    """Bits of the mantissa that are stored, and the smallest and the largest exponent of normal numbers."""

    mantissa: int
    lowest: int
    highest: int


FORMATS = {"float16": Format(10, -14, 15), "bfloat16": Format(7, -126, 127)}
_TOO_LARGE = -1


def is_half(scalar: Any, dialect: str) -> bool:
    """Whether a number is one of these on the CPU."""
    return dialect != "cuda" and isinstance(scalar, Scalar) and scalar.name in FORMATS


def _bits(x: float, mantissa: int, lowest: int, highest: int) -> int:
    """The bits of the nearest number, ties to even; -1 where it is too large. Compiled by Numba."""
    sign = 32768 if math.copysign(1.0, x) < 0 else 0
    size = abs(x)
    infinite = (2 * highest + 1) << mantissa
    if size != size:
        return sign | infinite | (1 << (mantissa - 1))
    if size == math.inf:
        return sign | infinite
    if size == 0:
        return sign
    exponent = max(math.frexp(size)[1] - 1, lowest)
    rounded = int(np.rint(math.ldexp(size, mantissa - exponent)))
    # The leading bit of a normal number adds one to the exponent's field, a carry another.
    found = rounded + ((exponent - lowest) << mantissa)
    return -1 if found >= infinite else sign | found


def _value(bits: int, mantissa: int, lowest: int, highest: int) -> float:
    """The number that bits mean. Compiled by Numba."""
    exponent, fraction = (bits & 32767) >> mantissa, bits & ((1 << mantissa) - 1)
    if exponent == 2 * highest + 1:
        size = math.nan if fraction else math.inf
    elif exponent == 0:
        size = math.ldexp(float(fraction), lowest - mantissa)
    else:
        size = math.ldexp(float(fraction + (1 << mantissa)), exponent - 1 + lowest - mantissa)
    return -size if bits & 32768 else size


def _compiled(site: Site, function: Any, result: Any, kind: Any, value: Any, scalar: Scalar) -> Any:
    numbers = [site.context.get_constant(types.int64, n) for n in FORMATS[scalar.name]]
    form = signature(result, kind, types.int64, types.int64, types.int64)
    return site.context.compile_internal(site.builder, function, form, [value, *numbers])


def lower_half(call: Call, scalar: Scalar, value: Any, kind: Any) -> Any:
    """The address of a float, rounded."""
    double = call.context.cast(call.builder, value, kind, types.float64)
    bits = _compiled(call, _bits, types.int64, types.float64, double, scalar)
    fits = call.builder.icmp_signed("!=", bits, bits.type(_TOO_LARGE))
    call.require(fits, RangeError, f"expected {scalar}, got a finite number that it cannot hold")
    place = call.stack(2, 2)
    call.builder.store(call.builder.trunc(bits, ir.IntType(16)), call.at(place, ir.IntType(16)))
    return place


def read_half(site: Site, scalar: Scalar, data: Any, align: int | None) -> Any:
    """The float32 of the number at an address."""
    bits = site.builder.load(site.at(data, ir.IntType(16)), align=min(align or 2, 2))
    wide = site.builder.zext(bits, ir.IntType(64))
    double = _compiled(site, _value, types.float64, types.int64, wide, scalar)
    return site.context.cast(site.builder, double, types.float64, types.float32)


def exact_half(scalar: Scalar, number: int) -> float:
    """A literal integer as a float.

    Raises
    ------
    Mismatch
        If the format does not have it.
    """
    form = FORMATS[scalar.name]
    bits = _bits(float(number), *form)
    if bits == _TOO_LARGE or _value(bits, *form) != number:
        raise Mismatch(RangeError, str(scalar), str(number), "It has no exact value of that format")
    return float(number)
