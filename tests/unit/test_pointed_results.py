"""Pointers to the standard library's classes as results: a copy of the contents, or None for null."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import numpy as np
import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # large builds; test_references.py is the quick one

# The type, what the object is made of, and what Python gets.
ROWS: list[tuple[str, str, Any]] = [
    ("std::string", '"text"', "text"),
    ("std::u16string", 'u"text"', "text"),
    ("std::string_view", '"seen"', "seen"),
    ("std::vector<double>", "{1.5, 2.5}", np.array([1.5, 2.5])),
    ("std::vector<bool>", "{true, false}", np.array([True, False])),
    ("std::vector<std::string>", '{"a", "b"}', ["a", "b"]),
    ("std::vector<std::vector<int>>", "{{1}, {2, 3}}", [np.array([1]), np.array([2, 3])]),
    ("std::list<int>", "{4, 5}", np.array([4, 5])),
    ("std::set<int>", "{7}", {7}),
    ("std::map<std::string, int>", '{{"a", 1}}', {"a": 1}),
    ("std::optional<int>", "6", 6),
    ("std::pair<int, std::string>", '{1, "b"}', (1, "b")),
    ("std::tuple<int, double, std::string>", '{1, 2.5, "c"}', (1, 2.5, "c")),
    ("std::variant<int, std::string>", '"v"', "v"),
    ("std::chrono::seconds", "std::chrono::seconds(5)", timedelta(seconds=5)),
    ("std::array<std::string, 2>", '{"x", "y"}', ("x", "y")),
]
QUALIFIERS = ["", "const "]

SOURCE = """
#include <array>
#include <chrono>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>
struct K { int k = 3; std::string name = "k"; };
struct Holder {
  std::string name = "own";
  std::vector<K> all = std::vector<K>(2);
  std::shared_ptr<K> shared = std::make_shared<K>();
  const std::string* text() const { return &name; }
  std::vector<K>* objects() { return &all; }
  std::shared_ptr<K>* owner() { return &shared; }
  std::string* operator[](int i) { return i ? nullptr : &name; }
  static std::string* common() { static std::string s = "common"; return &s; }
};
inline int* alive() { static int n; return &n; }
struct Counted {
  std::string s;
  Counted() { ++*alive(); }
  Counted(const Counted& o) : s(o.s) { ++*alive(); }
  ~Counted() { --*alive(); }
};
inline int count() { return *alive(); }
inline std::vector<Counted>* counted() { static std::vector<Counted> all(3); return &all; }
inline std::string* thrown() { throw std::invalid_argument("thrown"); }
inline std::unique_ptr<K>* sole() { static std::unique_ptr<K> k; return &k; }
inline std::vector<std::unique_ptr<K>>* soles() { static std::vector<std::unique_ptr<K>> all; return &all; }
template <class T> T* same(T x) { static T kept; kept = x; return &kept; }
""" + "\n".join(
    f"inline {qualifier}{type_}* {'const_' if qualifier else ''}f{i}(bool null = false)"
    f" {{ static {type_} x = {value}; return null ? nullptr : &x; }}"
    for i, (type_, value, _) in enumerate(ROWS)
    for qualifier in QUALIFIERS
)


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(SOURCE, name="pointed", std="c++17", instantiate=["same<std::string>"])


def plain(value: Any) -> Any:
    """A value whose arrays are lists, with their types."""
    if isinstance(value, np.ndarray):
        return [value.dtype.kind, *value.tolist()]
    return [plain(v) for v in value] if isinstance(value, list) else value


@pytest.mark.parametrize("qualifier", QUALIFIERS)
@pytest.mark.parametrize("row", range(len(ROWS)), ids=[type_ for type_, *_ in ROWS])
def test_the_contents_or_none(lib: Any, row: int, qualifier: str) -> None:
    function = getattr(lib, f"{'const_' if qualifier else ''}f{row}")
    assert plain(function()) == plain(ROWS[row][2])
    assert function(True) is None


def test_methods_operators_and_templates(lib: Any) -> None:
    holder = lib.Holder()
    assert (holder.text(), holder[0], holder[1], lib.Holder.common()) == ("own", "own", None, "common")
    assert lib.same["std::string"]("given") == "given"


def test_objects_inside(lib: Any) -> None:
    holder = lib.Holder()
    first, second = holder.objects()
    with pytest.raises(AttributeError, match="It is a copy of what C\\+\\+ has"):
        first.k = 9  # as that of a vector by reference
    assert (second.name, holder.objects()[0].k) == ("k", 3)
    shared = holder.owner()
    shared.k = 8  # the object itself: its owner is shared
    assert holder.owner().k == 8
    del holder
    assert shared.name == "k"


def test_what_is_copied_ends(lib: Any) -> None:
    found = lib.counted()
    assert lib.count() == 6
    del found
    assert lib.count() == 3


def test_an_exception_passes(lib: Any) -> None:
    with pytest.raises(ValueError, match="thrown"):
        lib.thrown()


@pytest.mark.parametrize("name", ["sole", "soles"])
def test_what_can_only_be_moved_is_left_out_in_words(lib: Any, name: str) -> None:
    (skipped,) = [s for s in lib.__skipped__ if s.name == f"{name}()"]
    assert "can only be moved, so Python gets no copy" in skipped.reason
