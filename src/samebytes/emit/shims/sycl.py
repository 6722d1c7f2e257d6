"""What a unit of SYCL's kernels asserts: the layout of each record, and the exact declaration of each kernel."""

from __future__ import annotations

from .base import Piece
from .proofs import Proofs


class SyclProofs(Proofs):
    """Proofs beside the source, for DPC++."""

    mark = "__attribute__((sycl_device))"

    def start(self, prologue: str) -> list[Piece]:
        return [*super().start(prologue), Piece(None, "#include <samebytes/sycl_device.hpp>")]


GENERATOR = SyclProofs()
