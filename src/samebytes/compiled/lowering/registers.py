"""Numbers in registers: the form in which direct shims take and give them, and Numba's."""

from __future__ import annotations

from typing import Any

from llvmlite import ir

from ...types import Enum, Scalar
from .site import Site


def machine_type(scalar: Scalar) -> ir.Type:
    """The register form of a number: see ``generate.shims.direct``."""
    if scalar.kind == "float":
        return ir.FloatType() if scalar.size == 4 else ir.DoubleType()
    return ir.IntType(max(8 * scalar.size, 32))


def narrowed(site: Site, scalar: Scalar, value: Any) -> Any:
    """A number in its register form as Numba holds the format."""
    if scalar.kind == "bool":
        return site.builder.icmp_unsigned("!=", value, value.type(0))
    if scalar.kind == "float" or scalar.size >= 4:
        return value
    return site.builder.trunc(value, ir.IntType(8 * scalar.size))


def as_enumerator(site: Site, type_: Enum, value: Any) -> Any:
    """An integer of an enumeration's underlying type as Numba holds an enumerator, in 64 bits.

    Without a class in Python it stays the integer that it is.
    """
    wide = ir.IntType(64)
    if type_.python is None or value.type == wide:
        return value
    return (
        site.builder.sext(value, wide) if type_.underlying.kind == "int" else site.builder.zext(value, wide)
    )
