"""The check that comes before any launch: a kernel's plan against what its compiled code says of its parameters."""

from __future__ import annotations

from collections.abc import Sequence

from ..errors import LayoutError
from ..layouts.dialects import layout
from ..model.signature import Parameter, Signature
from ..toolchain.kernel_metadata import ArgumentPlace
from ..toolchain.spirv import Parameter as Compiled
from ..types import Pointer

# Bytes. Where parameters aligned above this lie depends on the architecture; the driver knows.
_AGREED = 16


def check_kernel(kernel: Signature, places: Sequence[ArgumentPlace], dialect: str) -> None:
    """Compare number, sizes and offsets of parameters with the compiler's record.

    Raises
    ------
    LayoutError
        With the parameter and both numbers.
    """
    ours, theirs = len(kernel.parameters), len(places)
    if ours != theirs:
        raise LayoutError(f"{kernel.qualified}() has {ours} parameters, and its compiled code {theirs}")
    end = widest = 0
    for number, (parameter, place) in enumerate(zip(kernel.parameters, places, strict=True), 1):
        facts = layout(parameter.value_type, dialect)
        offset, widest = -(-end // facts.align) * facts.align, max(widest, facts.align)
        end = offset + facts.size
        where = f"{kernel.qualified}() parameter {number} '{parameter.name}' ({parameter.spelling})"
        if facts.size != place.size:
            raise LayoutError(f"{where} has {facts.size} bytes, and in its compiled code {place.size}")
        if widest <= _AGREED and offset != place.offset:
            raise LayoutError(f"{where} lies at byte {offset}, and in its compiled code at {place.offset}")


# What stands for one parameter that is an address, and for one that is a local accessor: the memory itself, two ranges
# and an offset of one dimension.
_ADDRESS, _MEMORY, _NUMBER = Compiled(8, "pointer"), Compiled(8, "local"), Compiled(8)


def compiled_as(parameter: Parameter) -> tuple[Compiled, ...]:
    """What DPC++ makes of a parameter of a kernel of SYCL."""
    type_ = parameter.value_type
    if not isinstance(type_, Pointer):
        return (Compiled(layout(type_, "sycl").size),)
    if type_.memory != "local":
        return (_ADDRESS,)
    return (_MEMORY, _NUMBER, _NUMBER, _NUMBER) if is_accessor(parameter) else (_MEMORY,)


def is_accessor(parameter: Parameter) -> bool:
    """Whether memory of a work-group is a ``local_accessor``, which knows how many elements it has."""
    return "local_accessor<" in parameter.spelling


def check_sycl_kernel(kernel: Signature, found: Sequence[Compiled]) -> None:
    """Compare number, sizes and kinds of parameters with those of the function in SPIR-V.

    Raises
    ------
    LayoutError
        With the parameter and what both say.
    """
    ours = [(p, part) for p in kernel.parameters for part in compiled_as(p)]
    for (parameter, part), theirs in zip(ours, found, strict=False):
        if part != theirs:
            where = f"{kernel.qualified}() parameter '{parameter.name}' ({parameter.spelling})"
            raise LayoutError(f"{where} has {_said(part)}, and in its compiled code {_said(theirs)}")
    if len(ours) != len(found):
        said = f"{kernel.qualified}() has {len(ours)} parameters"
        raise LayoutError(f"{said}, and its compiled code {len(found)}")


def _said(part: Compiled) -> str:
    words = {"value": "by value", "pointer": "of an address", "local": "of memory of a work-group"}
    return f"{part.size} bytes {words[part.kind]}"
