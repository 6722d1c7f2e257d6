"""What a unit of kernels asserts: the layout of each record, and the exact declaration of each kernel."""

from __future__ import annotations

from collections.abc import Iterator

from ...model.module import Module
from ...model.signature import Signature
from .base import Owner, Piece
from .cuda import CudaShims


class KernelProofs(CudaShims):
    """The source itself and its proofs: kernels have no shims, the driver calls them."""

    def _shims(self, module: Module) -> Iterator[Piece]:
        for index, signature in enumerate(module.functions):
            sentence = f'static_assert(sizeof({exact(signature)}) == sizeof(void*), "");'
            yield Piece(Owner("function", index), sentence)


def exact(signature: Signature) -> str:
    """Names a kernel by its exact type, of which no code is made: a misread declaration does not compile."""
    types = ", ".join(p.spelling for p in signature.parameters)
    return f"static_cast<{signature.result_spelling} (*)({types})>(&{signature.qualified})"


GENERATOR = KernelProofs()
