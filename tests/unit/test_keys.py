"""What stands in Python's sets and as keys of its dicts for C++'s values that change, and what cannot stand there."""

from __future__ import annotations

from typing import Any

import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # templates that are compiled one by one

CODE = """
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>
using Rows = std::set<std::vector<int>>;
using Names = std::set<std::vector<std::string>>;
using Table = std::map<std::vector<int>, int>;
using Nested = std::set<std::pair<int, std::set<std::vector<bool>>>>;
using Mapped = std::set<std::map<std::string, std::vector<int>>>;
Rows rows(const Rows& r) { return r; }
Names names(const Names& n) { return n; }
Table table(const Table& t) { return t; }
Nested nested(const Nested& n) { return n; }
Mapped mapped() { return {{{"a", {1, 2}}}}; }
Rows variable{{4}};
struct Bare {
  int n;
  bool operator<(const Bare& o) const { return n < o.n; }
  bool operator==(const Bare& o) const { return n == o.n; }
};
struct Hashed {
  std::string s;
  bool operator<(const Hashed& o) const { return s < o.s; }
  bool operator==(const Hashed& o) const { return s == o.s; }
};
template <> struct std::hash<Hashed> { std::size_t operator()(const Hashed& h) const { return h.s.size(); } };
std::set<Bare> bare() { return {{1}}; }
std::map<Bare, int> bare_keys() { return {{{1}, 2}}; }
std::set<std::vector<Bare>> bare_inside() { return {{{1}}}; }
std::set<Hashed> hashed() { return {{"abc"}}; }
std::map<Hashed, int> hashed_keys() { return {{{"abc"}, 2}}; }
"""


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(CODE, name="keys")


ROWS = {
    "rows": {(1, 2), ()}, "names": {("a", "b")}, "table": {(1, 2): 3}, "nested": {(1, frozenset({(True, False)}))},
}  # fmt: skip


@pytest.mark.parametrize("name", ROWS)
def test_they_go_back_as_they_came(lib: Any, name: str) -> None:
    assert getattr(lib, name)(ROWS[name]) == ROWS[name]


def test_results_and_variables(lib: Any) -> None:
    assert lib.mapped() == {frozenset({("a", (1, 2))})}
    assert lib.variable == {(4,)}


@pytest.mark.parametrize("name", ["bare", "bare_keys", "bare_inside"])
def test_objects_without_a_hash_say_what_gives_one(lib: Any, name: str) -> None:
    with pytest.raises(TypeError, match=r"unhashable type: 'Bare'.*std::hash<Bare> gives them one"):
        getattr(lib, name)()


def test_a_hash_of_cxx_gives_them_one(lib: Any) -> None:
    (item,) = lib.hashed()
    assert (item.s, {item: 1}[lib.Hashed("abc")], lib.hashed_keys()[lib.Hashed("abc")]) == ("abc", 1, 2)
