"""pybind11's test_sequences_and_iterators.py in our words: what C++ iterates, and what Python gives it to iterate."""

from __future__ import annotations

import pytest

import samebytes as sb

pytestmark = pytest.mark.full

SOURCE = r"""
#include <cstring>
#include <map>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

// Ends where the first number of a pair is zero, as an iterator that can only be moved says.
using IntPair = std::pair<int, int>;
struct End {};
class NonZero {
  const IntPair* p;
public:
  explicit NonZero(const IntPair* p) : p(p) {}
  NonZero(const NonZero&) = delete;
  NonZero(NonZero&&) = default;
  const IntPair& operator*() const { return *p; }
  NonZero& operator++() { ++p; return *this; }
  bool operator==(const End&) const { return !p->first || !p->second; }
  bool operator!=(const End& e) const { return !(*this == e); }
};
struct UntilZero {
  const IntPair* first;
  NonZero begin() const { return NonZero(first); }
  End end() const { return {}; }
};
struct KeysUntilZero {
  struct It : NonZero { using NonZero::NonZero; int operator*() const { return NonZero::operator*().first; } };
  const IntPair* first;
  It begin() const { return It(first); }
  End end() const { return {}; }
};
// Gives values, not references.
class ByValue {
  const IntPair* p;
public:
  explicit ByValue(const IntPair* p) : p(p) {}
  IntPair operator*() const { return *p; }
  ByValue& operator++() { ++p; return *this; }
  bool operator!=(const ByValue& o) const { return p != o.p; }
};
struct Values {
  const IntPair *first, *last;
  ByValue begin() const { return ByValue(first); }
  ByValue end() const { return ByValue(last); }
};
class Pairs {
  std::vector<IntPair> all;
public:
  explicit Pairs(std::vector<IntPair> v) : all(std::move(v)) {}
  const IntPair* begin() const { return all.data(); }
  const IntPair* end() const { return all.data() + all.size(); }
  UntilZero nonzero() const { return {all.data()}; }
  KeysUntilZero nonzero_keys() const { return {all.data()}; }
  Values values() const { return {all.data(), all.data() + all.size()}; }
};

class Cell {
  int n;
public:
  explicit Cell(int n) : n(n) {}
  Cell(const Cell&) = delete;
  Cell(Cell&& o) noexcept : n(o.n) {}
  Cell& operator=(Cell&&) = default;
  int get() const { return n; }
  void set(int v) { n = v; }
};
class Cells {
  std::vector<Cell> all;
public:
  void append(int n) { all.emplace_back(n); }
  std::vector<Cell>::iterator begin() { return all.begin(); }
  std::vector<Cell>::iterator end() { return all.end(); }
};

class Row {
  std::vector<float> data;
public:
  explicit Row(std::size_t n) : data(n) {}
  explicit Row(const std::vector<float>& v) : data(v) {}
  float& operator[](std::size_t i) { return data.at(i); }
  float operator[](std::size_t i) const { return data.at(i); }
  bool operator==(const Row& o) const { return data == o.data; }
  bool contains(float f) const { for (float x : data) if (x == f) return true; return false; }
  Row reversed() const { return Row(std::vector<float>(data.rbegin(), data.rend())); }
  std::size_t size() const { return data.size(); }
  const float* begin() const { return data.data(); }
  const float* end() const { return data.data() + data.size(); }
};

class Words {
  std::map<std::string, std::string> map;
public:
  Words() = default;
  explicit Words(std::map<std::string, std::string> m) : map(std::move(m)) {}
  const std::string& operator[](const std::string& key) const { return map.at(key); }
  void set(const std::string& key, const std::string& value) { map[key] = value; }
  std::size_t size() const { return map.size(); }
  std::map<std::string, std::string>::const_iterator begin() const { return map.begin(); }
  std::map<std::string, std::string>::const_iterator end() const { return map.end(); }
};

struct Triple {
  double values[3];
  Triple(double x, double y, double z) : values{x, y, z} {}
  const double* begin() const { return values; }
  const double* end() const { return values + 3; }
};
inline std::vector<int> through(const std::vector<int>& v) { return v; }
inline std::vector<std::string> texts(std::vector<std::string> v) { return v; }
inline std::size_t count(const std::vector<std::string>& v) { return v.size(); }
"""


@pytest.fixture(scope="module")
def lib():
    return sb.compile(SOURCE)


CASES = {
    "to a zero at the end": [(1, 2), (3, 4), (0, 5)],
    "to a zero within": [(1, 2), (2, 0), (0, 3), (4, 5), (0, 0)],
    "nothing": [(0, 3), (1, 2), (3, 4)],
}


@pytest.mark.behaviour("test_generalized_iterators")
@pytest.mark.parametrize("case", CASES)
def test_an_end_that_is_another_class(lib, case):
    pairs = CASES[case]
    expected = []
    for a, b in pairs:
        if not (a and b):
            break
        expected.append((a, b))
    assert list(lib.Pairs(pairs).nonzero()) == expected
    assert list(lib.Pairs(pairs).nonzero_keys()) == [a for a, _ in expected]


