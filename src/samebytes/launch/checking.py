"""The check that comes before any launch: a kernel's plan against what its compiled code says of its parameters."""

from __future__ import annotations

from collections.abc import Sequence

from ..errors import LayoutError
from ..layouts.dialects import layout
from ..model.signature import Signature
from ..toolchain.kernel_metadata import ArgumentPlace

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
