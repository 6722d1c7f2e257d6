"""Arrays whose elements overlap: C++ that may write to them refuses them on every route; C++ that reads takes them."""

from __future__ import annotations

import array
import itertools
import random
from typing import Any

import numpy as np
import pytest
from numpy.lib.stride_tricks import as_strided, sliding_window_view

import samebytes as sb
from samebytes.errors import ArrayError

SOURCE = """
#include <cstddef>
#include <vector>
#include <samebytes/array.hpp>
#include <samebytes/mdspan.hpp>

double sum(samebytes::array<const double, 1> x) {
  double s = 0; for (std::size_t i = 0; i < x.shape[0]; ++i) s += x(i); return s;
}
double sum_grid(samebytes::array<const double, 2> x) {
  double s = 0;
  for (std::size_t i = 0; i < x.shape[0]; ++i) for (std::size_t k = 0; k < x.shape[1]; ++k) s += x(i, k);
  return s;
}
double sum_vector(std::vector<double> x) { double s = 0; for (double v : x) s += v; return s; }
void fill(samebytes::array<double, 1> x) { for (std::size_t i = 0; i < x.shape[0]; ++i) x(i) = i; }
void fill_grid(samebytes::array<double, 2> x) {
  for (std::size_t i = 0; i < x.shape[0]; ++i) for (std::size_t k = 0; k < x.shape[1]; ++k) x(i, k) = 10 * i + k;
}
void fill_cube(samebytes::array<double, 3> x) { x(0, 0, 0) = 1; }
void fill_two(samebytes::array<double, 1> x, samebytes::array<double, 2> y) {}
void fill_pointer(double* x) { x[0] = 1; }
"""


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(SOURCE)


def brute(shape: tuple[int, ...], strides: tuple[int, ...], unit: int) -> bool:
    """Whether two elements share a byte: every element is looked at."""
    seen: set[int] = set()
    for index in itertools.product(*map(range, shape)):
        start = sum(i * s for i, s in zip(index, strides, strict=True))
        bytes_ = range(start, start + unit)
        if not seen.isdisjoint(bytes_):
            return True
        seen.update(bytes_)
    return False


def overlaps(shape: tuple[int, ...], strides: tuple[int, ...]) -> bool | None:
    return sb.view(as_strided(ROOM[1000:], shape, strides))._overlap


ROOM = np.zeros(2000, "u1")


def test_every_small_array_is_told_apart():
    chance = random.Random(12)
    told = {True: 0, False: 0}
    for _ in range(4000):
        ndim = chance.randrange(0, 5)
        shape = tuple(chance.choice((0, 1, 2, 3, 4, 7)) for _ in range(ndim))
        strides = tuple(chance.choice((-1, 1)) * chance.randrange(0, 25) for _ in range(ndim))
        expected = brute(shape, strides, 1)
        assert overlaps(shape, strides) is expected, (shape, strides)
        told[expected] += 1
    assert min(told.values()) > 400


def test_elements_that_share_some_of_their_bytes():
    chance = random.Random(13)
    room = np.zeros(4000, "u1")
    for _ in range(1000):
        ndim = chance.randrange(1, 4)
        shape = tuple(chance.choice((1, 2, 3, 5)) for _ in range(ndim))
        strides = tuple(chance.choice((-1, 1)) * chance.randrange(0, 40) for _ in range(ndim))
        x = as_strided(room[2000:].view("V8")[:1], shape, strides)
        assert sb.view(x)._overlap is brute(shape, strides, 8), (shape, strides)


@pytest.mark.parametrize(
    ("shape", "strides"),
    [
        ((1 << 40, 1 << 20), (1 << 20, 1)),
        ((1 << 20, 1 << 40), (1, 1 << 20)),
        ((3, 1 << 30, 5), (1 << 40, 7, 1)),
        ((1,) * 64, (0,) * 64),
        ((2,) * 40, tuple(1 << k for k in range(40))),
    ],
)
def test_large_arrays_take_no_time(shape, strides):
    assert overlaps(shape, strides) is False


def test_what_cannot_be_told_in_bounded_time():
    primes = (100003, 100019, 100043, 100049, 100057, 100069)
    assert overlaps((900,) * 6, primes) in (True, None)


