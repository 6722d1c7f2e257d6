"""Two keys of Python's that are one to C++, and two of C++'s that are one to Python: none is lost in silence."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.tables import each

import samebytes as sb
from samebytes.values.conversion.iterables import without_repetitions

# Each function of an argument gives its size, as C++ counts it.
CODE = """
#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <strings.h>
#include <unordered_map>
#include <unordered_set>
#include <variant>
#include <vector>
struct Caseless {
  bool operator()(const std::string& a, const std::string& b) const { return strcasecmp(a.c_str(), b.c_str()) < 0; }
};
struct Bits { bool operator()(double a, double b) const { return std::memcmp(&a, &b, 8) < 0; } };
enum class E { a, b };
using std::map, std::set, std::string, std::vector;
inline int map_text(map<string, int> m) { return m.size(); }
inline int map_float(const map<float, int>& m) { return m.size(); }
inline int map_caseless(const map<string, int, Caseless>& m) { return m.size(); }
inline int hashed_map(const std::unordered_map<string, vector<int>>& m) { return m.size(); }
inline int map_enum(const map<E, int>& m) { return m.size(); }
inline int map_row(const map<vector<int>, int>& m) { return m.size(); }
inline int nested(const vector<map<string, int>>& m) { return m[0].size(); }
inline int set_in_map(const map<string, set<float>>& m) { return m.begin()->second.size(); }
inline int maybe_set(std::optional<set<string>> s) { return s->size(); }
inline int set_float(set<float> s) { return s.size(); }
inline int set_double(const set<double>& s) { return s.size(); }
inline int set_choice(const set<std::variant<int, bool>>& s) { return s.size(); }
inline int hashed_set(const std::unordered_set<double>& s) { return s.size(); }
inline int set_caseless(const set<string, Caseless>& s) { return s.size(); }
inline int set_bits(const set<double, Bits>& s) { return s.size(); }
inline int set_row(const set<vector<int>>& s) { return s.size(); }
inline int multimap(const std::multimap<string, int>& m) { return m.size(); }
inline int multiset(const std::multiset<float>& s) { return s.size(); }
inline int hashed_multiset(const std::unordered_multiset<string>& s) { return s.size(); }
struct Has { map<string, int> m; set<float> s; };
inline map<std::variant<int, double>, int> numbers() { return {{1, 1}, {1.0, 2}}; }
inline set<std::variant<int, bool>> truths() { return {1, true}; }
inline map<double, int, Bits> zeros() { return {{0.0, 1}, {-0.0, 2}}; }
inline vector<set<double, Bits>> inside() { return {{0.0, -0.0}}; }
inline map<vector<double>, int> rows() { return {{{0.0}, 1}, {{1.0}, 2}}; }
inline std::multimap<double, int> twice() { return {{0.0, 1}, {0.0, 2}}; }
"""
F32, NAN = np.float32(0.1), float("nan")


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(CODE, name="one_key")


@pytest.mark.full  # containers of many types are compiled
@each(
    ("name", "value", "key"),
    [
        ("map_text", {"a": 1, b"a": 2}, '"a"'),
        ("map_text", {"b": 0, "a": 1, "c": 3, b"a": 2}, 'item 3, "a"'),
        ("map_float", {0.1: 1, F32: 2}, "0.100000"),
        ("map_caseless", {"a": 1, "A": 2}, '"A"'),
        ("hashed_map", {"é": [1], "é".encode(): [2]}, '"é"'),
        ("nested", [{"a": 1, b"a": 2}], '"a"'),
        ("set_in_map", {"k": {0.1, F32}}, "0.100000"),
        ("maybe_set", {"a", b"a"}, '"a"'),
        ("set_float", {0.1, F32}, "0.100000"),
        ("set_float", [0.1, F32], "0.100000"),
        ("set_double", [1.0, NAN], "nan"),
        ("set_caseless", ["a", "b", "A"], 'item 2, "A"'),
        ("set_row", [[1], (1,)], "item 1 has"),
    ],
)
def test_what_cxx_would_lose_is_refused(lib: Any, name: str, value: Any, key: str) -> None:
    with pytest.raises(ValueError, match=key + r".*an item before it, as C\+\+ compares them"):
        getattr(lib, name)(value)


@pytest.mark.full
@each(
    ("name", "value", "size"),
    [
        ("map_enum", lambda m: {m.E.a: 1, m.E.b: 2}, 2),
        ("map_row", {(1, 2): 1, (1, 3): 2}, 2),
        ("hashed_set", {1.0, NAN}, 2),
        ("set_float", [1, 1, 2], 2),
        ("set_choice", [1, True, 1], 2),
        ("set_bits", [0.0, -0.0, 0.0], 2),
        ("set_row", [[1], [1], [2]], 2),
        ("set_row", np.array([[1], [1], [2]], np.int32), 2),
        ("multimap", {"a": 1, b"a": 2}, 2),
        ("multiset", [0.1, F32], 2),
        ("hashed_multiset", ["a", b"a"], 2),
    ],
)
def test_what_cxx_tells_apart_goes_in(lib: Any, name: str, value: Any, size: int) -> None:
    assert getattr(lib, name)(value(lib) if callable(value) else value) == size


@pytest.mark.full
def test_fields_and_constructors(lib: Any) -> None:
    has = lib.Has({"z": 9}, {2.0})
    for field, value in {"m": {"a": 1, b"a": 2}, "s": {0.1, F32}}.items():
        with pytest.raises(ValueError, match=r"as C\+\+ compares them"):
            setattr(has, field, value)
        with pytest.raises(ValueError, match=r"as C\+\+ compares them"):
            lib.Has(**{"m": {}, "s": set(), field: value})
    assert (has.m, has.s) == ({"z": 9}, {2.0})


@pytest.mark.full
@each(
    ("name", "keys"),
    [
        ("numbers", r"1 \(int\) and 1.0 \(float\)"),
        ("truths", r"1 \(int\) and True \(bool\)"),
        ("zeros", r"0.0 \(float\) and -0.0 \(float\)"),
        ("inside", r"0.0 \(float\) and -0.0 \(float\)"),
    ],
)
def test_what_python_would_lose_is_refused(lib: Any, name: str, keys: str) -> None:
    with pytest.raises(sb.RangeError, match=rf"C\+\+ has two keys, {keys}, that are one to"):
        getattr(lib, name)()
    assert (lib.rows(), lib.twice()) == ({(0.0,): 1, (1.0,): 2}, [(0.0, 1), (0.0, 2)])


@each(
    ("values", "size"),
    [
        ([1, 1, 2], 2),
        ([1, True, 1.0], 3),
        ([0.0, -0.0, 0.0], 2),
        ([(1,), (True,), (1,)], 2),
        ([[1], [1]], 1),
        (["a", b"a", "a"], 2),
        ([np.float32(1), np.float64(1), np.float32(1)], 2),
        ([np.array([1]), np.array([1]), np.array([2])], 2),
        (range(3), 3),
    ],
)
def test_a_list_repeats_what_is_the_very_same(values: Any, size: int) -> None:
    assert len(without_repetitions(values)) == size
