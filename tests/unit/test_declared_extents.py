"""Array parameters with declared extents, ``int a[3]``: what has fewer elements is refused, in C and in C API style."""

from __future__ import annotations

import ctypes
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import samebytes as sb

HEADER = """
typedef int tri[3];
typedef struct { int x; } P;
static inline int sum(const int a[3]) { return a[0] + a[1] + a[2]; }
static inline int fill(int a[3]) { return a[0] = a[1] = a[2] = 7; }
static inline int rows(double a[2][3]) { return (int)(a[1][2] = 7); }
static inline int room(char name[8]) { return name[7] = 1; }
static inline int key(const char id[8]) { return id[7]; }
static inline int by_typedef(tri t) { return t[2] = 1; }
static inline int at_least(const int a[static 3]) { return a[2]; }
static inline int records(const P ps[2]) { return ps[1].x; }
static inline int one(int a[1]) { return a[0] = 7; }
static inline int open_end(int a[], int n) { return a[n] = 7; }
"""
I = np.int32  # noqa: E741

# A function, an argument, and what it gives; None: it is refused, as too short.
ROWS: list[tuple[str, Any, int | None]] = [
    ("sum", np.array([1, 2, 3], I), 6),
    ("sum", np.array([1, 2, 3, 4], I), 6),
    ("sum", np.array([[1, 2], [3, 4]], I), 6),
    ("sum", np.array([1, 2], I), None),
    ("sum", np.array([], I), None),
    ("sum", (ctypes.c_int * 3)(1, 2, 3), 6),
    ("sum", (ctypes.c_int * 2)(1, 2), None),
    ("sum", memoryview(bytes(12)).cast("i"), 0),
    ("sum", memoryview(bytes(8)).cast("i"), None),
    ("sum", sb.view(np.array([1, 2, 3], I)), 6),
    ("sum", sb.view(np.array([1, 2], I)), None),
    ("sum", sb.DeviceArray(np.array([1, 2, 3], I)), 6),
    ("sum", sb.DeviceArray(np.array([1, 2], I)), None),
    ("sum", sb.Pointer(np.array([1, 2, 3], I)), 6),
    ("sum", sb.DeviceArray(np.array([1, 2, 3], I))[1:], None),
    ("fill", np.zeros(3, I), 7),
    ("fill", np.zeros(2, I), None),
    ("rows", np.zeros((2, 3)), 7),
    ("rows", np.zeros((3, 3)), 7),
    ("rows", np.zeros((1, 3)), None),
    ("room", bytearray(8), 1),
    ("room", bytearray(7), None),
    ("key", "short", 0),
    ("key", b"12345678", ord("8")),
    ("key", b"\0" * 7 + b"x", ord("x")),
    ("by_typedef", np.zeros(3, I), 1),
    ("by_typedef", np.zeros(2, I), None),
    ("at_least", np.array([1, 2, 3], I), 3),
    ("at_least", np.array([1, 2], I), None),
    ("records", np.array([(1,), (2,)], [("x", "i4")]), 2),
    ("records", np.array([(1,)], [("x", "i4")]), None),
    ("one", np.zeros(1, I), 7),
    ("one", np.zeros(0, I), None),
]
# Lists are for C API style alone.
LISTS: list[tuple[str, Any, int | None]] = [
    ("sum", [1, 2, 3], 6),
    ("sum", [1, 2], None),
    ("sum", (), None),
    ("sum", sb.ListOfInt([1, 2, 3]), 6),
    ("sum", sb.ListOfInt([1, 2]), None),
]


@pytest.fixture(scope="module")
def header(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("extents") / "extents.h"
    path.write_text(HEADER)
    return path


@pytest.fixture(scope="module", params=["", "c_api"], ids=["plain", "c_api"])
def lib(header: Path, request: pytest.FixtureRequest) -> Any:
    return sb.bind(header, style=request.param) if request.param else sb.bind(header)


def check(lib: Any, name: str, argument: Any, expected: int | None) -> None:
    call = getattr(lib, name)
    for _ in range(2):  # the core has learned the class by the second time
        if expected is None:
            with pytest.raises(sb.ArrayError, match=r"declared|It has"):
                call(argument)
        else:
            found = call(argument)
            assert (found[0] if isinstance(found, tuple) else found) == expected


@pytest.mark.parametrize(
    ("name", "argument", "expected"), ROWS, ids=[f"{r[0]}-{i}" for i, r in enumerate(ROWS)]
)
def test_an_array_has_what_is_declared(lib: Any, name: str, argument: Any, expected: int | None) -> None:
    check(lib, name, argument, expected)


@pytest.mark.parametrize(("name", "argument", "expected"), LISTS)
def test_lists(header: Path, name: str, argument: Any, expected: int | None) -> None:
    check(sb.bind(header, style="c_api"), name, argument, expected)


def test_one_record_is_no_array_of_two(lib: Any) -> None:
    with pytest.raises(sb.ArgumentError, match="It declares 2; this is one"):
        lib.records(lib.P(1))


def test_an_open_extent_says_nothing(lib: Any) -> None:
    with pytest.raises(sb.ArrayError):
        lib.open_end(np.zeros(2, np.float64), 1)
    kept = np.zeros(2, I)
    lib.open_end(kept, 1)
    assert kept.tolist() == [0, 7]
