"""Lists of a kernel's arguments: the core packs them as LaunchExtra and KernelParams do, and leaves them the rest."""

from __future__ import annotations

import ctypes
import random
import subprocess
from typing import Any

import numpy as np
import pytest

import samebytes as sb

HEADER = """\
#include <stddef.h>
int use_extra(void** extra);
int use_params(void** kernelParams, const size_t* in_data, int num_data);
size_t kept(void* to);
"""
SOURCE = """\
#include "launch.h"
#include <string.h>
static unsigned char block[4096];
static size_t size;
int use_extra(void** extra) {
  if ((size_t)extra[0] != 1 || (size_t)extra[2] != 2 || (size_t)extra[4] != 3 || (size_t)extra[1] % 16) return 1;
  return memcpy(block, extra[1], size = *(size_t*)extra[3]), 0;
}
int use_params(void** kernelParams, const size_t* in_data, int num_data) {
  size = 0;
  for (int i = 0; i < num_data; ++i) {
    memcpy(block + size, kernelParams[i], in_data[i]);
    size += in_data[i];
  }
  return 0;
}
size_t kept(void* to) { return memcpy(to, block, size), size; }
"""


class Pair(ctypes.Structure):
    _fields_ = (("a", ctypes.c_short), ("b", ctypes.c_double))


LOCKED = np.arange(6.0)
LOCKED.flags.writeable = False
ARRAY = np.arange(6.0)
GRID = np.arange(12.0).reshape(3, 4)

# Each is taken, or refused, by itself; None stands for the address 0.
NUMBERS: list[Any] = [
    *(kind(3) for kind in (ctypes.c_byte, ctypes.c_ushort, ctypes.c_int, ctypes.c_uint, ctypes.c_long)),
    ctypes.c_ulonglong(1 << 63), ctypes.c_float(1.5), ctypes.c_double(2.5), ctypes.c_bool(True), ctypes.c_char(b"x"),
    *(kind(3) for kind in (np.int8, np.uint16, np.int32, np.int64, np.float16, np.float32, np.float64, np.bool_)),
    np.complex64(1 + 2j), np.complex128(3 - 4j), np.uint64((1 << 64) - 1),
]  # fmt: skip
ADDRESSES: list[Any] = [
    None, 0, 1 << 40, (1 << 64) - 1, sb.Pointer(77), sb.Pointer(ARRAY), ARRAY, GRID, sb.view(ARRAY),
    sb.ListOfInt([1, 2]),
    sb.DeviceArray(ARRAY), sb.DeviceArray(55), np.empty(0, np.int32), bytearray(8),
]  # fmt: skip
OTHERS: list[Any] = [
    ctypes.c_void_p(99), ctypes.pointer(ctypes.c_int(3)), Pair(3, 4.5), np.longlong(5),
    sb.vector("float32", 2)(1.0, 2.0), np.array([(1, 2.0)], dtype=[("a", "i2"), ("b", "f8")])[0],
    True, 1.5, 1j, "text", b"bytes", -1, 1 << 64, [1], (), object(), LOCKED, GRID.T, GRID[:, ::2],
    np.array(1.5), np.array([None]), (ctypes.c_int * 2)(1, 2), np.datetime64("2020-01-01"), memoryview(b"bytes"),
]  # fmt: skip


@pytest.fixture(scope="module")
def lib(tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder = tmp_path_factory.mktemp("launch")
    (folder / "launch.h").write_text(HEADER)
    (folder / "launch.c").write_text(SOURCE)
    made = folder / "liblaunch.so"
    subprocess.run(["gcc", "-shared", "-fPIC", "-o", made, folder / "launch.c"], check=True)
    return sb.bind(folder / "launch.h", library=made, style="c_api")


def _kept(lib: Any) -> bytes:
    room = bytearray(4096)
    return bytes(room[: lib.kept(room)])


def _check(lib: Any, arguments: list[Any]) -> None:
    try:
        expected = sb.LaunchExtra(arguments)
    except sb.Error as error:
        with pytest.raises(type(error)):
            lib.use_extra(arguments)
        with pytest.raises(type(error)):
            lib.use_params(arguments, [], 0)
        return
    for given in (arguments, tuple(arguments)):
        assert lib.use_extra(given) == 0
        assert _kept(lib) == expected.data, arguments
        assert lib.use_params(given, list(expected.sizes), len(arguments)) == 0
        assert _kept(lib) == b"".join(a.data for a in expected.arguments), arguments


@pytest.mark.parametrize("kind", [NUMBERS, ADDRESSES, OTHERS], ids=["numbers", "addresses", "others"])
def test_each_argument(lib: Any, kind: list[Any]) -> None:
    _check(lib, [])
    for argument in kind:
        _check(lib, [argument])
        _check(lib, [ctypes.c_byte(1), argument, ctypes.c_byte(2)])


def test_any_arguments(lib: Any) -> None:
    dice = random.Random(7)
    for _ in range(300):
        _check(lib, [dice.choice(NUMBERS + ADDRESSES) for _ in range(dice.randint(1, 12))])
