"""What a unit of HIP's kernels asserts: the layout of each record, and the exact declaration of each kernel."""

from __future__ import annotations

from collections.abc import Iterator

from ...model.module import Module
from ...model.signature import Signature
from .base import Owner, Piece
from .cxx import CxxShims
from .kernels import exact


class HipProofs(CxxShims):
    """The source itself and its proofs: kernels have no shims, the driver calls them."""

    def _preamble(self, module: Module) -> Iterator[Piece]:
        yield from ()

    def _facts(self, module: Module) -> Iterator[Piece]:
        yield from self._layouts(module)

    def _shims(self, module: Module) -> Iterator[Piece]:
        for index, signature in enumerate(module.functions):
            sentence = f'static_assert(sizeof({exact(signature)}) == sizeof(void*), "");'
            yield Piece(Owner("function", index), sentence)
            if signature.instance:
                yield Piece(Owner("function", index), _instantiation(signature))


def _instantiation(signature: Signature) -> str:
    """What has the compiler make a kernel of a template."""
    types = ", ".join(p.spelling for p in signature.parameters)
    return f"template __global__ {signature.result_spelling} {signature.qualified}({types});"


GENERATOR = HipProofs()
