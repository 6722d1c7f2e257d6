"""Python callables as C functions and C functions as Python callables; importing it registers the rule."""

from .pointer import FunctionPointer, callback, function_class
from .sources import function_rule

__all__ = ["FunctionPointer", "callback", "function_class", "function_rule"]
