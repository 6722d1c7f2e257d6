"""A module that is compiled and loaded: all that its Python objects are made from."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING, Any

from ...call.c_api.api import PLAIN, Api
from ...call.gil import Nogil
from ...forks import importing
from ...frozen import frozen
from ...model.module import Module
from ...model.symbols import LATER
from ..backends import Loaded
from .linker import Linker

if TYPE_CHECKING:
    from ...call.c_api.lookup import Symbols


@frozen
class LoadedModule:
    """A compiled module, and how its functions are called.

    Attributes
    ----------
    name : str
        The library's name, the ``__module__`` of its functions.
    module : Module
        What its header declares.
    loaded : Loaded
        Its shims.
    linker : Linker
        Its classes.
    nogil : callable
        Whether a function, by its qualified name, releases the GIL; or "auto".
    reduce : callable
        How a function, by its qualified name, is pickled.
    dialect : str
        Whose bytes its functions take.
    api : Api
        When its functions are made, and what becomes of their results.
    eager : bool
        Whether all functions are made at once: Numba knows them as objects, and who overrides takes them out.
    """

    name: str
    module: Module
    loaded: Loaded
    linker: Linker
    nogil: Callable[[str], Nogil]
    reduce: Callable[[str], tuple[Any, ...]]
    dialect: str
    api: Api = PLAIN
    eager: bool = False


def releases(nogil: Nogil | Collection[str]) -> Callable[[str], Nogil]:
    """Whether a function, by its qualified name, releases the GIL: all or none, those of some names, or by its code."""
    if isinstance(nogil, bool | str):
        return lambda name: nogil
    return lambda name: name in nogil or name.rpartition("::")[2] in nogil


def symbols(library: str | None, names: Sequence[str], loaded: Loaded) -> Symbols | None:
    """The functions that a compiled library leaves to another one, which is opened on first use; None without any."""
    if not library or not names:
        return None
    with importing:  # most libraries are linked with what they need
        from ...call.c_api.lookup import Symbols

    return Symbols(library, names, loaded.slots(LATER, len(names)))
