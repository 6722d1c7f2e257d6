"""Functions that are no templates, beside templates of their name: they take what Python alone converts."""

from __future__ import annotations

from typing import Any

import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # it takes long

SOURCE = r"""
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>
struct Part { virtual ~Part() {} virtual int n() const { return 1; } int v = 3; };
struct Wheel : Part { explicit Wheel(int k) { v = k; } };
class Car {
  std::vector<std::shared_ptr<Part>> parts;
 public:
  template <class T, class... A> T& add(A&&... a) {
    auto p = std::make_shared<T>(std::forward<A>(a)...);
    parts.push_back(p);
    return *p;
  }
  Part& add(std::shared_ptr<Part> p) {
    if (!p) throw std::invalid_argument("no part");
    parts.push_back(p);
    return *p;
  }
  template <class F> int each(F f) const { int s = 0; for (auto& p : parts) s += f(*p); return s; }
  int each(const std::function<int(const Part&)>& f) const {
    int s = 0;
    for (auto& p : parts) s += 100 * f(*p);
    return s;
  }
  int total() const { int s = 0; for (auto& p : parts) s += p->n() * p->v; return s; }
};
template <class T> std::string kind(const T&) { return "template"; }
template <class T> std::string kind(T, T) { return "two"; }
inline std::string kind(const std::function<int()>& f) { return "function " + std::to_string(f()); }
inline std::string kind(std::unique_ptr<Part> p, int) { return "owner " + std::to_string(p->v); }
inline std::string kind(double) { return "double"; }
"""


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(SOURCE)


def test_a_smart_pointer_takes_an_object(lib: Any) -> None:
    class Own(lib.Part):  # type: ignore[misc, name-defined]
        def n(self) -> int:
            return 10

    car, wheel, own = lib.Car(), lib.Wheel(5), Own()
    assert car.add(wheel).v == 5
    assert car.add(own) is own
    assert car.add[lib.Wheel](7).v == 7
    assert lib.Car.add(car, wheel).v == 5
    assert car.total() == 5 + 30 + 7 + 5
    with pytest.raises(ValueError, match="no part"):
        car.add(None)


def test_a_callable_is_a_function(lib: Any) -> None:
    car = lib.Car()
    car.add(lib.Wheel(2))
    assert car.each(lambda part: part.v) == 200
    assert lib.kind(lambda: 4) == "function 4"


def test_templates_come_first_where_cpp_says_so(lib: Any) -> None:
    assert [lib.kind(3), lib.kind(2.5), lib.kind(1, 2)] == ["template", "double", "two"]
    assert lib.kind(lib.Wheel(6), 1) == "owner 6"


def test_what_neither_takes_is_told_of_the_templates(lib: Any) -> None:
    with pytest.raises(sb.ArgumentError, match="kind\\(\\) cannot be deduced"):
        lib.kind(object())
    with pytest.raises(sb.ArgumentError, match="C\\+\\+ refuses it"):
        lib.Car().add("x")
