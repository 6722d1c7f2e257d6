"""zlib from its own header: buffers, its stream struct, allocators that are Python's; compared with Python's zlib."""

from __future__ import annotations

import ctypes
import zlib
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import samebytes as sb

pytestmark = pytest.mark.filterwarnings("ignore::samebytes.BindWarning")

DATA = b"the quick brown fox jumps over the lazy dog. " * 200


@pytest.fixture(scope="module")
def lib(needs: Callable[[str, str], None]) -> Any:
    needs("zlib.h", "zlib1g-dev", "z")
    return sb.bind("zlib.h", libraries=["z"], defines=["ZLIB_CONST"])  # its inputs are const, then


def test_checksums(lib: Any) -> None:
    assert lib.crc32(0, DATA, len(DATA)) == zlib.crc32(DATA)
    assert lib.adler32(1, DATA, len(DATA)) == zlib.adler32(DATA)
    assert lib.zlibVersion() == zlib.ZLIB_RUNTIME_VERSION


def test_whole_buffers(lib: Any) -> None:
    out = np.zeros(lib.compressBound(len(DATA)), np.uint8)
    length = np.array([out.size], np.uint64)
    assert lib.compress(out, length, DATA, len(DATA)) == lib.Z_OK
    assert zlib.decompress(out[: length[0]].tobytes()) == DATA
    back = np.zeros(len(DATA), np.uint8)
    length[0] = back.size
    assert lib.uncompress(back, length, zlib.compress(DATA), len(zlib.compress(DATA))) == lib.Z_OK
    assert back.tobytes() == DATA


def test_a_stream_in_pieces(lib: Any) -> None:
    stream = lib.z_stream()
    assert lib.deflateInit_(stream, 9, lib.ZLIB_VERSION, lib.z_stream.c_sizeof()) == lib.Z_OK
    piece, found = np.zeros(64, np.uint8), b""
    stream.next_in, stream.avail_in = DATA, len(DATA)
    status = lib.Z_OK
    while status != lib.Z_STREAM_END:
        stream.next_out, stream.avail_out = piece, piece.size
        status = lib.deflate(stream, lib.Z_FINISH)
        found += piece[: piece.size - stream.avail_out].tobytes()
    assert stream.total_in == len(DATA)
    assert stream.total_out == len(found)
    assert lib.deflateEnd(stream) == lib.Z_OK
    assert zlib.decompress(found) == DATA


def test_allocators_from_python(lib: Any) -> None:
    held: dict[int, Any] = {}
    freed = []

    def allocate(opaque: Any, items: int, size: int) -> Any:
        block = ctypes.create_string_buffer(items * size)
        held[ctypes.addressof(block)] = block
        return sb.Pointer(ctypes.addressof(block))

    def release(opaque: Any, address: Any) -> None:
        freed.append(held.pop(int(address)))

    stream = lib.z_stream(zalloc=allocate, zfree=release)
    assert lib.inflateInit_(stream, lib.ZLIB_VERSION, lib.z_stream.c_sizeof()) == lib.Z_OK
    assert held
    packed, back = zlib.compress(DATA), np.zeros(len(DATA), np.uint8)
    stream.next_in, stream.avail_in = packed, len(packed)
    stream.next_out, stream.avail_out = back, back.size
    assert lib.inflate(stream, lib.Z_FINISH) == lib.Z_STREAM_END
    assert back.tobytes() == DATA
    assert lib.inflateEnd(stream) == lib.Z_OK
    assert not held
    assert freed


def test_a_failing_allocator(lib: Any) -> None:
    def fails(opaque: Any, items: int, size: int) -> Any:
        raise MemoryError("not today")

    stream = lib.z_stream(zalloc=fails, zfree=lambda opaque, address: None)
    with pytest.raises(MemoryError, match="not today"):
        lib.inflateInit_(stream, lib.ZLIB_VERSION, lib.z_stream.c_sizeof())
