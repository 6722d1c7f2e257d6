"""An overload set chooses for each call as if it were its first: the cache of choices is never seen."""

from __future__ import annotations

import array
import ctypes
import enum
import gc
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import samebytes as sb
from samebytes.call import Binding

pytestmark = pytest.mark.full  # it takes long

TYPES = (
    "bool", "signed char", "unsigned char", "short", "int", "unsigned", "long", "unsigned long", "float", "double",
    "_Float16", "std::complex<float>", "std::complex<double>", "E", "P", "S", "P*", "const P*", "void*",
    "const void*", "const char*", "char*", "double*", "const double*", "const float*", "float*", "const int*",
    "const short*", "const E*", "const std::complex<float>*", "samebytes::array<double, 1>",
    "samebytes::array<const double, 1>", "samebytes::array<const double, 2>", "samebytes::array<const float, 1>",
    "char", "const double (*)[2]", "std::span<const double>", "std::span<const double, 4>", "const H&", "H*",
    "const J&", "const std::string&", "const std::filesystem::path&", "const std::vector<double>&",
    "const std::vector<int>&", "const std::vector<std::string>&", "const std::vector<P>&", "std::array<double, 4>",
    "std::optional<float>", "std::optional<H>", "std::pair<int, double>", "std::variant<int, std::string>",
    "std::variant<float, P>", "std::bitset<8>", "std::chrono::seconds", "std::shared_ptr<H>",
    "const std::complex<double>&", "B", "N",
)  # fmt: skip
SOURCE = """
#include <array>
#include <bitset>
#include <chrono>
#include <complex>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>
#include <samebytes/array.hpp>
enum E { one = 1, eight = 8, big = 1000 };
enum class B : bool { no, yes };
enum class N : signed char { low = -3, high = 100 };
struct P { int a; double b; };
struct S { double* p; };
struct H { std::string s; H(const std::string& s) : s(s) {} H(std::span<const float>) {} H(E) {} };
struct J {
  std::vector<double> v;
  J(const std::vector<double>& v) : v(v) {}
  J(std::span<const double, 4>) {}
  J(float) {}
  operator double() const { return 1; }
};
"""


@pytest.fixture(scope="module")
def bound() -> Any:
    """The library, and each function's binding: `f3` takes TYPES[3] and gives 3; `g3` takes an int, too."""
    lines = [
        f"int f{i}({declared(t)}) {{ return {i}; }} int g{i}({declared(t)}, int) {{ return {i}; }}"
        for i, t in enumerate(TYPES)
    ]
    lib = sb.compile(SOURCE + "\n".join(lines), std="c++20")
    names = [n for n in (f"{letter}{i}" for letter in "fg" for i in range(len(TYPES))) if hasattr(lib, n)]
    return lib, {name: candidate_of(getattr(lib, name)) for name in names}


def declared(type_: str) -> str:
    return type_.replace("(*)", "(*x)") if "(*)" in type_ else f"{type_} x"


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


class Shows:
    """An array by __array_interface__ alone."""

    def __init__(self, array: Any) -> None:
        self.__array_interface__ = array.__array_interface__
        self.array = array


class Exports:
    """An array by DLPack alone."""

    def __init__(self, array: Any) -> None:
        self.array = array

    def __dlpack__(self, **kwargs: Any) -> Any:
        return self.array.__dlpack__(**kwargs)

    def __dlpack_device__(self) -> Any:
        return self.array.__dlpack_device__()


class Level(enum.IntEnum):
    LOW, MIDDLE, HIGH = 1, 200, 2**40


DOUBLES = [a for a in ARRAYS if a.dtype in ("f8", "f4", "i4", "u1") and a.ndim]
SHOWN = [*map(sb.view, DOUBLES), *map(Shows, DOUBLES), *map(memoryview, DOUBLES)]
SHOWN += [Exports(a) for a in DOUBLES if a.flags.owndata and a.flags.writeable]
SHOWN += [
    array.array("d", [1.0, 2.0]),
    array.array("f"),
    (ctypes.c_double * 4)(),
    np.zeros((3, 2), order="F"),
]
SCALARS = [
    np.int8(1),
    np.int64(300),
    np.uint64(2**63),
    np.int32(-1),
    np.int16(200),
    np.timedelta64(3, "s"),
    *Level,
]
SCALARS += [np.timedelta64(3, "ms"), np.float16(1), np.complex64(1j), np.longdouble(1), *np.arange(256, 260)]
TEXTS = [
    "a",
    "ab",
    "ä",
    b"a",
    b"ab",
    b"\xff",
    "x" * 20,
    Path("x"),
    ["a"],
    ["a", "b"],
    [1, 2],
    [1.5],
    [],
    (1, 2),
]


def values(lib: Any) -> Any:
    own = [lib.P(1, 2.0), lib.P(1, 2.0).value, lib.S(), lib.S(np.zeros(2)), lib.E.one, lib.E.big]
    own += [lib.H("x"), lib.J(1.0), lib.B.yes, lib.N.low, np.zeros(2, lib.P.dtype), np.zeros((2, 4), "f8")]
    pools = [INTS, FLOATS, ARRAYS, ARRAYS, OTHERS, own, SHOWN, SCALARS, TEXTS]
    return st.one_of([st.sampled_from(range(len(pool))).map(pool.__getitem__) for pool in pools])


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
        (("std::optional<float>", "const double*"), (1e39, 1.0)),
        (("std::span<const double, 4>", "const double*"), (np.zeros(5), np.zeros(4))),
        (("char", "const void*"), (b"ab", b"a")),
        (("char", "const std::filesystem::path&"), (b"\xff", b"a")),
        (("B", "const double*"), (1, 2)),
        (("const J&", "const std::vector<double>&"), (np.zeros(5), np.zeros(4))),
    ],
)
def test_what_decides_is_part_of_the_key(bound: Any, types: Any, calls: Any) -> None:
    overloads = [bound[1][f"g{TYPES.index(t)}"] for t in types]
    used = binding(overloads)
    for value in calls:
        for _ in range(2):
            assert outcome(used, value, 1) == outcome(binding(overloads), value, 1)
