"""Classes whose objects lie alike are still two: C++ converts one to the other by its own rules, or not at all."""

from __future__ import annotations

from typing import Any

import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # it takes long

SOURCE = r"""
#include <map>
#include <optional>
#include <ratio>
#include <vector>
struct Feet { double v; };
struct Meters { double v; Meters(double x) : v(x) {} Meters(Feet f) : v(f.v * 0.5) {} };
inline double meters(const Meters& x) { return x.v; }
struct Fahrenheit;
struct Celsius { double v; };
struct Fahrenheit { double v; operator Celsius() const { return {v - 32}; } };
inline double celsius(Celsius x) { return x.v; }
inline double moved(Celsius&& x) { return x.v; }
inline double listed(const std::vector<Celsius>& x) { return x[0].v; }
inline double maybe(const std::optional<Celsius>& x) { return x->v; }
inline double mapped(const std::map<int, Celsius>& x) { return x.at(1).v; }
inline double pointed(const Celsius* p, int n) { return p[n - 1].v; }
inline double asked(Celsius (*f)(int)) { return f(1).v; }
struct Room { Celsius degrees{20}; Celsius both[2]; };
class Pair { double x; public: explicit Pair(double a) : x(a) {} double get() const { return x; } };
class Half { double x; public: explicit Half(double a) : x(a) {} operator Pair() const { return Pair(2 * x); } };
inline double pair(const Pair& q) { return q.get(); }
class Whole { int z = 42; public: int get() const { return z; } };
class Real { float z = 42; };
inline int whole(const Whole& x) { return x.get(); }
class Base { protected: int hp = 5; public: int pub() const { return hp; } };
class Car : private Base {};
inline int base(const Base& x) { return x.pub(); }
struct Outer { Celsius c; };
struct Other { Fahrenheit c; };
inline double outer(Outer x) { return x.c.v; }
Celsius everywhere;
template <class R> class Quantity {
  double v;

 public:
  explicit Quantity(double v) : v(v) {}
  template <class S> Quantity(const Quantity<S>& o) : v(o.count() * S::num * R::den / (S::den * R::num)) {}
  double count() const { return v; }
  bool operator==(const Quantity& o) const { return v == o.v; }
  bool operator<(const Quantity& o) const { return v < o.v; }
};
using Metre = Quantity<std::ratio<1>>;
using Kilometre = Quantity<std::ratio<1000>>;
inline double metres(const Metre& m) { return m.count(); }
template <class T> struct Explicit {
  T v;
  Explicit(T v) : v(v) {}
  template <class U> explicit Explicit(const Explicit<U>& o) : v(T(o.v)) {}
};
using ExplicitDouble = Explicit<double>;
using ExplicitInt = Explicit<int>;
inline double explicit_double(ExplicitDouble o) { return o.v; }
template <class T> double deduced(T, const Celsius& c) { return c.v; }
"""


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(SOURCE, name="alike", std="c++17")


@pytest.mark.parametrize(
    ("call", "answer"),
    [
        ("lib.meters(lib.Feet(10))", 5.0),
        ("lib.celsius(lib.Fahrenheit(132))", 100.0),
        ("lib.moved(lib.Fahrenheit(132))", 100.0),
        ("lib.pair(lib.Half(1))", 2.0),
        ("lib.metres(lib.Kilometre(2))", 2000.0),
        ("lib.Metre(1000) == lib.Kilometre(1)", True),
        ("lib.Metre(1000) != lib.Kilometre(1)", False),
        ("lib.Kilometre(1) == lib.Metre(1000)", True),
        ("lib.Metre(5) < lib.Kilometre(1)", True),
        ("lib.deduced[int](1, lib.Fahrenheit(132))", 100.0),
    ],
)
def test_cxx_converts_where_it_would(lib: Any, call: str, answer: float) -> None:
    assert eval(call) == answer


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ("lib.listed([f])", r"'x\[0\]': expected Celsius"),
        ("lib.maybe(f)", "expected Celsius"),
        ("lib.mapped({1: f})", "expected Celsius"),
        ("lib.pointed([f], 1)", r"'p\[0\]': expected Celsius"),
        ("lib.asked(lambda n: f)", "returned what C.. does not take: expected Celsius"),
        ("lib.Room().degrees = f", "Room.degrees: expected Celsius"),
        ("lib.Room().both = [f, f]", r"Room.both\[0\]: expected Celsius"),
        ("lib.Room(f)", "expected Celsius"),
        ("lib.whole(lib.Real())", "expected Whole"),
        ("lib.base(lib.Car())", "expected Base"),
        ("lib.outer(lib.Other(f))", "expected Outer"),
        ("lib.everywhere = f", "expected Celsius"),
    ],
)
def test_bytes_are_never_taken_for_those_of_another_class(lib: Any, statement: str, words: str) -> None:
    with pytest.raises(sb.ArgumentError, match=words):
        exec(statement, {"lib": lib, "f": lib.Fahrenheit(132)})


def test_a_class_of_the_same_name_in_another_library_is_that_class(lib: Any) -> None:
    other = sb.compile("struct Celsius { double v; }; inline double twice(Celsius c) { return 2 * c.v; }")
    assert other.twice(lib.Celsius(4)) == 8
    with pytest.raises(sb.ArgumentError, match="expected Celsius"):
        other.twice(lib.Feet(4))


def test_a_struct_of_python_is_its_bytes(lib: Any) -> None:
    @sb.struct
    class Warm:
        v: sb.float64

    assert lib.celsius(Warm(3.0)) == 3


def test_an_explicit_template_of_constructors_converts_nothing(lib: Any) -> None:
    given = lib.ExplicitInt(3)
    for _ in range(2):  # nor when it has been called by name
        with pytest.raises(sb.ArgumentError, match="expected Explicit<double>"):
            lib.explicit_double(given)
        assert lib.explicit_double(lib.ExplicitDouble(given)) == 3
