"""Bit-fields in compiled code: reading, and writing what they can hold."""

from __future__ import annotations

from typing import Any

from llvmlite import ir

from ...errors import RangeError
from ...layouts import FieldLayout
from ...types import Enum, Scalar, Type, unqualified
from .registers import as_enumerator
from .site import Call, Site


def read_bits(site: Site, place: FieldLayout, data: Any) -> Any:
    """The value of a bit-field, extended to its type."""
    scalar = _underlying(place.type)
    form = ir.IntType(8 * place.touched)
    unit = site.builder.load(site.at(data, form), align=1)
    left = form.width - place.bit_offset - place.bit_width
    shifted = site.builder.shl(unit, form(left))
    back = form(form.width - place.bit_width)
    signed = scalar.kind == "int"
    value = site.builder.ashr(shifted, back) if signed else site.builder.lshr(shifted, back)
    if scalar.kind == "bool":
        return site.builder.trunc(value, ir.IntType(1))
    number = _as_wide(site, value, ir.IntType(8 * scalar.size), signed=signed)
    bare = unqualified(place.type)
    return as_enumerator(site, bare, number) if isinstance(bare, Enum) else number


def _as_wide(site: Site, value: Any, form: Any, *, signed: bool) -> Any:
    """An integer with another number of bits."""
    if value.type.width > form.width:
        return site.builder.trunc(value, form)
    widen = site.builder.sext if signed else site.builder.zext
    return widen(value, form) if value.type.width < form.width else value


def _underlying(type_: Type) -> Scalar:
    bare = unqualified(type_)
    scalar = bare.underlying if isinstance(bare, Enum) else bare
    assert isinstance(scalar, Scalar)
    return scalar


def write_bits(call: Call, place: FieldLayout, data: Any, value: Any, *, signed: bool) -> None:
    """Put an integer into a bit-field; the other bits of its bytes stay."""
    _check_bits(call, place, value, signed=signed)
    form = ir.IntType(8 * place.touched)
    value = _as_wide(call, value, form, signed=False)
    ones = ((1 << place.bit_width) - 1) << place.bit_offset
    unit = call.builder.load(call.at(data, form), align=1)
    kept = call.builder.and_(unit, form(~ones & ((1 << form.width) - 1)))
    moved = call.builder.and_(call.builder.shl(value, form(place.bit_offset)), form(ones))
    call.builder.store(call.builder.or_(kept, moved), call.at(data, form), align=1)


def _check_bits(call: Call, place: FieldLayout, value: Any, *, signed: bool) -> None:
    """As in Python, an integer that a bit-field cannot hold is an error, not another integer."""
    width, form = place.bit_width, value.type
    if width >= form.width:
        return
    gap = form(form.width - width)
    back = call.builder.ashr if signed else call.builder.lshr
    low, high = (-(1 << (width - 1)), (1 << (width - 1)) - 1) if signed else (0, (1 << width) - 1)
    call.require(
        call.builder.icmp_unsigned("==", back(call.builder.shl(value, gap), gap), value),
        RangeError,
        f"expected a bit-field of {width} bits ({low} to {high}), got an integer outside of it",
    )
