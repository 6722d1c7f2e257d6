"""nanobind's test_make_iterator.py in our words: iterators of maps, of keys, and of what they make on the way."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

import samebytes as sb

pytestmark = pytest.mark.full

SOURCE = r"""
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>
struct Index {
  std::unordered_map<std::string, std::string> words;
  Index(std::unordered_map<std::string, std::string> w) : words(std::move(w)) {}
  auto begin() const { return words.begin(); }
  auto end() const { return words.end(); }
  const std::unordered_map<std::string, std::string>& items() const { return words; }
};
struct Keys {
  const Index* index;
  explicit Keys(const Index& i) : index(&i) {}
  struct It {
    std::unordered_map<std::string, std::string>::const_iterator at;
    const std::string& operator*() const { return at->first; }
    It& operator++() { ++at; return *this; }
    bool operator!=(const It& o) const { return at != o.at; }
  };
  It begin() const { return {index->words.begin()}; }
  It end() const { return {index->words.end()}; }
};
struct Squares {
  struct It {
    int at;
    std::pair<int, int> operator*() const { return {at, at * at}; }
    It& operator++() { ++at; return *this; }
    bool operator==(const It& o) const { return at == o.at; }
    bool operator!=(const It& o) const { return at != o.at; }
  };
  It begin() const { return {0}; }
  It end() const { return {10}; }
};
inline std::vector<std::string> listed(const Index& i) {
  std::vector<std::string> found;
  for (const auto& [key, value] : i) found.push_back(key + "=" + value);
  return found;
}
"""
DATA = ({}, {"a": "b"}, {str(i): chr(i + 1) for i in range(300)})


@pytest.fixture(scope="module")
def lib():
    return sb.compile(SOURCE, std="c++20", name="nb_make_iterator")


@pytest.mark.behaviour("test01_key_iterator")
def test_an_iterator_of_keys(lib):
    for data in DATA:
        index = lib.Index(data)
        assert sorted(lib.Keys(index)) == sorted(data)


@pytest.mark.behaviour("test02_value_iterator")
@pytest.mark.behaviour("test03_items_iterator")
def test_items_come_as_pairs_whose_parts_are_keys_and_values(lib):
    for data in DATA:
        index = lib.Index(data)
        assert sorted(index) == sorted(data.items())
        assert sorted(value for _, value in index) == sorted(data.values())
        assert index.items() == data
        assert sorted(lib.listed(index)) == sorted(f"{k}={v}" for k, v in data.items())
        assert type(iter(index)) is type(iter(lib.Index({})))


@pytest.mark.behaviour("test03_items_iterator_parallel")
def test_threads_iterate_one_object(lib):
    index = lib.Index(DATA[2])
    with ThreadPoolExecutor(8) as pool:
        assert all(found == DATA[2] for found in pool.map(lambda _: dict(index), range(16)))


@pytest.mark.behaviour("test05_iterator_returning_temporary")
def test_what_an_iterator_makes_is_each_time_its_own(lib):
    assert [*lib.Squares()] == [(i, i * i) for i in range(10)]
    kept = iter(lib.Squares())
    first, second = next(kept), next(kept)
    assert (first, second) == ((0, 0), (1, 1))
