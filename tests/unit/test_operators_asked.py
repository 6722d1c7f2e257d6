"""Operators of which C++ alone knows what they mean, or that nobody may use: right, or refused; never made up."""

from __future__ import annotations

from typing import Any

import pytest

import samebytes as sb

from ..tables import each

CODE = """
#include <atomic>
#include <string>
#include <system_error>
#include <type_traits>
#include <vector>
template <class T> struct TV {
  T x;
  template <class U> bool operator==(const TV<U>&) const { return false; }
};
using TVi = TV<int>;
template <class T> TV<T> operator-(const TV<T>& a, int) { return a; }
template <class T> bool operator==(const TV<T>&, int) { return true; }
template <class T> int operator+(const T*, const T&) { return 1; }
struct CI { int n = 7; operator int() const { return n; } };
enum U { ua = 1, ub = 2 };
inline int operator-(U, U) { return 77; }
enum class E { a = 1, b = 2 };
struct Cond {
  int n;
  template <class T, class = std::enable_if_t<std::is_enum<T>::value>> Cond(T e) : n(int(e)) {}
};
struct Code { int n = 1; };
inline bool operator==(const Code& a, const Cond& b) { return a.n == b.n; }
inline bool operator<(const Code& a, const Cond& b) { return a.n < b.n; }
struct Pt { virtual ~Pt() {} virtual bool operator==(const Pt&) const { return true; } };
struct Pd : Pt { bool operator==(const Pt&) const override { return true; } };
class Private { bool operator==(const Private&) const { return false; } public: int x = 0; };
struct Base { int x = 0; bool operator==(const Base&) const { return true; } };
struct Hides : Base { bool operator==(int) const { return false; } };
struct Less {
  int x = 0;
  bool operator<(const Less&) const = delete;
  bool operator>(const Less& o) const { return x > o.x; }
};
inline std::error_code code(int e) { return {e, std::generic_category()}; }
inline std::error_condition condition(int e) { return {e, std::generic_category()}; }
inline std::errc number(int e) { return std::errc(e); }
struct Log {
  int x = 0;
  Log() {}
  Log(int v) : x(v) {}
  Log(const Log& o) : x(o.x) {}
  Log& operator=(const Log& o) { x = o.x; return *this; }
  Log& operator=(int v) { x = v * 100; return *this; }
};
class Closed {
  Closed& operator=(int) { return *this; }
 public:
  int x = 0;
  Closed() {}
  Closed(int v) : x(v) {}
  Closed& operator=(const Closed& o) { x = o.x; return *this; }
};
struct Any {
  int x = 0;
  Any() {}
  Any(int v) : x(v) {}
  template <class T> Any& operator=(T v) { x = -v; return *this; }
};
template <class T> struct Two { T a[2]; T& operator[](int i) { return a[i]; } };
using Logs = Two<Log>; using Closeds = Two<Closed>; using Anys = Two<Any>;
struct Bits {
  std::vector<bool> v{true, false};
  std::vector<bool>::reference operator[](int i) { return v[i]; }
};
struct Pair { int a, b; };
struct Shared { std::atomic<Pair> pair{Pair{1, 2}}; };
"""
ROWS = [
    "-CI() == -7", "CI() - 1 == 6", "(CI() == 7) == True", "1 - CI() == -6", "ub - 1 == 1", "ub - ua == 77",
    "(Code(1) == E.a) == True", "(Code(1) == E.b) == False", "(Code(1) < E.b) == True", "(Code(1) != E.a) == False",
    "(Pt() == Pd()) == True", "(Pd() == Pt()) == True", "(code(2) == number(2)) == True",
    "(code(2) == std.errc.no_such_file_or_directory) == True", "(code(2) == condition(2)) == True",
    "(condition(2) == number(2)) == True", "(code(2) != number(2)) == False", "(code(2) == code(3)) == False",
    "(code(2) == 2) == False", "put(Logs(), 5).x == 500", "put(Logs(), Log(5)).x == 5",
    "put(Closeds(), Closed(5)).x == 5", "put(Bits(), True)", "(Less(3) > Less(2)) == True",
    "Shared().pair.load() == Pair(1, 2)", "Shared().pair.store(Pair(3, 4)) is None",
]  # fmt: skip
REFUSED = {
    "Private() == Private()": "it is private", "Private() != Private()": "it is private",
    "Hides() == Hides()": "no such operator", "Less(1) < Less(2)": "not bound.*deleted",
    "put(Closeds(), 5)": "it is private", "put(Anys(), 5)": "expected (an object of )?Any",
    "ub - Code()": "no such operator",
}  # fmt: skip

pytestmark = pytest.mark.full  # C++ is asked about a dozen operators, each by a compiler


@pytest.fixture(scope="module", params=["gnu++17", "gnu++20"])
def names(request: Any) -> dict[str, Any]:
    def put(target: Any, value: Any) -> Any:
        target[1] = value
        return target[1]

    lib = sb.compile(CODE, name="operators_asked", std=request.param)
    return {name: getattr(lib, name) for name in dir(lib)} | {"put": put}


@each("text", ROWS)
def test_the_operator_of_cxx_answers(names: dict[str, Any], text: str) -> None:
    assert eval(text, names)


@each("text, words", list(REFUSED.items()))
def test_what_nobody_may_use_is_refused(names: dict[str, Any], text: str, words: str) -> None:
    with pytest.raises((sb.ArgumentError, TypeError), match=words):
        eval(text, names)
