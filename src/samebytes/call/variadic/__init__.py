"""Functions with ``...``: what their further arguments are to C, and whether a format asks for them."""

from .function import Variadic, VariadicOverload

__all__ = ["Variadic", "VariadicOverload"]
