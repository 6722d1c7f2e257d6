"""pybind11's test_stl_binders.py in our words: containers of C++ as they are, and classes that are like them."""

from __future__ import annotations

import gc

import numpy as np
import pytest

import samebytes as sb

pytestmark = pytest.mark.full

SOURCE = r"""
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>
struct Only {
  int value;
  explicit Only(int v) : value(v) { ++lives; }
  Only(const Only&) = delete;
  Only(Only&& o) noexcept : value(o.value) { ++lives; }
  ~Only() { --lives; }
  static inline int lives = 0;
};
template <class C> C up_to(int n) { C c; for (int i = 1; i <= n; ++i) c.emplace_back(i); return c; }
template <class M> M tens(int n) { M m; for (int i = 1; i <= n; ++i) m.emplace(i, Only(10 * i)); return m; }
inline std::vector<Only> vector(int n) { return up_to<std::vector<Only>>(n); }
inline std::deque<Only> deque(int n) { return up_to<std::deque<Only>>(n); }
inline std::map<int, Only> map(int n) { return tens<std::map<int, Only>>(n); }
inline std::unordered_map<int, Only> hashed(int n) { return tens<std::unordered_map<int, Only>>(n); }
inline std::map<int, std::vector<Only>> of_vectors(int n) {
  std::map<int, std::vector<Only>> m;
  for (int i = 1; i <= n; ++i) m.emplace(i, up_to<std::vector<Only>>(n));
  return m;
}
inline std::map<int, std::map<int, Only>> of_maps(int n) {
  std::map<int, std::map<int, Only>> m;
  for (int i = 1; i <= n; ++i) m.emplace(i, tens<std::map<int, Only>>(n));
  return m;
}

struct Record { bool w; std::uint32_t x; double y; bool z; };
inline std::vector<Record> records() { return {{false, 5, 3.0, true}, {true, 30, -1e4, false}}; }
inline unsigned sum_x(const std::vector<Record>& v) { unsigned s = 0; for (auto& r : v) s += r.x; return s; }
inline std::vector<std::uint8_t> bytes(std::vector<std::uint8_t> v) { return v; }
inline std::vector<int> ints(std::vector<int> v) { return v; }
inline std::vector<unsigned> words(const std::vector<unsigned>& v) { return v; }
inline std::vector<bool> flips(std::vector<bool> v) { v.flip(); return v; }
struct El { int a; explicit El(int a) : a(a) {} ~El() {} };
inline std::vector<std::vector<El>> nested() { return {{El(1), El(2)}, {El(3)}}; }
inline const std::map<std::string, double>& fixed() {
  static std::map<std::string, double> m{{"a", 10}, {"b", 20.5}};
  return m;
}
inline const std::unordered_map<std::string, const double>& fixed_hashed() {
  static std::unordered_map<std::string, const double> m{{"c", 11}};
  return m;
}

struct Tree : std::vector<Tree> {
  using std::vector<Tree>::vector;
  std::size_t count() const { std::size_t n = 1; for (auto& t : *this) n += t.count(); return n; }
  void grow() { emplace_back(); }
};
inline Tree forest() { Tree t; t.grow(); t.grow(); t[0].grow(); return t; }
struct Names : std::map<int, Names> { std::size_t depth() const { return empty() ? 1 : 1 + begin()->second.depth(); } };
inline Names names() { Names n; n[100][101]; return n; }

class Numbers : private std::vector<int> {
  using Base = std::vector<int>;
public:
  using Base::at;
  using Base::push_back;
  using Base::size;
  using Base::clear;
  void append(int n) { push_back(n); }
  int get(std::size_t i) const { return at(i); }
};
class Pairs : private std::map<int, int> {
public:
  using std::map<int, int>::size;
  int& operator[](int k) { return std::map<int, int>::operator[](k); }
};
"""


@pytest.fixture(scope="module")
def lib():
    return sb.compile(SOURCE)


