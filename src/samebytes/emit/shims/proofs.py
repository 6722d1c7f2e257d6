"""What a unit of kernels asserts that is compiled with its source, in any dialect of C++: layouts and declarations."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import ClassVar

from ...model.module import Module
from ...model.owner import Owner
from ...model.signature import Signature
from .base import Piece
from .cxx import CxxShims
from .kernels import exact


class Proofs(CxxShims):
    """The source itself and its proofs: kernels have no shims, a runtime calls them.

    Attributes
    ----------
    mark : str
        What makes a function a kernel in that dialect.
    """

    mark: ClassVar[str]

    def _preamble(self, module: Module) -> Iterator[Piece]:
        yield from ()

    def _facts(self, module: Module, only: Collection[Owner] | None = None) -> Iterator[Piece]:
        yield from self._layouts(module, only)

    def _shims(self, module: Module, only: Collection[Owner] | None = None) -> Iterator[Piece]:
        for index, signature in enumerate(module.functions):
            sentence = f'static_assert(sizeof({exact(signature)}) == sizeof(void*), "");'
            yield Piece(Owner("function", index), sentence)
            if signature.instance:
                yield Piece(Owner("function", index), self._instantiation(signature))

    def _instantiation(self, signature: Signature) -> str:
        """What has the compiler make a kernel of a template."""
        types = ", ".join(p.spelling for p in signature.parameters)
        return f"template {self.mark} {signature.result_spelling} {signature.qualified}({types});"
