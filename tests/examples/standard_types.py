"""Each type of the standard library that crosses, there and back: what a compiler of another library must give, too."""

from __future__ import annotations

import datetime
import pathlib
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

import samebytes as sb

# The C++ type, and a value that goes in and comes back.
CASES: tuple[tuple[str, Any], ...] = (
    ("std::string", "sheep"),
    ("std::string", "a string that is longer than any small one"),
    ("std::string_view", "seen"),
    ("std::u16string", "Zürich"),
    ("std::u32string", "Zürich 🐑"),
    ("std::wstring", "wide"),
    ("std::vector<int>", [3, 9, 4]),
    ("std::vector<bool>", [True, False, True]),
    ("std::vector<std::string>", ["a", "b" * 40]),
    ("std::vector<std::vector<double>>", [[1.5], [], [2.5, 3.5]]),
    ("std::deque<short>", [1, 2]),
    ("std::list<std::string>", ["x", "y"]),
    ("std::set<int>", {1, 2}),
    ("std::unordered_set<std::string>", {"p", "q"}),
    ("std::multiset<int>", [1, 1, 2]),
    ("std::unordered_multiset<int>", [2, 2]),
    ("std::forward_list<std::string>", ["x", "y"]),
    ("std::forward_list<int>", [3, 1, 2]),
    ("std::valarray<double>", [1.5, 2.5]),
    ("std::stack<int>", [3, 1, 2]),
    ("std::queue<std::string>", ["front", "back"]),
    ("std::priority_queue<int>", [5, 3, 3, 1]),
    ("std::bitset<100>", 1 << 99 | 5),
    ("std::map<std::string, int>", {"a": 1, "b": 2}),
    ("std::unordered_map<int, std::string>", {1: "a"}),
    ("std::multimap<int, int>", [(1, 2), (1, 3)]),
    ("std::optional<std::string>", None),
    ("std::optional<int>", 5),
    ("std::pair<int, std::string>", (1, "a")),
    ("std::tuple<int, double, std::string>", (1, 2.5, "a")),
    ("std::array<int, 3>", (1, 2, 3)),
    ("std::array<std::string, 2>", ("a", "b")),
    ("std::variant<int, std::string>", "text"),
    ("std::variant<std::monostate, double>", 2.5),
    ("std::bitset<5>", 21),
    ("std::complex<double>", 1 + 2j),
    ("std::chrono::milliseconds", datetime.timedelta(seconds=1.5)),
    ("std::filesystem::path", pathlib.Path("/usr/include")),
    ("std::shared_ptr<int>", 3),
    ("std::unique_ptr<std::string>", "owned"),
)

HEADERS = """
  array bitset chrono complex deque filesystem forward_list functional list map memory optional queue set stack
  stdexcept string string_view tuple unordered_map unordered_set valarray variant vector
"""

REST = """
#include <samebytes/array.hpp>
struct Sheep { std::string name; int age; Sheep(std::string name, int age) : name(std::move(name)), age(age) {} };
class Fold {
  std::vector<std::shared_ptr<Sheep>> sheep;
  std::function<int(int)> rule;
 public:
  explicit Fold(std::function<int(int)> rule) : rule(std::move(rule)) {}
  void add(std::shared_ptr<Sheep> one) { sheep.push_back(std::move(one)); }
  int sum() const { int s = 0; for (auto& one : sheep) s += rule(one->age); return s; }
  std::shared_ptr<Sheep> at(int i) const { return sheep.at(i); }
  std::string& name(int i) { return sheep.at(i)->name; }
};
double total(const std::map<std::string, std::vector<double>>& m) {
  double s = 0;
  for (auto& [k, v] : m) for (auto x : v) s += x;
  return s;
}
long sizes() { return sizeof(std::string) + 100 * sizeof(std::vector<int>) + 10000 * sizeof(std::map<int, int>); }
void scale(samebytes::array<float, 2> a, float by) { for (std::size_t i = 0; i < a.shape[0]; ++i) a(i, 0) *= by; }
[[noreturn]] void fail() { throw std::out_of_range("far out"); }
template <class T> T largest(const std::vector<T>& v) { T m = v.at(0); for (T x : v) if (x > m) m = x; return m; }
"""


def _lists(value: Any) -> Any:
    """A value with its arrays as lists."""
    if isinstance(value, np.ndarray):
        return value.tolist()
    return list(map(_lists, value)) if isinstance(value, list) else value


def _failure(function: Callable[[], object]) -> tuple[type, str]:
    try:
        function()
    except Exception as error:
        return type(error), str(error)
    raise AssertionError("no exception arrived")


def main(step: int) -> None:
    """Go through the cases, or through one of so many where a compiler takes long."""
    cases = CASES[::step]
    source = "".join(f"#include <{name}>\n" for name in HEADERS.split())
    source += "".join(f"{case[0]} same{n}({case[0]} x) {{ return x; }}\n" for n, case in enumerate(cases))
    lib = sb.compile(source + REST)
    assert lib.__skipped__ == (), lib.__skipped__
    for n, (spelling, value) in enumerate(cases):
        back = _lists(getattr(lib, f"same{n}")(value))
        assert back == value, f"{spelling}: {value!r} came back as {back!r}"
    fold = lib.Fold(lambda age: 2 * age)
    one = lib.Sheep("Dolly", 6)
    fold.add(one)
    assert fold.sum() == 12
    assert fold.at(0).name == "Dolly"
    assert fold.name(0) == "Dolly"
    assert lib.total({"a": [1.5, 2], "b": [3]}) == 6.5
    assert lib.largest["std::string"](["a", "c", "b"]) == "c"
    assert _failure(lib.fail) == (IndexError, "far out")
    print("sizes", lib.sizes())


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 1)
