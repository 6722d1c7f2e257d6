"""Outputs that are records begin with the initial values that C++ declares, in each target: ``R x; f(x);``."""

from __future__ import annotations

from typing import Any

import pytest

import samebytes as sb

CODE = r"""
#include <array>
#include <utility>
struct R { int a = 5; double b = 2.5; };
struct Partly { int a; int b = 4; };
struct Made { int a; Made() : a(9) {} };
struct Told { int a; explicit Told() : a(3) {} };
struct Given { int a; explicit Given(int n) : a(n) {} };
struct Outer { R r; int t = 1; };
struct Plain { int z; };
inline void record(R&) {}
inline void pointer(R*) {}
inline void partly(Partly&) {}
inline void made(Made&) {}
inline void told(Told&) {}
inline void given(Given& x) { x.a += 2; }
inline void outer(Outer&) {}
inline void plain(Plain&) {}
inline void rows(R (&)[2]) {}
inline void pair(std::pair<R, int>&) {}
inline void array(std::array<R, 2>&) {}
inline int two(R& x, Partly& y) { x.a += 1; return y.b; }
inline void three(R*) {}
inline void several(int n, R*) {}
inline void twice(int n, R*) {}
struct Maker { void make(R& x, int k = 3) const { x.a += k; } static void still(R&) {} };
"""
OUT = [
    "record", "pointer", "partly", "made", "told", "given", "outer", "plain", "rows", "pair", "array", "Maker.make",
    "Maker.still",
]  # fmt: skip
ARRAYS = {
    "three": {0: {"intent": "out_array_return", "length": 3}},
    "several": {1: {"intent": "out_array_return", "length": "n"}},
    "twice": {1: {"intent": "out_array_return", "length": "2 * n", "as_array": True}},
}


@pytest.fixture(scope="module", params=["host", "numba"])
def lib(request: pytest.FixtureRequest) -> Any:
    if request.param == "numba":
        pytest.importorskip("numba")
    intents = {name: {0: "out_return"} for name in OUT} | {"two": {0: "out_return", 1: "out_return"}}
    return sb.compile(CODE, target=request.param, arg_intent=intents | ARRAYS)


R = (5, 2.5)


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("record()", R),
        ("pointer()", R),
        ("partly()", (0, 4)),
        ("made()", (9,)),
        ("told()", (3,)),
        ("given()", (2,)),  # C++ makes none without an argument: it begins as zeros
        ("outer()", (R, 1)),
        ("plain()", (0,)),
        ("rows()", (R, R)),
        ("pair()", (R, 0)),
        ("array()", (R, R)),
        ("two()", (4, (6, 2.5), (0, 4))),
        ("three()", (R, R, R)),
        ("several(2)", (R, R)),
        ("several(0)", ()),
        ("twice(1)", (R, R)),
        ("Maker().make()", (8, 2.5)),
        ("Maker().make(10)", (15, 2.5)),
        ("Maker.still()", R),
    ],
)
def test_an_output_begins_as_in_c_plus_plus(lib: Any, call: str, expected: tuple[Any, ...]) -> None:
    assert told(eval(f"lib.{call}", {"lib": lib})) == expected


def told(value: Any) -> Any:
    """The fields of records, and the parts of tuples and arrays."""
    if hasattr(value, "tolist"):
        return tuple(value.tolist())
    if isinstance(value, tuple):
        return tuple(map(told, value))
    return told(tuple(value)) if hasattr(value, "_fields") or hasattr(value, "value") else value


def test_in_compiled_code() -> None:
    numba = pytest.importorskip("numba")
    intents = {name: {0: "out_return"} for name in OUT} | {"two": {0: "out_return", 1: "out_return"}}
    lib = sb.compile(CODE, name="begun", target="numba", arg_intent=intents)

    @numba.njit
    def run() -> Any:
        status, r, partly = lib.two()
        return status, r.a, r.b, partly.a, partly.b, lib.rows()[1].b

    assert run() == (4, 6, 2.5, 0, 4, 2.5)
