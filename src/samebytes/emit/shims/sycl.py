"""What a unit of SYCL's kernels asserts: the layout of each record, and the exact declaration of each kernel."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from ...model.module import Module
from ...model.owner import Owner
from ...model.signature import Signature
from .base import Piece
from .cxx import CxxShims
from .kernels import exact


class SyclProofs(CxxShims):
    """The source itself and its proofs: kernels have no shims, the runtime calls them."""

    def start(self, prologue: str) -> list[Piece]:
        return [*super().start(prologue), Piece(None, "#include <samebytes/sycl_device.hpp>")]

    def _preamble(self, module: Module) -> Iterator[Piece]:
        yield from ()

    def _facts(self, module: Module, only: Collection[Owner] | None = None) -> Iterator[Piece]:
        yield from self._layouts(module, only)

    def _shims(self, module: Module, only: Collection[Owner] | None = None) -> Iterator[Piece]:
        for index, signature in enumerate(module.functions):
            sentence = f'static_assert(sizeof({exact(signature)}) == sizeof(void*), "");'
            yield Piece(Owner("function", index), sentence)
            if signature.instance:
                yield Piece(Owner("function", index), _instantiation(signature))


def _instantiation(signature: Signature) -> str:
    """What has the compiler make a kernel of a template."""
    types = ", ".join(p.spelling for p in signature.parameters)
    return (
        f"template __attribute__((sycl_device)) {signature.result_spelling} {signature.qualified}({types});"
    )


GENERATOR = SyclProofs()
