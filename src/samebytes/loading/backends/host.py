"""The host: shared libraries of the running process, loaded locally and never unloaded."""

from __future__ import annotations

import ctypes
import os
import re
from collections.abc import Callable, Sequence

from ...errors import BindError, lacking
from ...forks import importing
from .base import Backend, Loaded

# The names of runtimes that a process must have from its start.
_SANITIZED = re.compile(rb"lib[at]san\.so")
# How the names of libraries end in the bytes of one that needs them.
_NAME_END = re.compile(rb"\.so[.\d]*\0")
_LONGEST_NAME = 255  # bytes: NAME_MAX
# Most libraries need no others than these: for them nothing more is loaded, and nothing looked at.
_EVERYWHERE = re.compile(rb"(?:lib(?:c|m|dl|rt|pthread|stdc\+\+|c\+\+|gcc_s)|ld-linux[-\w]*)\.so")


class HostLibrary(Loaded):
    """A shared library; ctypes never closes it, so addresses stay valid."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = path
        _refuse_unloadable(path)
        try:
            # RTLD_LOCAL keeps a user's `gamma` from standing in for libm's, and the other way round.
            self._library = ctypes.CDLL(str(path), mode=os.RTLD_NOW | os.RTLD_LOCAL)
        except OSError as error:
            raise BindError(f"the library cannot be loaded: {lacking(error) or error}") from error

    def address(self, symbol: str) -> int:
        try:
            function = getattr(self._library, symbol)
        except AttributeError:
            raise BindError(f"{self.path} exports no symbol {symbol!r}") from None
        return ctypes.cast(function, ctypes.c_void_p).value or 0

    def has(self, symbol: str) -> bool:
        return hasattr(self._library, symbol)

    def table(self, symbol: str, count: int) -> tuple[int, ...]:
        entries = (ctypes.c_void_p * count).in_dll(self._library, symbol)
        return tuple(entry or 0 for entry in entries)

    def slots(self, symbol: str, count: int) -> Callable[[int, int], None]:
        return (ctypes.c_void_p * count).in_dll(self._library, symbol).__setitem__

    def call(self, symbol: str, arguments: Sequence[bytearray]) -> None:
        blocks = [(ctypes.c_char * len(a)).from_buffer(a) for a in arguments]
        table = (ctypes.c_void_p * max(len(blocks), 1))(*(ctypes.addressof(b) for b in blocks))
        function = getattr(self._library, symbol)
        function.restype = None
        function(ctypes.byref(table))


def _refuse_unloadable(path: str | os.PathLike[str]) -> None:
    """Raise for a library that would end the process, or call functions of another than it was linked with.

    A sanitizer ends the process and says nothing that Python sees; of two libraries of one name the linker takes the
    first for both.

    Raises
    ------
    BindError
        With what to do.
    """
    try:
        with open(path, "rb") as file:
            text = file.read()
    except OSError:
        return  # loading it says why
    why = ""
    with importing:  # few libraries need either
        if _SANITIZED.search(text):
            from ...toolchain.sanitizers import missing_runtime

            why = missing_runtime(os.fspath(path))
        if not why and _names_further(text):
            from ...toolchain.namesakes import other_of_its_name

            why = other_of_its_name(path)
    if why:
        raise BindError(f"the library cannot be loaded: {why}")


def _names_further(text: bytes) -> bool:
    """Whether a library may need others than those that every process has."""
    for found in _NAME_END.finditer(text):
        start = text.rfind(b"\0", max(0, found.start() - _LONGEST_NAME), found.start()) + 1
        if not _EVERYWHERE.match(text, start):
            return True
    return False


class HostBackend(Backend):
    """The host's own processor."""

    name = "host"

    def load(self, library: str | os.PathLike[str]) -> HostLibrary:
        return HostLibrary(library)


BACKEND = HostBackend()
