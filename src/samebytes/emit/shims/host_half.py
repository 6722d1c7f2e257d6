"""The shims of host functions of a ``.cu``, in one unit with it for nvcc; and what stands behind ``<<<>>>``."""

from __future__ import annotations

from ...model.module import Module
from ..base import part
from .base import Piece, joined
from .cxx import CxxShims
from .kernels import GENERATOR as KERNELS
from .kernels import proven_spans

# Ours is for the host alone; nvcc's other pass over the unit sees declarations that nothing of the device uses.
_BEGIN = '#pragma push_macro("__CUDACC__")\n#undef __CUDACC__'
_END = """#pragma pop_macro("__CUDACC__")
extern "C" __attribute__((visibility("hidden"))) void* samebytes_begin() noexcept;
extern "C" __attribute__((visibility("hidden"))) void samebytes_end(void* begun, bool throws);
#define SAMEBYTES_OFFSET(member, ...) __builtin_offsetof(__VA_ARGS__, member)
#undef SAMEBYTES_GUARD
#define SAMEBYTES_GUARD(samebytes_error, ...)          \\
  void* const samebytes_begun = samebytes_begin();     \\
  bool samebytes_ended = false;                        \\
  try {                                                \\
    __VA_ARGS__;                                       \\
    samebytes_ended = true;                            \\
    samebytes_end(samebytes_begun, true);              \\
  } catch (...) {                                      \\
    if (!samebytes_ended) samebytes_end(samebytes_begun, false); \\
    samebytes_report(samebytes_error);                 \\
  }"""


class HostHalf(CxxShims):
    """Each call waits for what it launched, and fails with it."""

    def unit(self, host: Module, kernels: Module, prologue: str) -> str:
        """The text of the unit, which asserts of the kernels what was read, and has the instantiations of them."""
        wanted = (
            f"template __global__ void {f.qualified}({', '.join(p.spelling for p in f.parameters)});"
            for f in kernels.functions if f.instance
        )  # fmt: skip
        behind = [
            *KERNELS.proofs(kernels),
            *proven_spans(host, beside_host=True),
            *(Piece(None, text) for text in wanted),
        ]
        return joined([*self.pieces(host, prologue), *behind, Piece(None, "")]).text

    def start(self, prologue: str) -> list[Piece]:
        ours = "\n".join([_BEGIN, part(self.part), _END])
        return [Piece(None, ours), Piece(None, prologue)]


def launches() -> str:
    """The unit behind ``<<<>>>``."""
    return part("launches.cpp")


GENERATOR = HostHalf()
