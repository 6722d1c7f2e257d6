"""CUDA's fat binaries: machine code and PTX for several devices in one file, and which of it a device runs."""

from __future__ import annotations

import ctypes
import importlib
import re
import struct
from collections.abc import Sequence
from functools import cache
from typing import Any

from ..errors import BindError, MissingDependency
from . import ptx
from .kernel_metadata import code_architecture

# As nvcc 12 and 13, fatbinary and nvFatbin write it; they and cuobjdump agree on what follows.
_MAGIC = 0xBA55ED50
_FILE, _ENTRY = struct.Struct("<IHHQ"), struct.Struct("<HHIQIIHHIIIQQQ")
_PTX, _CUBIN = 1, 2  # kinds of entries; the others are for linkers
_LZ4, _ZSTD = 0x2000, 0x8000  # flags of an entry: how it is compressed
_ARCHITECTURE = re.compile(r"sm_(\d+)(\d)([af]?)")


def is_fatbin(data: bytes) -> bool:
    """Whether a file's first bytes are those of a fat binary."""
    return len(data) >= 4 and struct.unpack_from("<I", data)[0] == _MAGIC


def fatbin_code(data: bytes) -> list[tuple[str, bytes]]:
    """The cubins and the PTX in a fat binary, each behind the architecture for which it is, ``sm_90``.

    Raises
    ------
    BindError
        If it is damaged.
    MissingDependency
        If its parts are compressed by zstd, and nothing here knows that.
    """
    found: list[tuple[str, bytes]] = []
    try:
        place = 0
        while place < len(data):
            magic, _, head, size = _FILE.unpack_from(data, place)
            if magic != _MAGIC:
                raise ValueError(f"no header at byte {place}")
            place, end = place + head, place + head + size
            if end > len(data):
                raise ValueError(f"it ends at byte {len(data)}, and its header says {end}")
            while place < end:
                kind, _, head, size, packed, _, _, _, _, _, _, flags, _, length = _ENTRY.unpack_from(
                    data, place
                )
                if head < _ENTRY.size or place + head + size > end:
                    raise ValueError(f"an entry of {head} and {size} bytes at byte {place}")
                if kind in (_PTX, _CUBIN):
                    code = _unpacked(data[place + head : place + head + (packed or size)], flags, length)
                    code = code.rstrip(b"\0") if kind == _PTX else code
                    found.append((code_architecture(code), code))
                place += head + size
    except (struct.error, ValueError, IndexError) as error:
        raise BindError(f"the fat binary is damaged: {error}") from error
    return [(architecture, code) for architecture, code in found if architecture]


def rank(architecture: str, data: bytes, device: str) -> tuple[int, ...]:
    """How well code for an architecture is for a device's: the larger, the better; empty: it does not run there.

    Machine code runs on devices of its major version from its minor one on, PTX on all later ones; what is for one
    architecture (``sm_90a``) on that alone (CUDA C++ Programming Guide, "Compute Capability Compatibility").
    """
    own, there = _ARCHITECTURE.fullmatch(architecture), _ARCHITECTURE.fullmatch(device)
    if own is None or there is None:  # of AMD's, code runs on its very own
        return (1,) if architecture == device else ()
    mine, its = (int(own[1]), int(own[2])), (int(there[1]), int(there[2]))
    text = ptx.is_ptx(data)
    if mine > its or (own[3] == "a" and mine != its) or ((own[3] or not text) and mine[0] != its[0]):
        return ()
    return (int(not text), *mine, len(own[3]))


def chosen_code(images: Sequence[tuple[str, bytes]], device: str) -> bytes:
    """The best of several for a device; empty: none of them runs there."""
    ranked = [(rank(architecture, code, device), code) for architecture, code in images]
    best = max(ranked, key=lambda one: one[0], default=((), b""))
    return best[1] if best[0] else b""


def _unpacked(data: bytes, flags: int, size: int) -> bytes:
    if flags & _ZSTD:
        return _of_zstd(data, size)
    return _of_lz4(data, size) if flags & _LZ4 else data


def _of_lz4(data: bytes, size: int) -> bytes:
    """A block as LZ4's description of its format has it: literals, and matches of what is there already."""
    made, place = bytearray(), 0

    def length(first: int) -> int:
        nonlocal place
        more = 255 if first == 15 else 0
        while more == 255:
            more = data[place]
            first, place = first + more, place + 1
        return first

    while place < len(data):
        token = data[place]
        place += 1
        count = length(token >> 4)
        made += data[place : place + count]
        place += count
        if place >= len(data):  # the last sequence is literals alone
            break
        (back,) = struct.unpack_from("<H", data, place)
        place += 2
        if not 0 < back <= len(made):
            raise ValueError(f"a match {back} bytes before byte {len(made)}")
        for _ in range(length(token & 15) + 4):
            made.append(made[-back])
    if len(made) != size:
        raise ValueError(f"{len(made)} bytes, and it says {size}")
    return bytes(made)


def _of_zstd(data: bytes, size: int) -> bytes:
    try:
        made: bytes = importlib.import_module("compression.zstd").decompress(data)  # Python's own since 3.14
    except ImportError:
        made = _by_libzstd(data, size)
    if len(made) != size:
        raise ValueError(f"{len(made)} bytes, and it says {size}")
    return made


def _by_libzstd(data: bytes, size: int) -> bytes:
    room = ctypes.create_string_buffer(max(size, 1))
    count = _libzstd().ZSTD_decompress(room, ctypes.c_size_t(size), data, ctypes.c_size_t(len(data)))
    return room.raw[:count] if count <= size else b""


@cache
def _libzstd() -> Any:
    try:
        library = ctypes.CDLL("libzstd.so.1")
    except OSError:
        raise MissingDependency(
            "the fat binary is compressed by zstd: install libzstd1, or write it with nvcc --compress-mode=none"
        ) from None
    library.ZSTD_decompress.restype = ctypes.c_size_t
    return library
