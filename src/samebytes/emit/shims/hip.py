"""What a unit of HIP's kernels asserts: the layout of each record, and the exact declaration of each kernel."""

from __future__ import annotations

from .proofs import Proofs


class HipProofs(Proofs):
    """Proofs beside the source, for Clang."""

    mark = "__global__"


GENERATOR = HipProofs()
