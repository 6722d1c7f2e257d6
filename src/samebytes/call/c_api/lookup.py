"""A shared library that is opened on first use, and the functions that are looked up in it one by one."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable, Sequence

from ...errors import MissingDependency, lacking
from ...forks import importing


class Symbols:
    """The functions of one library, by their slots in the compiled shims.

    Parameters
    ----------
    library : str
        A path, or a name as the dynamic linker finds it: ``"libamdhip64.so"``.
    names : sequence of str
        Linker's names, in the order of the slots.
    fill : callable
        ``fill(slot, address)`` puts an address into its slot.
    """

    def __init__(self, library: str, names: Sequence[str], fill: Callable[[int, int], None]) -> None:
        self.library = library
        self._slots = {name: slot for slot, name in enumerate(names)}
        self._fill = fill
        self._opened: ctypes.CDLL | None = None

    def __contains__(self, symbol: str) -> bool:
        return symbol in self._slots

    def find(self, symbol: str, name: str) -> None:
        """Look something up, so that it can be used; ``name`` says in words what it is: ``"f()"``.

        Raises
        ------
        MissingDependency
            If the library cannot be opened, or does not have the function.
        """
        try:
            found = self._open(name)[symbol]
        except AttributeError:
            raise MissingDependency(
                f"{self.library} has no {name}, which the header declares: header and library are of different "
                "versions"
            ) from None
        self._fill(self._slots[symbol], ctypes.cast(found, ctypes.c_void_p).value or 0)

    def _open(self, name: str) -> ctypes.CDLL:
        if self._opened is None:
            with importing:
                from ...toolchain.rocm_api import ADVICE, is_rocm, rocm_library

            try:
                self._opened = ctypes.CDLL(rocm_library(self.library), mode=os.RTLD_NOW | os.RTLD_LOCAL)
            except OSError as error:
                if why := lacking(error):
                    raise MissingDependency(f"{name} cannot be called: {why}") from None
                advice = f"{ADVICE if is_rocm(self.library) else 'install it'}, or give its path as library="
                raise MissingDependency(
                    f"{name} is in {self.library}, which cannot be opened: {error}; {advice}"
                ) from None
        return self._opened
