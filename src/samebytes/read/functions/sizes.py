"""Texts that go in together with a length, so that they may have NULs."""

from __future__ import annotations

from dataclasses import replace

from ...model.signature import Parameter
from ...types import Pointer, Scalar, Type
from ...types.length_parameters import says_amount


def with_sizes(parameters: tuple[Parameter, ...]) -> tuple[Parameter, ...]:
    """The parameters, with the texts marked of a function that takes a length: ``(const char *src, int srcSize)``."""
    if not any(_is_whole(p.type) and says_amount(p.name) for p in parameters):
        return parameters
    return tuple(
        replace(p, type=replace(p.type, sized=True))
        if isinstance(p.type, Pointer) and p.type.is_string
        else p
        for p in parameters
    )


def _is_whole(type_: Type) -> bool:
    return isinstance(type_, Scalar) and type_.kind in ("int", "uint")
