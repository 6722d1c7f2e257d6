"""Shims in CUDA C++: device functions that no host calls, so without exceptions, tables and probes."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from ...later import later_pattern
from ...model.module import Module
from ...model.owner import Owner
from ...types import Enum, Span, Struct
from .base import Piece
from .cxx import CxxShims

# A class may have commas in its name: it goes last.
_OFFSET = later_pattern(r"__builtin_offsetof\((.*), (\w+)\)")


class CudaShims(CxxShims):
    """The shims of C++ as device functions; the direct shims behind them are what kernels are linked with."""

    def emit(self, module: Module, prologue: str) -> str:
        # NVRTC refuses functions of the host; they are compiled as if they were the device's, and not called.
        start = "#undef __host__\n#define __host__\n"
        return start + super().emit(module, prologue)

    def _preamble(self, module: Module) -> Iterator[Piece]:
        if any(isinstance(p.value_type, Span) for f in module.functions for p in f.parameters):
            yield Piece(None, "#include <samebytes/span.hpp>")

    def _facts(self, module: Module, only: Collection[Owner] | None = None) -> Iterator[Piece]:
        yield from self._layouts(module, only)

    def struct_facts(self, struct: Struct) -> Iterator[str]:
        # NVRTC before 13.1 has another word for it.
        for fact in super().struct_facts(struct):
            yield _OFFSET.sub(r"SAMEBYTES_OFFSET(\2, \1)", fact)

    def enum_facts(self, enum: Enum) -> Iterator[str]:
        # Where C++ leaves the type open, NVRTC's is signed and g++'s is not; the bytes of its values are the same.
        size, sign = super().enum_facts(enum)
        yield size
        if enum.underlying.kind == "int":
            yield sign


GENERATOR = CudaShims()
