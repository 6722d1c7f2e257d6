"""C and C++ declarations, read with libclang into the language-neutral model."""

from .model import Alias, Constant, Module, Skipped
from .read import read

__all__ = ["Alias", "Constant", "Module", "Skipped", "read"]
