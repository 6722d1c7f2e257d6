"""What compiled code calls of the core: a library has a slot for each thing that it needs."""

from __future__ import annotations

from ... import _native
from ...model.slots import keeps_converted, keeps_functions
from ...model.symbols import ITERATION
from .loaded_module import LoadedModule


def fill_slots(compiled: LoadedModule) -> None:
    """Say where destructors report what they throw, and what keeps values that C++ shows."""
    module, slots = compiled.module, compiled.loaded.slots
    if module.language != "c++":
        return
    slots("samebytes_unraised", 1)(0, _native.UNRAISED)
    if any(map(keeps_converted, module.functions)):
        slots("samebytes_keep", 1)(0, _native.KEEP)
    if any(map(keeps_functions, module.functions)):
        slots("samebytes_keep_function", 1)(0, _native.FUNCTION_API)
    if any(struct.name.startswith(ITERATION) for struct in module.records):
        slots("samebytes_iterations", 1)(0, _native.ITERATIONS)
