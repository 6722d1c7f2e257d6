"""Bound functions: the native plans that run their calls, and the slow path that completes or words them."""

from ..later import later

__getattr__ = later(
    __name__,
    "addresses",
    "arithmetic",
    "augmented",
    "arguments",
    "callbacks",
    "capacity",
    "class_conversions",
    "equality",
    "guarding",
    "implicit",
    "overload_keys",
    "overloads",
    "parameter_types",
    "ranking",
    "streams",
    "subscripts",
    "teaching",
    "unstated",
    "variables",
    "wide",
    "written",
)

from . import rules as _rules  # noqa: F401  # registers what follows values
from .binding import Binding
from .candidate import Candidate, Special

__all__ = ["Binding", "Candidate", "Special"]
