"""An overload set chooses for each call as if it were its first: the cache of choices is never seen."""

from __future__ import annotations

import gc
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import samebytes as sb
from samebytes.call import Binding

TYPES = (
    "bool", "signed char", "unsigned char", "short", "int", "unsigned", "long", "unsigned long", "float", "double",
    "_Float16", "std::complex<float>", "std::complex<double>", "E", "P", "S", "P*", "const P*", "void*",
    "const void*", "const char*", "char*", "double*", "const double*", "const float*", "float*", "const int*",
    "const short*", "const E*", "const std::complex<float>*", "samebytes::array<double, 1>",
    "samebytes::array<const double, 1>", "samebytes::array<const double, 2>", "samebytes::array<const float, 1>",
)  # fmt: skip
SOURCE = """
#include <complex>
#include <samebytes/array.hpp>
enum E { one = 1, eight = 8, big = 1000 };
struct P { int a; double b; };
struct S { double* p; };
"""


@pytest.fixture(scope="module")
def bound() -> Any:
    """The library, and each function's binding: `f3` takes TYPES[3] and gives 3; `g3` takes an int, too."""
    lines = [
        f"int f{i}({t} x) {{ return {i}; }} int g{i}({t} x, int) {{ return {i}; }}"
        for i, t in enumerate(TYPES)
    ]
    lib = sb.compile(SOURCE + "\n".join(lines))
    names = [n for n in (f"{letter}{i}" for letter in "fg" for i in range(len(TYPES))) if hasattr(lib, n)]
    return lib, {name: candidate_of(getattr(lib, name)) for name in names}


def candidate_of(function: Any) -> Any:
    """The candidate of a function without overloads."""
    methods = [
        r for r in gc.get_referents(function.__self__) if isinstance(getattr(r, "__self__", None), Binding)
    ]
    return methods[0].__self__.candidates[0]


def binding(candidates: Sequence[Any]) -> Any:
    return Binding(candidates, nogil=False, module="m", reduce=()).function


def outcome(function: Any, *args: Any) -> Any:
    try:
        return function(*args)
    except sb.Error as error:
        return type(error), str(error)


def misaligned(count: int) -> Any:
    return np.zeros(8 * count + 4, "u1")[4:].view("f8")


def frozen(array: Any) -> Any:
    array.flags.writeable = False
    return array


PACKED = np.dtype([("x", "f8"), ("y", "u1")])
BITS = (0, 3, 4, 7, 8, 9, 11, 12, 15, 16, 17, 24, 25, 31, 32, 53, 54, 63, 64)
INTS = [sign * (2**n + d) for n in BITS for d in (-1, 0, 1) for sign in (-1, 1)]
INTS += [416, 448, 480, 65504, 40960, -40960, 57344, 61440, 3 * 2**30]
FLOATS = [
    0.0,
    -0.0,
    1.0,
    0.1,
    65519.9,
    65520.0,
    3.4e38,
    3.5e38,
    1e39,
    -1e39,
    1e308,
    float("inf"),
    float("nan"),
]
ARRAYS = [
    np.zeros(4), np.zeros(8)[::2], np.zeros(4)[::-1], np.zeros(0), np.zeros(0)[::-1], np.zeros((2, 2)),
    np.zeros((2, 2)).T, np.zeros((0, 3)), np.zeros((1, 4))[:, ::2], np.array(1.5), np.array(2**40), np.zeros(4, "f4"),
    np.zeros(8, "f4")[::2], np.zeros(4, "i4"), np.zeros(4, "i2"), np.zeros(4, ">f8"), np.zeros(4, "c8"),
    misaligned(3), misaligned(0), misaligned(1), frozen(np.zeros(4)), frozen(np.zeros(4, "f4")),
    frozen(np.zeros(8)[::2]), np.broadcast_to(np.zeros(1), (4,)), np.broadcast_arrays(np.zeros(1), np.zeros(4))[0],
    np.zeros(4, PACKED)["x"], np.array([object()]), np.zeros(4, "u1"), np.zeros(4, "m8[s]"), np.zeros(4, "?"),
]  # fmt: skip
OTHERS = [
    True, False, None, "text", "", "a\0b", "\udc80", "grüße", b"bytes", b"a\0b", bytearray(8), memoryview(bytes(8)),
    [1.0], (1, 2.0), (None,), np.float32(1), np.float64(1e300), np.int8(3), np.bool_(True), sb.Pointer(64),
    sb.Pointer(), 1j, 1e39j, complex(1e39, 1), complex(0, float("nan")), object,
]  # fmt: skip


def values(lib: Any) -> Any:
    own = [lib.P(1, 2.0), lib.P(1, 2.0).value, lib.S(), lib.S(np.zeros(2)), lib.E.one, lib.E.big]
    pools = [INTS, FLOATS, ARRAYS, ARRAYS, OTHERS, own]
    return st.one_of([st.sampled_from(pool) for pool in pools])


@settings(max_examples=400, deadline=None)
@given(data=st.data())
def test_every_call_chooses_as_the_first_would(bound: Any, data: st.DataObject) -> None:
    lib, candidates = bound
    letter = data.draw(st.sampled_from("fg"))
    names = [n for n in candidates if n[0] == letter]
    chosen = data.draw(st.lists(st.sampled_from(names), min_size=2, max_size=4, unique=True))
    shown = {name: TYPES[int(name[1:])] for name in chosen}
    overloads = [candidates[name] for name in chosen]
    used = binding(overloads)
    for value in data.draw(st.lists(values(lib), min_size=2, max_size=12)):
        args = (value,) if letter == "f" else (value, 3)
        fresh = outcome(binding(overloads), *args)
        assert outcome(used, *args) == fresh, (shown, value)
        assert outcome(used, *args) == fresh, (shown, value)


@pytest.mark.parametrize(
    ("types", "calls"),
    [
        (("double*", "samebytes::array<const double, 1>"), (np.zeros(4), np.zeros(8)[::2])),
        (("float", "std::complex<double>"), (1.0, 1e39)),
        (("float", "const double*"), (1.0, 1e39)),
        (("float", "double"), (2**24, 2**24 + 1, 2**24 + 2)),
        (("E", "float"), (1, 3, 2**24 + 1)),
        (("const char*", "void*"), ("text", "a\0b")),
    ],
)
def test_what_decides_is_part_of_the_key(bound: Any, types: Any, calls: Any) -> None:
    overloads = [bound[1][f"g{TYPES.index(t)}"] for t in types]
    used = binding(overloads)
    for value in calls:
        for _ in range(2):
            assert outcome(used, value, 1) == outcome(binding(overloads), value, 1)
