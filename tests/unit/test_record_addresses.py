"""What stands for the address of records, and what Python could make an address of and C could not use."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import pytest

import samebytes as sb

SOURCE = """
#include <stddef.h>
typedef struct hidden_s *hidden;
typedef struct { int x, y; const char *name; } point;
typedef struct { point first; int more; } line;
typedef struct { const point *points; int n; } path;
enum kind { KIND_A = 8 };
static inline int sum(const point *p, int n) { int s = 0; for (int i = 0; i < n; ++i) s += p[i].x * p[i].y; return s; }
static inline int last(const path *p) { return p->points[p->n - 1].name[0]; }
static inline int two(const point p[2]) { return p[0].x + p[1].x; }
static inline int bump(point *p, int n) { return ++p[n - 1].x; }
static inline int places(hidden *handles, int n) { return handles != 0; }
static inline int names(const char **t, int n) { return t != 0; }
static inline int use(hidden h) { return h != 0; }
static inline int call(int (*f)(int)) { return f != 0; }
static inline int cookie(void *p) { return p == (void *)8; }
"""


@pytest.fixture(scope="module", params=[{}, {"style": "c_api"}], ids=["plain", "c_api"])
def lib(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    header = tmp_path_factory.mktemp("addresses") / "points.h"
    header.write_text(SOURCE)
    return sb.bind(header, language="c", name="points", **request.param)


def _one(result: Any) -> Any:
    return result[0] if isinstance(result, tuple) else result


def test_several_records_where_c_reads_them(lib: Any) -> None:
    for _ in range(2):
        assert _one(lib.sum([lib.point(1, 2), lib.point(3, 4)], 2)) == 14
        assert _one(lib.sum([(1, 2, "a"), (3, 4, None)], 2)) == 14
        assert _one(lib.sum([], 0)) == 0
        assert _one(lib.two([lib.point(1), lib.point(4)])) == 5
        assert _one(lib.sum((5, 6, None), 1)) == 30  # one by its fields


def test_several_records_in_a_field_live_with_it(lib: Any) -> None:
    path = lib.path(points=[lib.point(name="a"), (0, 0, "".join(["z", "ebra"]))], n=2)
    assert _one(lib.last(path)) == ord("z")
    path.points = [lib.point(name="".join(["b", "ee"]))] * 2
    assert _one(lib.last(path)) == ord("b")
    assert path.points.name == "bee"


REFUSED: dict[str, tuple[str, Any, str]] = {
    "one that is none": (
        "sum",
        lambda lib: ([lib.point(1, 2), 5], 2),
        r"argument 1 'p\[1\]': expected point",
    ),
    "too few": ("two", lambda lib: ([lib.point()],), "It has 1, and 2 are declared"),
    "to be written to": (
        "bump",
        lambda lib: ([lib.point()], 1),
        r"sb.Pointer\(bytearray\(1 \* point.c_sizeof\(\)\)\)",
    ),
    "a record of another class": ("bump", lambda lib: (lib.line(), 1), r"point.fromObj\(x\)"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_refused(lib: Any, case: str) -> None:
    name, given, words = REFUSED[case]
    for _ in range(2):
        with pytest.raises(sb.Error, match=words):
            getattr(lib, name)(*given(lib))


def test_casts_and_memory(lib: Any) -> None:
    line = lib.line(first=(4, 5, None))
    assert _one(lib.bump(lib.point.fromObj(line), 1)) == 5
    assert line.first.x == 5
    memory = bytearray(2 * lib.point.c_sizeof())
    lib.point.fromObj(memoryview(memory)[lib.point.c_sizeof() :]).x = 7
    assert _one(lib.bump(lib.point.fromObj(memory), 2)) == 8


NO_ADDRESSES: dict[str, Any] = {
    "an enumerator": lambda lib: lib.KIND_A,
    "Python objects": lambda lib: np.array([None]),
    "four bytes": lambda lib: np.zeros(1, "i4"),
    "three bytes": lambda lib: bytearray(3),
    "a c_int": lambda lib: ctypes.c_int(8),
}


@pytest.mark.parametrize("name", ["places", "names"])
@pytest.mark.parametrize("case", NO_ADDRESSES)
def test_what_is_no_place_of_addresses(lib: Any, name: str, case: str) -> None:
    for _ in range(2):
        with pytest.raises(sb.Error, match=rf"{name}\(\) argument 1"):
            getattr(lib, name)(NO_ADDRESSES[case](lib), 1)


@pytest.mark.parametrize("case", ["an enumerator", "Python objects"])
@pytest.mark.parametrize("name", ["use", "call"])
def test_what_is_no_address(lib: Any, name: str, case: str) -> None:
    with pytest.raises(sb.Error, match=rf"{name}\(\) argument 1"):
        getattr(lib, name)(NO_ADDRESSES[case](lib))


def test_what_is_one_in_the_c_api_style(tmp_path: Any) -> None:
    header = tmp_path / "points.h"
    header.write_text(SOURCE)
    lib: Any = sb.bind(header, style="c_api", name="points_of_c")
    assert lib.cookie(lib.KIND_A) == lib.cookie(8) == 1  # void*: whatever the caller means
    for place in (np.zeros(1, np.uintp), bytearray(8), ctypes.c_size_t(), [None], [], None):
        assert lib.places(place, 1) in (1, 0)
