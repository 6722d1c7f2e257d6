"""What stands for a parameter in Python's call stands for it in compiled code: each row is called from both."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from tests.tables import each

import samebytes as sb

numba = pytest.importorskip("numba", reason="Numba is not installed")

pytestmark = pytest.mark.full

SOURCE = """
#include <samebytes/vector.hpp>
#include <array>
enum class Col : short { red = -1, green = 2 };
enum Plain : unsigned { zero, many = 7 };
struct P { int a; double b; };
struct N { P p; unsigned low : 3; unsigned high : 5; short v[3]; };
using F4 = samebytes::float32x4;
using half = samebytes::float16;
using small = samebytes::float8e4m3;
inline double i8(signed char x) { return x; }
inline double u32(unsigned x) { return x; }
inline double i64(long long x) { return x; }
inline double f32(float x) { return x; }
inline double f64(double x) { return x; }
inline bool truth(bool x) { return x; }
inline double f16(half x) { return *(const unsigned short*)&x; }
inline double e4m3(small x) { return *(const unsigned char*)&x; }
inline double col(Col x) { return int(x); }
inline double cref_col(const Col& x) { return int(x); }
inline double one_f64(const double* x) { return x ? *x : -1; }
inline double one_i16(const short* x) { return x ? *x : -1; }
inline double one_P(const P* x) { return x ? x->a + x->b : -1; }
inline double p_f64(double* x) { return x ? x[1] : -1; }
inline double p_i32(int* x) { return x ? x[1] : -1; }
inline double ref_P(P& x) { x.a += 1; return x.a + x.b; }
inline double by_P(P x) { return x.a * 10 + x.b; }
inline double by_N(N x) { return x.p.a + x.p.b + 8 * x.low + 16 * x.high + x.v[0] + 2 * x.v[1] + 4 * x.v[2]; }
inline double c_array(const float (&x)[2][3]) {
  double s = 0;
  for (auto& row : x)
    for (float v : row) s = 3 * s + v;
  return s;
}
inline double s_array(std::array<int, 3> x) { return x[0] + 10 * x[1] + 100 * x[2]; }
inline double f4(F4 x) { return x.x + 10 * x.y + 100 * x.z + 1000 * x.w; }
struct A { short v[3]; float f[2]; unsigned char m[2][2]; };
inline double total(const A& a) { return a.v[0] + a.v[1] + a.v[2] + a.f[0] + a.f[1] + a.m[0][0] + a.m[1][0]; }
inline double which(double) { return 1; }
inline double which(const double*) { return 2; }
inline double which_enum(double) { return 1; }
inline double which_enum(Col) { return 2; }
"""


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(SOURCE, name="arguments_compiled", target="numba", std="c++20")


_GRID = np.arange(12, dtype="f4").reshape(3, 4)
_PAIRS = np.array([(1, 2.5), (3, 4.5)], np.dtype([("a", "i4"), ("b", "f8")], align=True))
ZERO_D = tuple(
    (name, lambda lib, value=value: np.array(value))
    for name in ("i8", "u32", "i64", "f32", "f64", "truth", "f16", "e4m3", "col", "cref_col")
    for value in (
        np.int8(-1), np.uint32(7), np.int64(300), np.uint64(2**63), np.float16(0.5), np.float32(1.25), np.float64(0.1),
        np.bool_(True), np.complex64(1), np.int16(2), np.float64(1e300),
    )
)  # fmt: skip
NUMBERS = tuple(
    (name, lambda lib, value=value: value)
    for name in ("f16", "e4m3", "col", "cref_col", "one_f64", "one_i16", "which", "which_enum", "f32")
    for value in (0, 1, -1, 7, 449, 2049, 40000, 70000, 2**53 + 1, -(2**62), 1.5, True)
)
SCALARS = tuple(
    (name, lambda lib, value=value: value)
    for name in ("col", "cref_col", "one_i16", "i8")
    for value in (np.int16(-5), np.uint8(200), np.int64(40000), np.uint64(2), np.bool_(True), np.float32(1))
)
ENUMERATORS = tuple((name, lambda lib: lib.many) for name in ("f32", "f64", "f16", "e4m3", "one_f64", "u32"))
POINTERS = tuple(
    (name, make)
    for name in ("p_f64", "one_f64", "p_i32", "ref_P", "one_P", "f64", "which", "f4")
    for make in (
        lambda lib: sb.Pointer(np.arange(1.0, 5.0)),
        lambda lib: sb.Pointer(np.arange(1, 9, dtype="i4"), readonly=True),
        lambda lib: sb.Pointer(None),
        lambda lib: sb.Pointer(lib.P(3, 0.5)),
    )
)
AGGREGATES = (
    *((name, lambda lib: (5, 2.25)) for name in ("by_P", "ref_P", "one_P", "by_N", "f4")),
    ("by_P", lambda lib: (5,)), ("by_P", lambda lib: (2**40, 0.5)), ("by_P", lambda lib: ("a", 0.5)),
    ("by_N", lambda lib: ((1, 2.0), 5, 9, (1, 2, 3))), ("by_N", lambda lib: ((1, 2.0), 8, 9, (1, 2, 3))),
    ("by_N", lambda lib: ((1, 2.0), 5, 9, (1, 2, 70000))), ("by_P", lambda lib: _PAIRS[1:].reshape(())),
    *(("c_array", lambda lib, a=a: a) for a in (
        _GRID[:2, :3], _GRID.T[:2], _GRID[::2, ::-1][:, :3], _GRID[:2, :2], np.asfortranarray(_GRID[:2, :3]),
        np.broadcast_to(np.float32(3), (2, 3)), _GRID[:2, :3].astype("f2"), _GRID[:2, :3].astype("f8"),
    )),
    *(("s_array", lambda lib, a=a: a) for a in (
        np.arange(6)[::2], np.arange(3, dtype="i2"), np.array([1, 2, 2**40]), np.arange(4), np.array([1.0, 2, 3]),
        np.arange(3, dtype="i4")[::-1],
    )),
    *(("f4", lambda lib, a=a: a) for a in (
        np.arange(4, dtype="f4"), np.arange(4.0), np.arange(8, dtype="f4")[::-2], np.arange(4, dtype="f2"),
        np.arange(3, dtype="f4"), (1, 2.5, 3, 4), (1, 2), (1.0, 2.0, 3.0, 2**60 + 1), np.arange(4),
    )),
)  # fmt: skip


@cache
def in_njit(function: Any) -> Any:
    return numba.njit(lambda x: function(x))


def outcome(call: Any) -> Any:
    """What a call gives, or that it is refused."""
    try:
        return call()
    except (sb.Error, numba.core.errors.NumbaError, OverflowError, TypeError):
        return "refused"


@pytest.mark.filterwarnings("ignore::samebytes.BindWarning")
@each(("name", "make"), (*ZERO_D, *NUMBERS, *SCALARS, *ENUMERATORS, *POINTERS, *AGGREGATES))
def test_compiled_code_takes_what_python_takes(lib, name, make):
    function = getattr(lib, name)
    compiled = in_njit(function)
    expected = outcome(lambda: function(make(lib)))
    assert outcome(lambda: compiled(make(lib))) == expected


WRITES = tuple(
    (statement, value)
    for statement in (
        "a.v[1] = x",
        "a.v[i] += x",
        "b = a.v\n    b[2] = x",
        "a.m[1, 0] = x",
        "a.m[i][0] = x",
        "a.f[1] = x",
    )
    for value in (5, 200, 300, 70_000, -40_000)
)  # fmt: skip


@each(("statement", "value"), WRITES)
def test_an_element_of_a_field_is_held_to_its_format(lib, statement, value):
    """As a field is (found: 70000 in an array of int16 became 4464)."""
    written: dict[str, Any] = {"lib": lib}
    exec(f"def write(a, i, x):\n    {statement}\n    return lib.total(a)\n", written)
    made, compiled = lib.A(), lib.A()
    expected = outcome(lambda: written["write"](made, 1, value))
    assert outcome(lambda: numba.njit(written["write"])(compiled, 1, value)) == expected
    assert bytes(memoryview(compiled)) == bytes(memoryview(made))


def test_so_is_one_of_an_array_s_element(lib):
    @numba.njit
    def write(a, x):
        a[1].v[2] = x
        a[1].f[0] = x
        a[1].f[0] = 0
        return lib.total(a[1])

    elements = np.zeros(2, lib.A.dtype)
    assert write(elements, 300) == 300
    with pytest.raises(sb.RangeError, match=r"A\.v\[\.\.\.\]: expected int16"):
        write(elements, 70_000)


def test_so_is_a_float(lib):
    """NumPy writes infinity there, and a field of the struct takes no such number."""

    @numba.njit
    def write(a, x):
        a.f[1] = x

    with pytest.raises(sb.RangeError, match="expected float32, got a finite number that it cannot hold"):
        write(lib.A(), 1e300)
