"""What the core takes for an address by itself is what Python's rule makes of it, for every kind of pointer."""

from __future__ import annotations

import array
import ctypes
import enum
import struct
import subprocess
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import samebytes as sb

# A pointer by value, as a C API declares it; what lies there comes back.
PARAMETERS = {
    "voids": "void*",
    "const_voids": "const void*",
    "floats": "float*",
    "const_floats": "const float*",
    "const_doubles": "const double*",
    "ints": "int*",
    "const_ints": "const int*",
    "const_unsigneds": "const unsigned*",
    "const_longs": "const long*",
    "const_sizes": "const size_t*",
    "const_bools": "const _Bool*",
    "pairs": "Pair*",
    "const_pairs": "const Pair*",
    "handles": "Handle",
    "const_texts": "const char* const*",
    "const_addresses": "const void* const*",
    "callbacks": "Callback",
}
HEADER = (
    """\
#include <stddef.h>
#include <stdint.h>
typedef struct Pair { float a, b; } Pair;
typedef struct Hidden* Handle;
typedef struct Other* OtherHandle;
typedef int (*Callback)(int);
#ifdef __cplusplus
extern "C" {
#endif
int use_other(OtherHandle other);
"""
    + "".join(f"int64_t {name}({type_} in_data, int shows);\n" for name, type_ in PARAMETERS.items())
    + "\n"
)
SOURCE = """\
#include "address.h"
#include <string.h>
int use_other(OtherHandle other) { return other != 0; }
static int64_t peek(const void* place) { uint32_t found; memcpy(&found, place, 4); return found; }
""" + "".join(
    f"int64_t {name}({type_} in_data, int shows) {{ return !in_data ? -1 : "
    "shows ? peek((const void*)(intptr_t)in_data) : -2; }\n" for name, type_ in PARAMETERS.items()
)  # fmt: skip


class OwnPointer(sb.Pointer):
    """Of no class that the core knows."""


class OwnInt(int):
    """An int that may mean something else."""


class OtherInt(int):
    """An int whose value is said by a method."""

    def __int__(self) -> int:
        return 16

    def __index__(self) -> int:
        return 16


class Place(enum.IntEnum):
    """Where nothing is."""

    HERE = 0


WORDS = np.arange(4, dtype=np.int64) + 0x0102030405060708
FLOATS = np.linspace(1, 2, 8, dtype=np.float32)
LOCKED = np.arange(6.0)
LOCKED.flags.writeable = False
HELD = bytearray(range(64))


