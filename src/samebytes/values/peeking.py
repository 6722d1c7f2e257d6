"""Texts that a repr shows: memory that may be gone is asked for, and not read."""

from __future__ import annotations

import ctypes
import os
import sys
from functools import cache
from typing import Any

MOST = 4096
_ORDER = "le" if sys.byteorder == "little" else "be"
_ENCODINGS = {
    1: ("utf-8", "surrogateescape"),
    2: (f"utf-16-{_ORDER}", "replace"),  # the last may be cut in two
    4: (f"utf-32-{_ORDER}", "replace"),
}
_PAGE = 4096


class _Piece(ctypes.Structure):
    _fields_ = (("base", ctypes.c_void_p), ("size", ctypes.c_size_t))


@cache
def _read() -> Any:
    read = ctypes.CDLL(None, use_errno=True).process_vm_readv
    read.restype = ctypes.c_ssize_t
    place, count = ctypes.c_void_p, ctypes.c_ulong
    read.argtypes = [ctypes.c_int, place, count, place, count, count]
    return read


def peek(address: int, size: int | None = None, unit: int = 1) -> bytes | None:
    """The bytes at an address, at most ``MOST`` of them; None if they are not there, or the system does not say.

    Parameters
    ----------
    size : int, optional
        How many; without it, all up to a NUL.
    unit : int
        The bytes of a character, and so of a NUL.
    """
    most, found = MOST if size is None else min(size, MOST), b""
    while len(found) < most:
        step = min(most - len(found), _PAGE - (address + len(found)) % _PAGE)
        piece = _piece(address + len(found), step)
        if piece is None:
            return None
        found += piece
        if size is None and (end := _end(found, len(found) - len(piece), unit)) >= 0:
            return found[:end]
    return found


def _end(data: bytes, start: int, unit: int) -> int:
    """Where a NUL lies, of those that begin at a character from about ``start`` on; negative: nowhere."""
    at = data.find(bytes(unit), max(start - unit, 0))
    while at >= 0 and at % unit:
        at = data.find(bytes(unit), at + 1)
    return at


def _piece(address: int, size: int) -> bytes | None:
    room = ctypes.create_string_buffer(size)
    here, there = _Piece(ctypes.addressof(room), size), _Piece(address, size)
    done = _read()(os.getpid(), ctypes.byref(here), 1, ctypes.byref(there), 1, 0)
    return room.raw if done == size else None


def text_shown(address: int, size: int | None = None, unit: int = 1) -> str:
    """What a repr writes for a text: as ``str``, or of so many bytes as ``bytes``."""
    if not address:
        return "None"
    found = peek(address, size, unit)
    if found is None:
        return f"<text at {address:#x}, which cannot be read>"
    more = "…" * (len(found) == MOST)
    return repr(found.decode(*_ENCODINGS[unit]) if size is None else found) + more
