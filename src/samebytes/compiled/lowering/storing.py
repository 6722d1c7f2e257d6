"""Writes arguments, in the form in which direct shims take them, to places in memory."""

from __future__ import annotations

from typing import Any

from llvmlite import ir

from ...emit.shims.direct import machine_format
from ...layouts import FieldLayout, compute
from ...layouts.dialects import find_dialect
from ...types import Atomic, Scalar, Type, unqualified
from ..datamodel.kinds import StructType
from .bitfields import write_bits
from .memory import alignment
from .site import Call, Site


def store(
    site: Site, type_: Type, data: Any, lowered: Any, dialect: str | None = None, align: int | None = None
) -> None:
    """Store an argument in its register form, or behind its address, at an address."""
    bare = unqualified(type_)
    if isinstance(bare, Atomic):
        type_ = bare.type
    machine = machine_format(type_)
    if machine is None:
        size = compute(unqualified(type_), find_dialect(dialect or site.compiler.dialect)).size
        site.copy(data, lowered, size)
        return
    plain = memory_form(site, machine, lowered) if isinstance(machine, Scalar) else lowered
    site.builder.store(plain, site.at(data, plain.type), align=align)


def memory_form(site: Site, scalar: Scalar, lowered: Any) -> Any:
    """A number in its register form as it lies in memory."""
    form = ir.IntType(8 * scalar.size) if scalar.kind != "float" else lowered.type
    return site.builder.trunc(lowered, form) if lowered.type != form else lowered


def write_field(site: Call, struct: StructType, place: FieldLayout, data: Any, lowered: Any) -> None:
    """Store an argument in its register form, or behind its address, in a field."""
    if not place.bit_width:
        store(site, place.type, data, lowered, struct.dialect, alignment(struct, place))
        return
    machine = machine_format(place.type)
    assert isinstance(machine, Scalar)
    plain = memory_form(site, machine, lowered)
    write_bits(site, place, data, plain, signed=machine.kind == "int")
