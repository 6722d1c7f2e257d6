"""Compilers: finding them, driving them, and keeping what they built."""

from ..later import later

__getattr__ = later(__name__, "cuda", "demangling", "linked", "locking", "pruning")
