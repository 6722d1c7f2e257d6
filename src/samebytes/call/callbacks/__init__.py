"""Python callables as C functions and C functions as Python callables; importing it registers the rule."""

from .pointer import FunctionPointer, callback, function_class
from .running import callback_rule
from .sources import function_rule

__all__ = ["FunctionPointer", "callback", "callback_rule", "function_class", "function_rule"]
