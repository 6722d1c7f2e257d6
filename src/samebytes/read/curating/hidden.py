"""Variables of which a library has a copy of its own: they are not what the library uses, and it is said."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ...model.module import Module, Skipped
from ...model.signature import Location
from ...toolchain import demangling
from .undefined import symbol_of


def without_hidden(module: Module, hidden: Mapping[str, str]) -> Module:
    """The module without those variables, which says so of static variables of functions, too.

    Parameters
    ----------
    hidden : mapping of str to str
        The linker's names, each with the reason.
    """
    if not hidden:
        return module
    places = {symbol_of(v): v for v in module.variables}
    home = Location(next(iter(module.included), ""), 0)
    skipped = []
    for symbol, reason in hidden.items():
        variable = places.get(symbol)
        name = variable.qualified if variable else demangling.demangled(symbol)
        place = variable.location if variable and variable.location else home
        skipped.append(Skipped(name, "variable", reason, place))
    return replace(
        module,
        variables=tuple(v for v in module.variables if symbol_of(v) not in hidden),
        skipped=(*module.skipped, *skipped),
    )
