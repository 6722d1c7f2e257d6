"""Functions with ``...``: what their further arguments are to C, and whether a format asks for them."""

from .families import family_of
from .function import Variadic, Way
from .places import STACK_WORDS, free_registers

__all__ = ["STACK_WORDS", "Variadic", "Way", "family_of", "free_registers"]
