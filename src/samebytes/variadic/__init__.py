"""Functions with ``...``: what their further arguments are to C, and whether a format asks for them."""

from .abi import STACK_WORDS, Registers, free_registers
from .families import family_of
from .function import Variadic, Way

__all__ = ["STACK_WORDS", "Registers", "Variadic", "Way", "family_of", "free_registers"]
