"""From a compiled module to live Python objects: record and enum classes, functions, variables, constants."""

from .compiled import Compiled, releases
from .filling import populate, populate_device
from .linker import Linker

__all__ = ["Compiled", "Linker", "populate", "populate_device", "releases"]
