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
            said = _instantiated if signature.instance else _exact
            yield Piece(Owner("function", index), said(signature))


def _exact(signature: Signature) -> str:
    """Names a kernel by its exact type, of which no code is made: a misread declaration does not compile."""
    types = ", ".join(p.spelling for p in signature.parameters)
    used = f"static_cast<{signature.result_spelling} (*)({types})>(&{signature.qualified})"
    return f'static_assert(sizeof({used}) == sizeof(void*), "");'


def _instantiated(signature: Signature) -> str:
    """Has the compiler make code of an instantiation, which it finds by its exact type."""
    types = ", ".join(p.spelling for p in signature.parameters)
    return f"template __global__ {signature.result_spelling} {signature.qualified}({types});"


GENERATOR = KernelProofs()
