"""What cppyy's test_conversions.py is about: Python's values for containers and pairs, temporaries and their ends."""

from __future__ import annotations

import gc

import pytest

import samebytes as sb

from ..both import Both

pytestmark = [pytest.mark.full, pytest.mark.filterwarnings("ignore::samebytes.BindWarning")]

CODE = r"""
#include <map>
#include <string>
#include <utility>
#include <vector>
inline double total(const std::vector<double>& v) { double sum = 0; for (double x : v) sum += x; return sum; }
inline double total(const std::vector<double>& a, const std::vector<double>& b) { return total(a) + total(b); }
inline int whole(const std::vector<int>& v) { int sum = 0; for (int x : v) sum += x; return sum; }
inline int whole(const std::vector<int>& a, const std::vector<int>& b) { return whole(a) + whole(b); }
inline std::vector<double> upto(int n) { std::vector<double> v; for (int i = 0; i < n; ++i) v.push_back(i);
  return v; }
class Coin {
  int worth = 1;
public:
  static inline int alive = 0;
  Coin() { ++alive; }
  Coin(const Coin&) { ++alive; }
  Coin& operator=(const Coin&) = default;
  ~Coin() { --alive; }
};
inline double count(const std::vector<Coin>& v) { return v.size(); }
inline double count(const std::vector<Coin>& a, const std::vector<Coin>& b) { return a.size() + b.size(); }

class Book {
  std::map<std::string, std::string> entries;
public:
  bool insert(const std::pair<const std::string, std::string>& e) { return entries.insert(e).second; }
  std::string at(const std::string& key) { return entries.at(key); }
};
struct Bare {};
struct Truth { bool b; Truth(bool v) : b(v) {} explicit operator bool() const { return b; } };
inline Bare* no_bare() { return nullptr; }
inline Truth* no_truth() { return nullptr; }
inline Truth* a_truth(bool b) { static Truth t(false); t.b = b; return &t; }
"""
BOTH = Both(
    {
        "totals": {"total(range(10))": "total(upto(10))", "total([0.5, 2])": "total({0.5, 2})",
                   "total(range(10), (1, 2))": "total(upto(10), {1, 2})", "total(upto(10), upto(5))":
                   "total(upto(10), upto(5))", "float(sum(upto(10)))": "total(upto(10))"},
        "truth": {"bool(no_bare())": "bool(no_bare())", "bool(no_truth())": "bool(no_truth())", "bool(Truth(True))":
                  "bool(Truth(true))", "bool(Truth(False))": "bool(Truth(false))", "bool(a_truth(True))":
                  "bool(*a_truth(true))", "bool(a_truth(False))": "bool(*a_truth(false))"},
    }
)  # fmt: skip


@pytest.fixture(scope="module")
def lib():
    return sb.compile(CODE + BOTH.code)


@pytest.mark.behaviour("test01_implicit_vector_conversions")
def test_sequences_for_vectors(lib):
    BOTH.check(lib, "totals")


@pytest.mark.behaviour("test02_memory_handling_of_temporaries")
def test_objects_in_sequences_are_ended(lib):
    coin = lib.Coin
    assert coin.alive == 0
    one = coin()
    assert coin.alive == 1
    del one
    assert lib.count((coin(), coin(), coin())) == 3
    assert lib.count((coin(), coin(), coin()), [coin(), coin()]) == 5
    gc.collect()
    assert coin.alive == 0


@pytest.mark.behaviour("test03_error_handling")
def test_what_does_not_convert_leaves_nothing(lib):
    assert lib.whole(range(13)) == sum(range(13))
    for given in ([float(x) for x in range(13)], [*range(13), 0.0]):
        with pytest.raises(sb.ArgumentError, match=r"whole.*float"):
            lib.whole(given)
    for given in (([*range(13), lib.Coin()],), (range(13), [lib.Coin()]), ([lib.Coin()], range(13))):
        with pytest.raises(TypeError, match="whole"):
            lib.whole(*given)
        del given
    gc.collect()
    assert lib.Coin.alive == 0


@pytest.mark.behaviour("test04_implicit_conversion_from_tuple")
def test_a_tuple_for_a_pair(lib):
    book = lib.Book()
    assert book.insert(("a", "b"))
    assert not book.insert(("a", "c"))
    assert book.at("a") == "b"


@pytest.mark.behaviour("test05_bool_conversions")
def test_truth_and_null(lib):
    BOTH.check(lib, "truth")
    assert lib.Bare()
