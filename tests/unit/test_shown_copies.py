"""A result that refers to a container of C++'s is a copy, and says so where it would be changed in vain."""

from __future__ import annotations

import copy
import warnings
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
    ("holder.fixed().append(1)", r"what Holder.fixed\(\) gives"),
    ("holder.fixed_pointer().clear()", r"what Holder.fixed_pointer\(\) gives"),
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


def test_what_c_plus_plus_gives_by_value_is_ones_own(lib: Any) -> None:
    found = lib.Holder().copied()
    found.append(lib.Point())
    found[0].x = 2
    assert (type(found), len(found), found[0].x) == (list, 3, 2)


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


@pytest.mark.parametrize("code", ["all()", "three()", "maybe()", "numbered()[1]", "parts()[0]", "fixed()"])
def test_elements_of_a_span_are_not_written(spans: Any, code: str) -> None:
    row = spans.Row()
    shown = eval(f"row.{code}", {"row": row})
    with pytest.raises(ValueError, match="read-only"):
        shown[0] = 5
    assert (shown.tolist(), row.sum()) == ([1, 2, 3], 6)


ELEMENTS = """
#include <array>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>
struct Bytes { int x = 1; int which() { return 1; } int which() const { return 2; } };
struct Object { int x = 1; std::string s; ~Object() {} int which() { return 1; } int which() const { return 2; } };
template <class T> struct Holder {
  using vector = std::vector<T>; using map = std::map<int, T>; using array = std::array<T, 1>;
  using optional = std::optional<T>; using pair = std::pair<int, T>; using tuple = std::tuple<T>;
  using variant = std::variant<T, int>; using rows = std::vector<std::vector<T>>;
  vector v = vector(1); map m{{0, T()}}; array a; optional o{T()}; pair p; tuple t; variant w; rows r{vector(1)};
  std::shared_ptr<vector> s = std::make_shared<vector>(1);
  ~Holder() {}
#define EACH(K, f) const K& f##_const() const { return f; } K& f##_own() { return f; } \\
  const K* f##_at() const { return &f; } K* f##_place() { return &f; } K f##_value() const { return f; }
  EACH(vector, v) EACH(map, m) EACH(optional, o) EACH(pair, p) EACH(tuple, t) EACH(variant, w) EACH(rows, r)
  const array& a_const() const { return a; } array& a_own() { return a; } array a_value() const { return a; }
  const vector& operator[](int) const { return v; } const vector& operator()() const { return v; }
  const vector& operator+(int) const { return v; }
  static const vector& shared() { static vector one(1); return one; }
  std::function<const vector&()> given() const { return [this]() -> const vector& { return v; }; }
  template <class X> const vector& of(X) const { return v; }
  const vector* begin() const { return r.data(); } const vector* end() const { return r.data() + 1; }
  std::shared_ptr<vector> s_own() const { return s; } std::shared_ptr<const vector> s_const() const { return s; }
  void call(const std::function<void(const vector&)>& f) const { f(v); }
  void call_map(const std::function<void(const map&)>& f) const { f(m); }
  void call_value(const std::function<void(vector)>& f) const { f(v); }
};
"""


def _heard(call: Any) -> Any:
    found: list[Any] = []
    call(found.append)
    return found[0]


def _first(found: Any) -> Any:
    """The first object in a container, or in one inside of it."""
    while isinstance(found, list | tuple | dict):
        found = next(
            one for one in (found.values() if isinstance(found, dict) else found) if not isinstance(one, int)
        )
    return found


KINDS = "vmopatwr"
CONST = {f"{kind}_{form}()" for kind in KINDS for form in ("const", "at") if (kind, form) != ("a", "at")} | {
    "[0]", "()", " + 1", "shared()", "given()()", "of(1)", "s_const()", "call", "call_map", "next(iter(h))",
}  # fmt: skip
OWN = {
    f"{kind}_{form}()" for kind in KINDS for form in ("own", "place") if (kind, form) != ("a", "place")
} | {"s_own()"}
VALUE = {f"{kind}_value()" for kind in KINDS} | {"call_value"}


@pytest.fixture(scope="module")
def elements() -> Any:
    return sb.compile(ELEMENTS, instantiate=["Holder<Bytes>", "Holder<Object>"])


def _found(h: Any, code: str) -> Any:
    if code.startswith("call"):
        return _first(_heard(getattr(h, code)))
    dot = "" if code[0] in "[( " else "."
    return _first(eval(code if code.startswith("next") else f"h{dot}{code}", {"h": h}))


@pytest.mark.parametrize("element", ["Bytes", "Object"])
@pytest.mark.parametrize(
    ("forms", "words"), [(CONST, r"C\+\+ gave (it|the object) as const"), (OWN, "It is a copy")]
)
def test_objects_in_what_a_result_refers_to(elements: Any, element: str, forms: set[str], words: str) -> None:
    for code in sorted(forms):
        h = elements.Holder[element]()
        with pytest.raises(AttributeError, match=words):
            _found(h, code).x = 9
        assert _found(h, code).x == 1
        calls = 2 if forms is CONST else 1  # as C++ does with what it has, though Python has a copy of it
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", sb.BindWarning)  # of a copy: what the method changes is lost
            assert (code, _found(h, code).which()) == (code, calls)
        own = copy.copy(_found(h, code))
        own.x = 9
        assert (own.x, own.which()) == (9, 1)


@pytest.mark.parametrize("element", ["Bytes", "Object"])
def test_objects_in_what_is_given_by_value_are_ones_own(elements: Any, element: str) -> None:
    for code in sorted(VALUE):
        one = _found(elements.Holder[element](), code)
        one.x = 9
        assert (one.x, one.which()) == (9, 1)