OVERLAPPING = {
    "zero stride": as_strided(np.zeros(4), (4,), (0,)),
    "half an element": as_strided(np.zeros(4), (4,), (4,)),
    "windows": sliding_window_view(np.zeros(9), 4, writeable=True),
    "rows": as_strided(np.zeros(9), (3, 4), (0, 8)),
    "columns": as_strided(np.zeros(9), (3, 4), (8, 0)),
    "backwards": as_strided(np.zeros(9)[8:], (3, 4), (-8, -16)),
    "interleaved": as_strided(np.zeros(99), (4, 5), (24, 16)),
    "in three": as_strided(np.zeros(99), (2, 3, 4), (48, 16, 8)),
    "diagonal": as_strided(np.zeros(99), (2, 3, 4), (64, 8, 8)),
}
APART = {
    "C": np.zeros((3, 4)), "Fortran": np.zeros((3, 4), order="F"), "steps": np.zeros((6, 8))[::2, ::3],
    "backwards": np.zeros((3, 4))[::-1, ::-1], "line": np.zeros(9)[::-2], "one": as_strided(np.zeros(1), (1,), (0,)),
    "ones": as_strided(np.zeros(1), (1, 1, 1), (0, 0, 0)), "empty": as_strided(np.zeros(1), (0, 9), (0, 0)),
    "turned": np.zeros((3, 4, 5)).transpose(1, 2, 0), "row": as_strided(np.zeros(9), (1, 4), (0, 8)),
    "woven": as_strided(np.zeros(99), (2, 3), (24, 16)),
}  # fmt: skip
FILL = {1: "fill", 2: "fill_grid", 3: "fill_cube"}


class DLPack:
    def __init__(self, x: Any) -> None:
        self.x = x

    def __dlpack__(self, **how: Any) -> Any:
        return self.x.__dlpack__(**how)

    def __dlpack_device__(self) -> Any:
        return self.x.__dlpack_device__()


class Interface:
    def __init__(self, x: Any) -> None:
        self.__array_interface__ = x.__array_interface__
        self.x = x


class Subclass(np.ndarray):  # type: ignore[type-arg]
    pass


# Each way in which the same memory is shown.
ROUTES = {
    "ndarray": lambda x: x,
    "subclass": lambda x: x.view(Subclass),
    "view": sb.view,
    "memoryview": memoryview,
    "DLPack": DLPack,
    "interface": Interface,
}


# DLPack counts strides in elements.
PAIRS = [(n, r) for n in OVERLAPPING for r in ROUTES if (n, r) != ("half an element", "DLPack")]


@pytest.mark.parametrize(("name", "route"), PAIRS)
def test_what_overlaps_is_not_written_to(lib, name, route):
    x = OVERLAPPING[name]
    before = x.copy()
    divisible = all(s % 8 == 0 for s in x.strides)
    for _ in range(3):  # by Python's way, and by what the core has learned
        with pytest.raises(ArrayError, match="overlap" if divisible else "overlap|no multiples"):
            getattr(lib, FILL[x.ndim])(ROUTES[route](x))
        with pytest.raises(ArrayError):
            lib.fill_pointer(ROUTES[route](x))
    assert (x == before).all()


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize("name", APART)
def test_what_lies_apart_is(lib, name, route):
    x = APART[name]
    for _ in range(3):
        getattr(lib, FILL[x.ndim])(ROUTES[route](x))


@pytest.mark.parametrize("route", ROUTES)
def test_what_only_reads_takes_both(lib, route):
    shown = ROUTES[route]
    for _ in range(3):
        assert lib.sum(shown(as_strided(np.full(1, 2.0), (4,), (0,)))) == 8
        assert lib.sum_vector(shown(as_strided(np.full(1, 2.0), (4,), (0,)))) == 8
        assert lib.sum_grid(shown(sliding_window_view(np.ones(5), 3, writeable=True))) == 9


def test_one_among_several_is_named(lib):
    with pytest.raises(
        ArrayError, match=r"fill_two\(\) argument 2 'y'.*overlap in memory \(strides of \(0, 8\) bytes"
    ):
        lib.fill_two(np.zeros(3), OVERLAPPING["rows"])


def test_mdspans_and_tensors():
    x = OVERLAPPING["rows"]
    with pytest.raises(ArrayError, match=r"overlap in memory: say sb\.const"):
        sb.to_host_mdspan(x, sb.float64, 2, layout="relaxed")
    assert sb.to_host_mdspan(x, sb.const[sb.float64], 2, layout="relaxed").readonly
    windows = OVERLAPPING["windows"]
    with pytest.raises(ArrayError, match="overlap"):
        sb.to_host_mdspan(windows, sb.float64, 2)
    assert sb.to_host_mdspan(windows, sb.const[sb.float64], 2).readonly


def test_a_view_says_so():
    assert sb.view(OVERLAPPING["rows"])._overlap is True
    assert not sb.view(OVERLAPPING["rows"]).readonly  # others may decide otherwise
    assert sb.view(array.array("d", [1, 2]))._overlap is False
    assert sb.view(np.zeros((3, 4)).T)._overlap is False
