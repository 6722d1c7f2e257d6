"""Array descriptors that C++ gives: views of the very memory, which keep what it may lie in."""

from __future__ import annotations

import gc
import weakref
from typing import Any

import numpy as np
import pytest

import samebytes as sb

pytestmark = pytest.mark.filterwarnings("ignore::samebytes.BindWarning")

SOURCE = r"""
#include <optional>
#include <utility>
#include <vector>
#include <samebytes/array.hpp>
using Row = samebytes::array<float, 1>;
struct Pixel { unsigned char r, g, b; };
static float numbers[8] = {1, 2, 3, 4, 5, 6, 7, 8};
static Pixel pixels[2] = {{1, 2, 3}, {4, 5, 6}};
inline Row global{numbers, {8}, {1}};
inline int alive = 0;
inline samebytes::array<float, 2> grid() { return {numbers, {2, 4}, {4, 1}}; }
inline samebytes::array<const float, 2> turned() { return {numbers, {4, 2}, {1, 4}}; }
inline Row backwards() { return {numbers + 7, {8}, {std::size_t(-1)}}; }
inline Row none() { return {nullptr, {0}, {1}}; }
inline samebytes::array<Pixel, 1> image() { return {pixels, {2}, {1}}; }
inline const Row& by_reference() { return global; }
inline Row column(samebytes::array<float, 2> a, int j) { return {&a(0, j), {a.shape[0]}, {a.strides[0]}}; }
inline samebytes::array<const double, 1> same(samebytes::array<const double, 1> a) { return a; }
inline std::vector<Row> listed() { return {global, global}; }
inline std::optional<Row> maybe(bool is) { return is ? std::optional<Row>(global) : std::nullopt; }
inline std::pair<int, Row> two() { return {1, global}; }
inline void out(Row& a) { a = global; }
struct Plain { float data[3] = {1, 2, 3}; Row mine() { return {data, {3}, {1}}; } };
class Block {
public:
  Row view;
  float data[3] = {1, 2, 3};
  Block() : view{data, {3}, {1}} { ++alive; }
  Block(const Block&) = delete;
  ~Block() { --alive; }
  Row mine() { return view; }
  Row operator[](int i) { return {data + i, {1}, {1}}; }
  Row* begin() { return &view; }
  Row* end() { return &view + 1; }
};
class Hidden { ~Hidden() {} public: static Hidden& one(); };
inline Hidden& Hidden::one() { static Hidden* h = new Hidden; return *h; }
inline int takes(const Hidden&) { return 1; }
"""


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(SOURCE, std="c++17", arg_intent={"out": {"a": "out_return"}})


def rows(lib: Any) -> dict[str, Any]:
    return {
        "by reference": lib.by_reference(), "backwards": np.asarray(lib.backwards())[::-1], "listed": lib.listed()[1],
        "optional": lib.maybe(True), "pair": lib.two()[1], "output": lib.out(), "variable": lib.global_,
    }  # fmt: skip


def test_the_very_memory_is_shown(lib: Any) -> None:
    assert np.asarray(lib.grid()).tolist() == [[1, 2, 3, 4], [5, 6, 7, 8]]
    assert np.asarray(lib.turned()).tolist() == [[1, 5], [2, 6], [3, 7], [4, 8]]
    assert lib.turned().readonly
    assert not lib.grid().readonly
    assert (np.asarray(lib.none()).shape, lib.maybe(False)) == ((0,), None)
    np.asarray(lib.grid())[1, 3] = 80
    try:
        shown = {name: np.asarray(row).tolist() for name, row in rows(lib).items()}
    finally:
        np.asarray(lib.grid())[1, 3] = 8
    assert list(shown.values()) == [[1, 2, 3, 4, 5, 6, 7, 80]] * len(shown)


def test_elements_are_structs(lib: Any) -> None:
    assert np.asarray(lib.image())["g"].tolist() == [2, 5]


def test_a_view_keeps_the_argument_that_it_lies_in(lib: Any) -> None:
    class Array(np.ndarray[Any, Any]):
        pass

    given = np.arange(6, dtype="f4").reshape(2, 3).view(Array)
    gone = weakref.ref(given)
    column = lib.column(given, 1)
    np.asarray(column)[0] = 10
    assert given[0, 1] == 10
    del given
    gc.collect()
    assert gone() is not None
    assert np.asarray(column).tolist() == [10, 4]
    del column
    gc.collect()
    assert gone() is None


def test_a_view_keeps_the_object_that_it_lies_in(lib: Any) -> None:
    plain = lib.Plain().mine()
    gc.collect()
    assert np.asarray(plain).tolist() == [1, 2, 3]
    for of in (lambda b: b.mine(), lambda b: b.view, lambda b: b[0], lambda b: next(iter(b))):
        view = of(lib.Block())
        gc.collect()
        assert lib.alive == 1
        assert np.asarray(view)[0] == 1
        del view
        gc.collect()
        assert lib.alive == 0


def test_a_read_only_array_stays_so(lib: Any) -> None:
    shown = np.asarray(lib.same(np.ones(3)))
    with pytest.raises(ValueError, match="read-only"):
        shown[0] = 1


def test_only_what_python_can_make_is_said_to_be_made(lib: Any) -> None:
    with pytest.raises(sb.ArgumentError, match=r"Hidden\(\) makes none: its destructor is not public"):
        lib.takes(1)
