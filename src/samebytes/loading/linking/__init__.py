"""From a compiled module to live Python objects: record and enum classes, functions, variables, constants."""

from ...later import later

__getattr__ = later(
    __name__,
    "absent",
    "associated",
    "base_members",
    "computed",
    "equated",
    "inherited_names",
    "lookup",
    "mappings",
    "pointed_arguments",
    "records",
    "resolution",
    "specials",
    "unbound_candidates",
    "unbound_operators",
    "unknown_operators",
    "variables",
    "virtual",
)

from .filling import populate, populate_device, populate_kernels, pythonic_forms
from .linker import Linker
from .loaded_module import LoadedModule, releases, symbols

__all__ = [
    "Linker",
    "LoadedModule",
    "populate",
    "populate_device",
    "populate_kernels",
    "pythonic_forms",
    "releases",
    "symbols",
]
