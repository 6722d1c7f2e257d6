"""Bound functions: the native plans that run their calls, and the slow path that completes or words them."""

from .binding import Binding
from .candidate import Candidate, Special

__all__ = ["Binding", "Candidate", "Special"]