@pytest.mark.behaviour("test_generalized_iterators")
def test_an_iterator_that_is_done_stays_so(lib):
    pairs = lib.Pairs([(0, 0)])
    for it in (iter(pairs.nonzero()), iter(pairs.nonzero_keys())):
        for _ in range(3):
            with pytest.raises(StopIteration):
                next(it)


@pytest.mark.behaviour("test_nonref_iterators")
def test_an_iterator_that_gives_values(lib):
    pairs = lib.Pairs([(1, 2), (3, 4), (0, 5)])
    assert list(pairs.values()) == [(1, 2), (3, 4), (0, 5)]


@pytest.mark.behaviour("test_generalized_iterators_simple")
def test_pointers_as_iterators(lib):
    assert list(lib.Pairs([(1, 2), (3, 4), (0, 5)])) == [(1, 2), (3, 4), (0, 5)]
    assert list(lib.Pairs([])) == []


@pytest.mark.behaviour("test_iterator_referencing")
def test_elements_are_the_objects(lib):
    cells = lib.Cells()
    cells.append(3)
    cells.append(5)
    assert [cell.get() for cell in cells] == [3, 5]
    for cell in cells:
        cell.set(cell.get() + 1)
    assert [cell.get() for cell in cells] == [4, 6]


@pytest.mark.behaviour("test_sliceable")
def test_slices_are_lists_of_what_cxx_gives(lib):
    row = lib.Row(100)
    for i in range(100):
        row[i] = i / 2
    for s in (slice(None), slice(10, None), slice(None, None, -10), slice(50, 60, 1)):
        assert row[s] == list(row)[s]
    assert row[-1] == 49.5


@pytest.mark.behaviour("test_sequence")
def test_a_sequence_of_cxx(lib):
    row = lib.Row(5)
    assert (len(row), row[0], row[3]) == (5, 0, 0)
    assert not row.contains(12.5)
    row[0], row[3] = 12.5, 56.75
    assert row.contains(12.5)
    assert 12.5 in row
    assert list(row) == [12.5, 0, 0, 56.75, 0]
    back = row.reversed()
    assert list(back) == [0, 56.75, 0, 0, 12.5]
    assert back.reversed() == row != back
    assert row == lib.Row([12.5, 0, 0, 56.75, 0])
    with pytest.raises(IndexError):
        row[5]
    it = iter(lib.Row(0))
    for _ in range(3):
        with pytest.raises(StopIteration):
            next(it)
    kept = iter(lib.Row([1, 2]))
    assert list(kept) == [1, 2]  # the iterator keeps the object


@pytest.mark.behaviour("test_sequence_length")
def test_an_error_of_len_is_raised(lib):
    class BadLength(RuntimeError):
        pass

    class Like:
        def __getitem__(self, i):
            return None

        def __len__(self):
            raise BadLength

    with pytest.raises((BadLength, sb.ArgumentError)) as error:
        lib.count(Like())
    assert "BadLength" in repr(error.value) or "Like" in str(error.value)
    assert lib.count(["a", "b", "c"]) == 3
    with pytest.raises(sb.ArgumentError, match="got 'hello'"):
        lib.count("hello")  # a text is no list of texts


@pytest.mark.behaviour("test_map_iterator")
def test_a_map_of_cxx(lib):
    words = lib.Words({"hi": "bye", "black": "white"})
    assert (words["hi"], words["black"], len(words)) == ("bye", "white", 2)
    with pytest.raises(IndexError):
        words["orange"]
    words.set("orange", "banana")
    assert dict(words) == {"hi": "bye", "black": "white", "orange": "banana"}
    it = iter(lib.Words())
    for _ in range(3):
        with pytest.raises(StopIteration):
            next(it)


@pytest.mark.behaviour("test_python_iterator_in_cpp")
def test_what_python_has_several_of(lib):
    assert list(lib.through([1, 2, 3])) == list(lib.through((1, 2, 3))) == [1, 2, 3]
    assert list(lib.through(range(5))) == [0, 1, 2, 3, 4]


@pytest.mark.behaviour("test_python_iterator_in_cpp")
@pytest.mark.behaviour("test_iterator_passthrough")
@pytest.mark.parametrize("value", [1, None, {}], ids=repr)
def test_what_is_no_sequence(lib, value):
    with pytest.raises(sb.ArgumentError, match="expected"):
        lib.through(value)
    assert list(lib.through(iter([3, 5, 7]))) == [3, 5, 7]


@pytest.mark.behaviour("test_carray_iterator")
def test_an_array_of_c(lib):
    assert list(lib.Triple(0, 1, 2)) == [0.0, 1.0, 2.0]
