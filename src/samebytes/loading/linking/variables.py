"""Makes attributes of the variables of a module."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, partial

from ...call import Binding, Candidate, variables
from ...call.attribute import Attribute
from ...model.module import Variable
from ...model.signature import Signature
from ...model.symbols import accessors, shim_symbol, variable_symbol
from ..backends import Loaded
from ..library import Library
from .linker import with_rows
from .loaded_module import LoadedModule


def attributes(compiled: LoadedModule, library: Library) -> Iterator[tuple[str, Attribute]]:
    """Each variable as an attribute of its namespace, by its qualified name."""
    for index, variable in enumerate(compiled.module.variables):
        yield variable.qualified, _attribute(index, variable, compiled, library)


def _attribute(index: int, variable: Variable, compiled: LoadedModule, library: Library) -> Attribute:
    linker, loaded = compiled.linker, compiled.loaded
    calls = [
        Binding(
            [_candidate(shim_symbol(name, len(s.parameters)), linker.signature(s), loaded)],
            nogil=False, exclusive=True, module=linker.name, reduce=(),
        ).function
        for name, s in accessors(index, variable)
    ]  # fmt: skip
    if calls:
        return variables.Accessed(
            variable.name, variable.type, calls[0], calls[1] if len(calls) > 1 else None
        )

    def address() -> int:
        place = bytearray(8)
        loaded.call(variable_symbol(index), [place])
        return int.from_bytes(place, "little")

    return (variables.Unsized if variable.unsized else variables.MemoryVariable)(
        variable.name,
        with_rows(linker.link(variable.type), variable.name),
        compiled.api.place(variable.symbol, variable.name, address)
        or _place(address, variable, loaded.later(variable_symbol(index)) is not None),
        library,
    )


def _candidate(symbol: str, signature: Signature, loaded: Loaded) -> Candidate:
    later = loaded.later(symbol)
    return Candidate(
        signature, len(signature.parameters), 0 if later else loaded.address(symbol), later=later
    )


def _place(address: Callable[[], int], variable: Variable, waits: bool) -> Callable[[], int]:
    """Where a variable lies: asked once, or, of a thread's own, each time."""
    if variable.thread_local:
        return address
    return cache(address) if waits else partial(int, address())
