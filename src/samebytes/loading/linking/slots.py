"""What compiled code calls of the core: a library has a slot for each thing that it needs."""

from __future__ import annotations

from contextlib import suppress

from ... import _native
from ...model.slots import keeps_converted, keeps_functions
from ...model.symbols import ITERATION
from ...values import thrown
from .linker import Linker
from .loaded_module import LoadedModule

# Libraries stay loaded, and so does what they call: one for each linker, by its id.
_THROWERS: dict[int, tuple[Linker, thrown.Thrower]] = {}


def fill_slots(compiled: LoadedModule) -> None:
    """Say where destructors report what they throw, and what keeps values that C++ shows."""
    module, slots = compiled.module, compiled.loaded.slots
    if module.language != "c++":
        return
    slots("samebytes_unraised", 1)(0, _native.UNRAISED)
    if compiled.linker.thrown:
        with suppress(ValueError):  # a package that was written before there was such a slot
            slots("samebytes_classes", 1)(0, _address(compiled.linker))
    if any(map(keeps_converted, module.functions)):
        # A package may have been written when fewer classes were known to refer to arguments.
        with suppress(ValueError):
            slots("samebytes_keep", 1)(0, _native.KEEP)
    if any(map(keeps_functions, module.functions)):
        slots("samebytes_keep_function", 1)(0, _native.FUNCTION_API)
    if any(struct.name.startswith(ITERATION) for struct in module.records):
        slots("samebytes_iterations", 1)(0, _native.ITERATIONS)


def _address(linker: Linker) -> int:
    """The address of what makes exceptions of the objects of a linker's classes."""
    return id(_THROWERS.setdefault(id(linker), (linker, thrown.Thrower(linker.thrown)))[1])
