"""What a Python call refuses of arrays and of null, compiled code refuses; what both take is the same bytes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import samebytes as sb

numba = pytest.importorskip("numba", reason="Numba is not installed")

SOURCE = r"""
#include <samebytes/array.hpp>
#include <array>
#include <cstddef>
// A digest of what lies at an address, which says the order, too.
inline double fold(const double* p, int n) { return n ? 3 * fold(p, n - 1) + p[n - 1] : 0; }
inline double plain(double* p) { return fold(p, 6); }
inline double reads(const double* p) { return fold(p, 6); }
inline double rows(double (*p)[3]) { return fold(&p[0][0], 6); }
inline double read_rows(const double (*p)[3]) { return fold(&p[0][0], 6); }
inline double some(double p[6]) { return fold(p, 6); }
inline double matrix(const double p[2][3]) { return fold(&p[0][0], 6); }
inline double any(const void* p) { return fold(static_cast<const double*>(p), 6); }
inline double at_any(void* p) { return fold(static_cast<double*>(p), 6); }
inline double unstated(double (&p)[6]) { p[0] = 1; return fold(p, 6); }
inline double unstated_array(std::array<double, 6>& p) { p[0] = 1; return fold(p.data(), 6); }
inline double place(double (&p)[6]) { return fold(p, 6); }
inline double place_rows(double (&p)[2][3]) { return fold(&p[0][0], 6); }
inline double place_array(std::array<double, 6>& p) { return fold(p.data(), 6); }
inline double value(std::array<double, 6> p) { return fold(p.data(), 6); }
inline double one(double& p) { return p; }
inline double shown(samebytes::array<double, 2> p) {
  double s = 0;
  for (std::size_t i = 0; i < p.shape[0]; ++i)
    for (std::size_t j = 0; j < p.shape[1]; ++j) s = 3 * s + p(i, j);
  return s;
}
inline double read_shown(samebytes::array<const double, 2> p) {
  double s = 0;
  for (std::size_t i = 0; i < p.shape[0]; ++i)
    for (std::size_t j = 0; j < p.shape[1]; ++j) s = 3 * s + p(i, j);
  return s;
}
__attribute__((nonnull)) inline double never_null(double* p) { return *p; }
"""
PLACES = ("place", "place_rows", "place_array", "one")


@pytest.fixture(scope="module")
def lib() -> Any:
    intents = {name: {"p": "inout_ptr"} for name in PLACES}
    with pytest.warns(sb.BindWarning):
        return sb.compile(SOURCE, target="numba", arg_intent=intents)


def shifted(shape: tuple[int, ...]) -> np.ndarray[Any, Any]:
    """An array that is not aligned."""
    room = np.zeros(8 * int(np.prod(shape)) + 1, np.uint8)
    made = room[1:].view(np.float64).reshape(shape)
    made[...] = filled(shape)
    return made


def filled(shape: tuple[int, ...]) -> np.ndarray[Any, Any]:
    return np.arange(1.0, 1 + np.prod(shape)).reshape(shape)


def readonly(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    array.flags.writeable = False
    return array


ARGUMENTS: dict[str, Callable[[], Any]] = {
    "line": lambda: filled((6,)),
    "long line": lambda: filled((9,)),
    "short line": lambda: filled((3,)),
    "empty line": lambda: filled((0,)),
    "single": lambda: filled((1,)),
    "0-d": lambda: np.array(7.0),
    "C order": lambda: filled((2, 3)),
    "more rows": lambda: filled((4, 3)),
    "one row": lambda: filled((1, 3)),
    "other rows": lambda: filled((3, 2)),
    "three dimensions": lambda: filled((1, 2, 3)),
    "Fortran order": lambda: np.asfortranarray(filled((2, 3))),
    "transposed": lambda: filled((3, 2)).T,
    "steps": lambda: filled((12,))[::2],
    "columns": lambda: filled((2, 6))[:, ::2],
    "single in steps": lambda: filled((6, 3))[::6],
    "backwards": lambda: filled((6,))[::-1],
    "read-only": lambda: readonly(filled((6,))),
    "read-only rows": lambda: readonly(filled((2, 3))),
    "broadcast": lambda: np.broadcast_to(np.arange(3.0), (2, 3)),
    "overlapping": lambda: np.lib.stride_tricks.as_strided(filled((8,)), (2, 3), (8, 8)),
    "misaligned": lambda: shifted((6,)),
    "misaligned rows": lambda: shifted((2, 3)),
    "float32": lambda: filled((6,)).astype(np.float32),
    "int64": lambda: filled((6,)).astype(np.int64),
    "None": lambda: None,
}
NAMES = (
    "plain", "reads", "rows", "read_rows", "some", "matrix", "any", "at_any", "unstated", "unstated_array", *PLACES,
    "value", "shown", "read_shown", "never_null",
)  # fmt: skip


def outcome(call: Callable[[Any], Any], argument: Any) -> tuple[str, Any]:
    """What a call gives, and what it left in the array; or that it is refused."""
    try:
        given = call(argument)
    except (sb.Error, numba.core.errors.TypingError):
        return "refused", None
    return repr(given), None if argument is None else np.array(argument).tolist()


# Reads six elements of what may have fewer, or none: no reader of an address knows how many there are.
LOOSE = {"plain", "reads", "rows", "read_rows", "any", "at_any"}
FEW = {"short line", "empty line", "single", "0-d", "one row", "single in steps", "float32"}
NULLABLE = {*LOOSE, "some", "matrix"}
QUICK = {"matrix", "place_rows"}


@pytest.mark.parametrize(
    "name", [name if name in QUICK else pytest.param(name, marks=pytest.mark.full) for name in NAMES]
)
def test_compiled_code_takes_what_python_takes(lib: Any, name: str) -> None:
    function = getattr(lib, name)
    compiled = numba.njit(lambda x: function(x))
    wrong = []
    for what, make in ARGUMENTS.items():
        if (name in LOOSE and what in FEW) or (name in NULLABLE and what == "None"):
            continue
        expected, found = outcome(function, make()), outcome(compiled, make())
        if found != expected:
            wrong.append((what, expected, found))
    assert not wrong


NULLS = ("one", "place", "never_null")


@pytest.mark.parametrize("name", NULLS)
def test_null_is_no_reference(lib: Any, name: str) -> None:
    function = getattr(lib, name)
    with pytest.raises(numba.core.errors.TypingError, match="never null"):
        numba.njit(lambda: function(None))()
