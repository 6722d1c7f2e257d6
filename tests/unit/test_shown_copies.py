"""A result that refers to a container of C++'s is a copy, and says so where it would be changed in vain."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # large builds; test_const_results.py is the quick one

CODE = """
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>
struct Point { int x = 1; };
struct Holder {
  std::vector<Point> ps{Point{}, Point{}};
  std::vector<double> ds{1, 2};
  std::map<std::string, int> ages{{"a", 1}};
  std::set<int> numbers{1};
  std::vector<std::vector<std::string>> rows{{"x"}, {}};
  std::pair<int, std::vector<std::string>> both{1, {"y"}};
  std::vector<Point>& points() { return ps; }
  std::vector<Point>& either() { return ps; }
  const std::vector<Point>& either() const { return ps; }
  std::vector<Point>* pointed() { return &ps; }
  std::vector<Point>* none() { return nullptr; }
  std::vector<double>& data() { return ds; }
  std::map<std::string, int>& map() { return ages; }
  std::set<int>& set() { return numbers; }
  std::pair<int, std::vector<std::string>>& pair() { return both; }
  std::vector<std::string>& operator[](int i) { return rows[i]; }
  std::vector<std::string>& operator()(int i) { return rows[i]; }
  std::vector<std::string>& row(int i, int& size) { size = int(rows[i].size()); return rows[i]; }
  const std::vector<Point>& fixed() const { return ps; }
  const std::vector<Point>* fixed_pointer() const { return &ps; }
  std::vector<Point> copied() const { return ps; }
};
inline Holder holder;
inline std::vector<std::string>& names() { static std::vector<std::string> v{"n"}; return v; }
"""
REFUSED = [
    (
        "holder.points().append(lib.Point())",
        r"what Holder.points\(\) gives is read as a copy.* list of your own",
    ),
    ("holder.either().clear()", r"what Holder.either\(\) gives"),
    ("holder.pointed().pop()", r"what Holder.pointed\(\) gives"),
    ("holder.map().update(b=2)", r"what Holder.map\(\) gives .* dict of your own"),
    ("holder.set().add(2)", r"what Holder.set\(\) gives .* set of your own"),
    ("holder.pair()[1].append('z')", r"what Holder.pair\(\) gives"),
    ("holder[0].append('z')", r"what Holder.operator\[\]\(\) gives"),
    ("holder(0).append('z')", r"what Holder.operator\(\)\(\) gives"),
    ("holder.row(0)[0].append('z')", r"what Holder.row\(\) gives"),
    ("lib.names().append('z')", r"what names\(\) gives"),
]


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(CODE, arg_intent={"Holder::row": {"size": "out_return"}})


@pytest.mark.parametrize(("code", "words"), REFUSED)
def test_it_refuses_to_be_changed(lib: Any, code: str, words: str) -> None:
    with pytest.raises(TypeError, match=words):
        eval(code, {"lib": lib, "holder": lib.Holder()})


def test_numbers_are_not_written(lib: Any) -> None:
    data = lib.Holder().data()
    with pytest.raises(ValueError, match="read-only"):
        data[0] = 5
    assert np.array_equal(data, [1, 2])


@pytest.mark.parametrize("name", ["fixed", "fixed_pointer", "copied"])
def test_what_c_plus_plus_would_not_let_be_changed_is_a_list(lib: Any, name: str) -> None:
    found = getattr(lib.Holder(), name)()
    found.append(lib.Point())
    assert (type(found), len(found)) == (list, 3)


def test_values(lib: Any) -> None:
    holder = lib.Holder()
    assert holder.none() is None
    assert [p.x for p in holder.points()] == [p.x for p in holder.pointed()] == [1, 1]
    assert (holder.row(0), holder.row(1), holder[0], holder.pair()) == (
        (["x"], 1),
        ([], 0),
        ["x"],
        (1, ["y"]),
    )
    own = list(holder[0])
    own.append("z")
    assert (own, holder[0], holder.map(), holder.set()) == (["x", "z"], ["x"], {"a": 1}, {1})


SPANS = r"""
#include <optional>
#include <span>
#include <utility>
#include <vector>
struct Row {
  std::vector<int> cells{1, 2, 3};
  std::span<int> all() { return cells; }
  std::span<int, 3> three() { return std::span<int, 3>(cells.data(), 3); }
  std::optional<std::span<int>> maybe() { return cells; }
  std::pair<int, std::span<int>> numbered() { return {1, cells}; }
  std::vector<std::span<int>> parts() { return {cells}; }
  std::span<const int> fixed() const { return cells; }
  int sum() const { return cells[0] + cells[1] + cells[2]; }
  ~Row() {}
};
"""


@pytest.fixture(scope="module")
def spans() -> Any:
    return sb.compile(SPANS, std="c++20")


@pytest.mark.parametrize("code", ["all()", "three()", "maybe()", "numbered()[1]", "parts()[0]"])
def test_elements_of_a_span_are_not_written(spans: Any, code: str) -> None:
    row = spans.Row()
    shown = eval(f"row.{code}", {"row": row})
    with pytest.raises(ValueError, match="read-only"):
        shown[0] = 5
    assert (shown.tolist(), row.sum()) == ([1, 2, 3], 6)


def test_a_copy_of_what_a_const_span_shows_is_of_ones_own(spans: Any) -> None:
    shown = spans.Row().fixed()
    shown[0] = 5
    assert shown.tolist() == [5, 2, 3]
