"""Bound functions: the native plans that run their calls, and the slow path that completes or words them."""

from ..arrays.protocols import dlpack as _dlpack  # noqa: F401  # the core asks for it
from .adapters import pointer_rule as _pointer_rule  # noqa: F401  # and for it
from .binding import Binding
from .candidate import Candidate, Special

__all__ = ["Binding", "Candidate", "Special"]
