"""A result that refers to a container of C++'s is a copy, and says so where it would be changed in vain."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import samebytes as sb

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
