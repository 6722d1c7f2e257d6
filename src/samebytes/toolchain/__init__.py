"""Compilers: finding them, driving them, and keeping what they built."""

from .cache import Cache, default_cache
from .compilers import Compiler, find_compiler, system_includes
from .driver import build_library

__all__ = ["Cache", "Compiler", "build_library", "default_cache", "find_compiler", "system_includes"]
