"""What a unit of HIP's kernels asserts: the layout of each record, and the exact declaration of each kernel."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from ...model.module import Module
from ...model.owner import Owner
from .base import Piece
from .kernels import proven_spans
from .proofs import Proofs


class HipProofs(Proofs):
    """Proofs beside the source, for Clang."""

    mark = "__global__"

    def _facts(self, module: Module, only: Collection[Owner] | None = None) -> Iterator[Piece]:
        yield from super()._facts(module, only)
        yield from proven_spans(module)


GENERATOR = HipProofs()
