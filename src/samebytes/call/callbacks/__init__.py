"""Python callables as C functions and C functions as Python callables."""

from ...later import later

__getattr__ = later(__name__, "pointer", "running", "sources")