def _objects(lib: Any) -> dict[str, Any]:
    grid = np.arange(24.0).reshape(4, 6)
    return {
        "None": None,
        "an address": WORDS.ctypes.data,
        "0": 0,
        "-1": -1,
        "2**64": 1 << 64,
        "2**64 - 1": (1 << 64) - 1,
        "True": True,
        "an int of another class": OwnInt(WORDS.ctypes.data),
        "np.int64": np.int64(WORDS.ctypes.data),
        "np.uint64": np.uint64(WORDS.ctypes.data),
        "np.int8(-1)": np.int8(-1),
        "np.uint8(0)": np.uint8(0),
        "np.bool": np.True_,
        "an int with another value": OtherInt(WORDS.ctypes.data),
        "IntEnum": Place.HERE,
        "1.5": 1.5,
        "1e300": 1e300,
        "nan": float("nan"),
        "1j": 1j,
        "np.float32": np.float32(2.5),
        "np.float64": np.float64(2.5),
        "text": "text of some length",
        "bytes": b"bytes of some length",
        "bytearray": HELD,
        "memoryview": memoryview(HELD),
        "read-only memoryview": memoryview(bytes(HELD)),
        "memoryview with gaps": memoryview(HELD)[::2],
        "array.array": array.array("f", [1, 2, 3]),
        "Pointer": sb.Pointer(WORDS),
        "null Pointer": sb.Pointer(),
        "own Pointer": OwnPointer(WORDS),
        "handle": lib.Hidden(WORDS.ctypes.data),
        "other handle": lib.Other(WORDS.ctypes.data),
        "callback": lib.Callback(int),
        "record": lib.Pair(1.0, 2.0),
        "int64": WORDS,
        "float32": FLOATS,
        "float64": np.arange(6.0),
        "float64, big-endian": np.arange(6.0).astype(">f8"),
        "complex64": np.arange(6).astype(np.complex64),
        "bool": np.array([True] * 8),
        "datetime64": np.array(["2020-01-01"] * 3, dtype="M8[D]"),
        "str": np.array(["ab", "cd", "ef"]),
        "objects": np.array([None, 1, "x"], dtype=object),
        "structured": np.zeros(4, dtype=[("a", "f4"), ("b", "f4")]),
        "read-only": LOCKED,
        "in Fortran's order": np.asfortranarray(grid),
        "with gaps": grid[:, ::2],
        "empty": np.empty(0, np.float32),
        "of no dimension": np.array(1.5, dtype=np.float32),
        "float32, not aligned": np.frombuffer(bytearray(41), np.float32, 10, 1),
        "view": sb.view(FLOATS),
        "DeviceArray": sb.DeviceArray(FLOATS),
        "DeviceArray, int64": sb.DeviceArray(WORDS),
        "DeviceArray of bytes": sb.DeviceArray(HELD),
        "DeviceArray, read-only": sb.DeviceArray(FLOATS).configure(read_only=True),
        "bytes, read-only": sb.DeviceArray(HELD).configure(read_only=True),
        "DeviceArray with gaps": sb.DeviceArray(FLOATS)[::2],
        "address alone": sb.DeviceArray(WORDS.ctypes.data),
        "c_float": ctypes.c_float(2.5),
        "c_int": ctypes.c_int(7),
        "c_void_p": ctypes.c_void_p(WORDS.ctypes.data),
        "c_float[4]": (ctypes.c_float * 4)(1, 2, 3, 4),
        "pointer(c_float)": ctypes.pointer(ctypes.c_float(2.5)),
        "null pointer": ctypes.POINTER(ctypes.c_float)(),
        "pointer(c_int64)": ctypes.pointer(ctypes.c_int64(7)),
        "c_char_p": ctypes.c_char_p(b"text of some length"),
        "null c_void_p": ctypes.c_void_p(),
        "byref(c_int)": ctypes.byref(ctypes.c_int(7)),
        "byref(c_float)": ctypes.byref(ctypes.c_float(2.5)),
        "byref(c_float, 4)": ctypes.byref((ctypes.c_float * 3)(1, 2, 3), 4),
        "what c_char_p is passed as": ctypes.c_char_p.from_param(b"text of some length"),
        "[]": [],
        "[1, 2, 3]": [1, 2, 3],
        "(1, 2)": (1, 2),
        "[-1]": [-1, 2],
        "[2**40]": [1 << 40, 2],
        "[2**70]": [1 << 70, 2],
        "[1.5]": [1.5, 2.5],
        "[True]": [True, False],
        "[np.int32]": [np.int32(5), 6],
        "[None]": [None, None],
        "[bytes]": [b"one", None, b"two"],
        "[text]": ["one", "two"],
        "[addresses]": [WORDS.ctypes.data, 0, 5],
        "[pointers]": [sb.Pointer(WORDS), None, sb.Pointer(3), OwnPointer(9)],
        "[arrays]": [WORDS, FLOATS],
        "[ListOfInt]": sb.ListOfInt([1, 2, 3]),
        "[[1]]": [[1]],
        "object": object(),
    }  # fmt: skip


# Where nothing may be read, or other memory each time.
UNREAD = {"[bytes]", "[arrays]", "[]", "empty", "2**64 - 1"}


@pytest.fixture(scope="module")
def lib(tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder = tmp_path_factory.mktemp("address")
    (folder / "address.h").write_text(HEADER + "#ifdef __cplusplus\n}\n#endif\n")
    (folder / "address.c").write_text(SOURCE)
    made = folder / "libaddress.so"
    subprocess.run(["gcc", "-shared", "-fPIC", "-o", made, folder / "address.c"], check=True)
    return sb.bind(folder / "address.h", library=made, style="c_api")


def _called(function: Callable[..., Any], obj: Any, shows: bool) -> Any:
    try:
        return function(obj, int(shows))
    except (sb.Error, ValueError, TypeError) as error:
        return type(error)


def _expected(made: tuple[bytes, Any] | None, shows: bool) -> int | None:
    """What C sees of a conversion of Python's; None: it refuses."""
    if made is None:
        return None
    address = struct.unpack("P", made[0])[0]
    seen = struct.unpack("I", ctypes.string_at(address, 4))[0] if address and shows else -2
    return seen if address else -1


@pytest.mark.parametrize("name", PARAMETERS)
def test_as_python_has_it(lib: Any, name: str) -> None:
    function = getattr(lib, name)
    convert = function.__self__.fallback
    for words, obj in _objects(lib).items():
        shows = words not in UNREAD
        expected = _expected(convert(0, 0, obj), shows)
        first, second = (_called(function, obj, shows) for _ in range(2))
        assert first == second, (words, first, second)
        assert isinstance(first, type) if expected is None else first == expected, (words, first, expected)