@pytest.mark.behaviour("test_noncopyable_containers")
def test_containers_of_what_only_moves(lib):
    gc.collect()
    before = lib.Only.lives
    for f in (lib.vector, lib.deque):
        assert [one.value for one in f(5)] == [1, 2, 3, 4, 5]
    for f in (lib.map, lib.hashed):
        assert {key: one.value for key, one in f(5).items()} == {n: 10 * n for n in range(1, 6)}
    found = lib.of_vectors(3)
    assert {key: [one.value for one in all] for key, all in found.items()} == {
        n: [1, 2, 3] for n in (1, 2, 3)
    }
    deep = lib.of_maps(3)
    assert {k: {j: one.value for j, one in m.items()} for k, m in deep.items()} == {
        n: {1: 10, 2: 20, 3: 30} for n in (1, 2, 3)
    }
    kept = found[2][1]
    del found, deep
    gc.collect()
    assert kept.value == 2
    del kept
    gc.collect()
    assert lib.Only.lives == before


@pytest.mark.behaviour("test_vector_buffer")
def test_vectors_of_bytes(lib):
    data = bytearray([1, 2, 3, 4])
    made = lib.bytes(data)
    assert made.tolist() == [1, 2, 3, 4]
    shown = memoryview(made)
    shown[2] = 6
    assert made[2] == 6
    assert data[2] == 3  # a copy
    assert lib.bytes(memoryview(data)[::2]).tolist() == [1, 3]


@pytest.mark.behaviour("test_vector_buffer_numpy")
def test_vectors_of_arrays(lib):
    a = np.array([[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]], np.uintc)
    assert lib.words(a[0, :]).tolist() == [1, 2, 3, 4]
    assert lib.words(a[:, 1]).tolist() == [2, 6, 10]
    with pytest.raises(sb.ArrayError, match="expected a list or an array int32"):
        lib.ints(a[0])
    made = lib.records()
    assert (made[0].x, made[1].y) == (5, -1e4)
    made[1].x = 99
    assert lib.sum_x(made) == 104
    table = np.zeros(3, np.dtype([("w", "?"), ("x", "u4"), ("y", "f8"), ("z", "?")], align=True))
    table["x"] = 1, 2, 3
    assert lib.sum_x(table) == 6


@pytest.mark.behaviour("test_vector_bool")
def test_vectors_of_bits(lib):
    assert list(lib.flips([i % 2 == 0 for i in range(10)])) == [i % 2 == 1 for i in range(10)]


@pytest.mark.behaviour("test_vector_custom")
def test_vectors_of_vectors_of_objects(lib):
    assert [[el.a for el in row] for row in lib.nested()] == [[1, 2], [3]]


@pytest.mark.behaviour("test_map_string_double_const")
def test_maps_that_are_const(lib):
    assert lib.fixed() == {"a": 10, "b": 20.5}
    assert lib.fixed_hashed() == {"c": 11}


@pytest.mark.behaviour("test_recursive_vector")
def test_a_class_that_is_a_vector_of_itself(lib):
    tree = lib.Tree()
    tree.grow()
    tree.grow()
    assert tree.count() == 3
    assert lib.forest().count() == 4


@pytest.mark.behaviour("test_recursive_map")
def test_a_class_that_is_a_map_of_itself(lib):
    assert lib.names().depth() == 3
    assert lib.Names().depth() == 1


@pytest.mark.behaviour("test_user_vector_like")
def test_a_class_that_is_like_a_vector(lib):
    numbers = lib.Numbers()
    numbers.append(2)
    numbers.push_back(3)
    assert (numbers.get(0), numbers.get(1), numbers.size()) == (2, 3, 2)
    with pytest.raises(IndexError):
        numbers.get(2)


@pytest.mark.behaviour("test_user_like_map")
def test_a_class_that_is_like_a_map(lib):
    pairs = lib.Pairs()
    pairs[33] = 44
    assert (pairs[33], pairs.size()) == (44, 1)
