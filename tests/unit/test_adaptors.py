"""Stacks, queues and containers without a size of their own: what C++ finds in them, and what it gives back."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # it takes long

SOURCE = r"""
#include <bitset>
#include <forward_list>
#include <functional>
#include <list>
#include <queue>
#include <stack>
#include <string>
#include <unordered_set>
#include <valarray>
#include <vector>
struct Job {
  std::string name;
  int rank;
  Job(std::string n, int r) : name(n), rank(r) {}
  bool operator<(const Job& other) const { return rank < other.rank; }
};
int top(std::stack<int> s) { return s.top(); }
int front(const std::queue<int>& q) { return q.front(); }
double first(std::priority_queue<double> q) { return q.top(); }
int least(std::priority_queue<int, std::vector<int>, std::greater<int>> q) { return q.top(); }
std::priority_queue<int, std::vector<int>, std::greater<int>> rising() {
  std::priority_queue<int, std::vector<int>, std::greater<int>> q;
  for (int i : {5, 1, 4, 1}) q.push(i);
  return q;
}
std::priority_queue<Job> jobs() {
  std::priority_queue<Job> q;
  q.emplace("low", 1);
  q.emplace("high", 9);
  q.emplace("middle", 5);
  return q;
}
std::string urgent(std::priority_queue<Job> q) { return q.top().name; }
std::queue<int, std::list<int>> turned(std::queue<int, std::list<int>> q) {
  q.push(q.front());
  q.pop();
  return q;
}
std::valarray<double> doubled(const std::valarray<double>& v) { return v * 2.0; }
std::valarray<int> none() { return {}; }
std::size_t bits(std::bitset<130> b) { return b.count(); }
std::bitset<130> one(int i) { std::bitset<130> b; b[i] = 1; return b; }
struct Desk { std::stack<std::string> papers; std::bitset<70> flags; };
std::vector<std::queue<int>> many(std::vector<std::queue<int>> v) { return v; }
"""


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(SOURCE, name="adaptors")


def test_all_of_it_is_bound(lib: Any) -> None:
    assert [s.name for s in lib.__skipped__] == []


@pytest.mark.parametrize(
    ("name", "given", "expected"),
    [
        ("top", [1, 5, 2], 2),
        ("front", (7, 8), 7),
        ("front", (x for x in [6, 7]), 6),
        ("first", [1.5, 9.5, 2.5], 9.5),
        ("first", np.array([1.0, 4.0, 2.0])[::2], 2.0),
        ("least", [3, 1, 2], 1),
        ("bits", (1 << 129) | (1 << 64) | 1, 3),
        ("bits", 0, 0),
        ("turned", [1, 2, 3], [2, 3, 1]),
        ("doubled", np.arange(6.0)[::-2], [10, 6, 2]),
    ],
)
def test_what_cxx_finds(lib: Any, name: str, given: Any, expected: Any) -> None:
    found = getattr(lib, name)(given)
    assert (found.tolist() if isinstance(found, np.ndarray) else found) == expected


def test_a_priority_queue_comes_in_its_order(lib: Any) -> None:
    assert lib.rising().tolist() == [1, 1, 4, 5]
    jobs = lib.jobs()
    assert [(job.name, job.rank) for job in jobs] == [("high", 9), ("middle", 5), ("low", 1)]
    assert lib.urgent(jobs[1:]) == "middle"


def test_members_and_elements(lib: Any) -> None:
    desk = lib.Desk()
    desk.papers, desk.flags = ["a", "b"], 1 << 69
    assert (desk.papers, desk.flags) == (["a", "b"], 1 << 69)
    assert [q.tolist() for q in lib.many([[1, 2], []])] == [[1, 2], []]
    assert (lib.none().tolist(), lib.one(128)) == ([], 1 << 128)


def test_what_is_refused(lib: Any) -> None:
    with pytest.raises(sb.RangeError, match="std::bitset<130>"):
        lib.bits(1 << 130)
    with pytest.raises(sb.RangeError, match="std::bitset<130>"):
        lib.bits(-1)
    with pytest.raises(sb.ArgumentError, match="expected a list"):
        lib.top({1, 2})
