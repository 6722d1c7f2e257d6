"""What C++ protects: objects of classes that Python derives have it, those of C++'s classes refuse it and say why."""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import Any

import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # each class that opens another is compiled

SOURCE = r"""
#include <memory>
#include <string>
#include <vector>
class Base {
 public:
  virtual ~Base() {}
  int get() const { return data; }
  int ask() const { return hidden(1); }
  const std::string& text() const { return s; }
 protected:
  int data = 4;
  std::string s = "Hello";
  unsigned bits : 3;
  const int fixed = 6;
  static inline int count = 7;
  static constexpr int K = 8;
  int arr[3] = {1, 2, 3};
  std::vector<double> v{1.5, 2.5};
  static int next(int a) { return a + count; }
  int f(int i) const { return i + data; }
  int f(double d, int n) { return n + static_cast<int>(d); }
  virtual int hidden(int i) const { return i + 10; }
  virtual int other() const { return 5; }
  template <class T> T made(T a) { return a; }
  struct Nested { int q; };
  Nested nested() { return {4}; }
  enum Color { RED = 3 };
  int mixed(int x) { return x + data; }
  static int mixed(const std::string& x) { return static_cast<int>(x.size()); }
  void fails() { throw std::string("no"); }
 private:
  int mixed(int x, int y) { return x + y; }
  int secret = 1;
};
struct Derived : Base {
  using Base::other;
 protected:
  int data2 = 8;
  int f(int i) { return -i; }
 private:
  int arr = 0;
};
struct Deep : Derived {};
struct Guards : protected Base { int shown() { return data; } };
struct Bytes { int a = 1; int seen() const { return b; } protected: int b = 5; int sum() const { return a + b; } };
template <class T> class Box { public: virtual ~Box() {} T get() const { return value; } protected: T value = T(2);
  T twice() const { return value + value; } };
using IntBox = Box<int>;
class Made {
 protected:
  int k;
  Made(int number, const std::string& t) : k(number + static_cast<int>(t.size())) {}
 public:
  static inline int living = 0;
  virtual ~Made() {}
  int get() const { return k; }
  virtual int ask() const { return k; }
};
inline int ask(const Made& m) { return m.ask(); }
class Alone { protected: Alone() {} public: virtual ~Alone() {} int n() const { return 3; } };
class Pure { public: virtual ~Pure() {} int run() const { return step(2); } protected: Pure() {} int base = 30;
  virtual int step(int) const = 0; virtual int step(double) const { return base; } };
struct Other { virtual ~Other() {} virtual int o() { return o2(); }
 protected: virtual int o2() { return 9; } int od = 2; };
inline int call_o(Other& other) { return other.o(); }
"""


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(SOURCE, name="protecting")


def _set(name: str, value: object) -> Callable[[Any], Any]:
    def act(one: Any) -> Any:
        setattr(one, name, value)
        return one

    return act


# What is done to an object of a class of Python's, and what C++ answers.
ROWS: dict[str, tuple[Callable[[Any], Any], Any]] = {
    "a number": (lambda o: o.data, 4),
    "a number that is set": (lambda o: _set("data", 9)(o).get(), 9),
    "a text": (lambda o: o.s, "Hello"),
    "a text that is set": (lambda o: _set("s", "ab")(o).text(), "ab"),
    "bits": (lambda o: _set("bits", 5)(o).bits, 5),
    "an array": (lambda o: o.arr.tolist(), [1, 2, 3]),
    "a container": (lambda o: list(o.v), [1.5, 2.5]),
    "a const member": (lambda o: o.fixed, 6),
    "a static variable": (lambda o: (o.count, type(o).count), (7, 7)),
    "a constant": (lambda o: (o.K, o.RED), (8, 3)),
    "a static function": (lambda o: (o.next(1), type(o).next(2)), (8, 9)),
    "overloads": (lambda o: (o.f(3), o.f(2.0, 1)), (7, 3)),
    "a virtual function": (lambda o: (o.hidden(2), o.ask()), (12, 11)),
    "beside private overloads": (lambda o: (o.mixed(3), o.mixed("abc")), (7, 3)),
}


@pytest.mark.parametrize("row", ROWS)
def test_classes_that_python_derives_have_it(lib: Any, row: str) -> None:
    act, answer = ROWS[row]
    assert act(type("Mine", (lib.Base,), {})()) == answer
    further = type("Further", (type("Mine", (lib.Base,), {"other": lambda self: 1}),), {})
    assert act(further()) == answer


def test_static_variables_are_set(lib: Any) -> None:
    mine = type("Mine", (lib.Base,), {})
    mine.count = 70
    assert (mine.next(1), mine().count) == (71, 70)
    mine().count = 7
    assert mine.next(1) == 8
    with pytest.raises(AttributeError):
        mine().K = 4


def test_within_methods_of_python(lib: Any) -> None:
    class Mine(lib.Base):
        def __init__(self) -> None:
            super().__init__()
            self.data = 20
            self.own = self.f(1)

        def hidden(self, i: int) -> int:
            return int(super().hidden(i)) + int(self.data) + int(super().f(0))

    one = Mine()
    assert (one.own, one.ask(), one.get(), lib.Base().ask()) == (21, 51, 20, 11)
    assert {"data", "f", "hidden", "own"} <= set(dir(one))
    assert "data" not in dir(lib.Base())
    assert "f(i: int32) -> int32" in str(sb.explain(Mine.f))


REFUSED: dict[str, tuple[Callable[[Any], Any], str]] = {
    "of an object": (lambda lib: lib.Base().data, "Base.data is protected: only classes that Python derives"),
    "set": (lambda lib: _set("data", 3)(lib.Base()), "Base.data is protected"),
    "called": (lambda lib: lib.Base().f(1), "Base.f is protected"),
    "by the class": (lambda lib: lib.Base.f(type("M", (lib.Base,), {})(), 1), "Base.f is protected"),
    "static": (lambda lib: lib.Base.next(1), "Base.next is protected"),
    "of a derived class": (lambda lib: lib.Derived().data, "only classes that Python derives from Derived"),
    "private": (lambda lib: type("M", (lib.Base,), {})().secret, "no attribute 'secret'"),
    "made private": (lambda lib: type("M", (lib.Derived,), {})().arr, "not public"),
    "a template": (
        lambda lib: type("M", (lib.Base,), {})().made(1),
        "protected, and not bound: it is a member templ",
    ),
    "a type": (
        lambda lib: type("M", (lib.Base,), {}).Nested,
        "protected, and not bound: Nested is no public name",
    ),
    "of such a type": (lambda lib: type("M", (lib.Base,), {})().nested(), "Nested is no public name of Base"),
    "const": (lambda lib: _set("fixed", 3)(type("M", (lib.Base,), {})()), "const|cannot be changed"),
    "deleted": (lambda lib: delattr(type("M", (lib.Base,), {})(), "data"), "nothing deletes"),
}


@pytest.mark.parametrize("row", REFUSED)
def test_what_is_refused(lib: Any, row: str) -> None:
    act, words = REFUSED[row]
    with pytest.raises(AttributeError, match=words):
        act(lib)


def test_values_are_checked(lib: Any) -> None:
    mine = type("Mine", (lib.Base,), {})()
    with pytest.raises(sb.ArgumentError, match=r"Mine\.data: expected int32"):
        mine.data = "text"
    with pytest.raises(sb.ArgumentError, match=r"mixed\(\) got 2 arguments"):
        mine.mixed(1, 2)


def test_through_several_levels(lib: Any) -> None:
    one = type("Mine", (lib.Deep,), {})()
    assert (one.data, one.data2, one.f(3), one.mixed(1), one.other(), one.hidden(0)) == (4, 8, -3, 5, 5, 10)
    one.data = 6
    assert one.get() == 6
    assert type("Mine", (lib.Guards,), {})().data == lib.Guards().shown() == 4


def test_records_and_templates(lib: Any) -> None:
    one = type("Mine", (lib.Bytes,), {})()
    assert (one.b, one.sum()) == (5, 6)
    one.b = 7
    assert (one.seen(), one.sum()) == (7, 8)
    box = type("Boxed", (lib.IntBox,), {})()
    box.value = 21
    assert (box.twice(), box.get()) == (42, 21)


def test_protected_constructors(lib: Any) -> None:
    class Mine(lib.Made):
        def __init__(self, n: int) -> None:
            super().__init__(n, t="ab")

        def ask(self) -> int:
            return int(self.k) * 10

    one = Mine(3)
    assert (one.get(), one.k, lib.ask(one)) == (5, 5, 50)
    plain = type("Plain", (lib.Made,), {})(1, "c")
    assert (plain.k, lib.ask(plain), type("Bare", (lib.Alone,), {})().n()) == (2, 2, 3)
    for cls in (lib.Made, lib.Alone):
        with pytest.raises(sb.ArgumentError):
            cls()
    del one, plain
    gc.collect()


def test_pure_functions(lib: Any) -> None:
    mine = type("Mine", (lib.Pure,), {"step": lambda self, i: i + self.base})
    assert mine().run() == 32
    with pytest.raises(TypeError, match=r"it is abstract, as it lacks Pure::step\(\)"):
        type("Half", (lib.Pure,), {})()


def test_joined_bases(lib: Any) -> None:
    class Over(lib.Other):
        def o2(self) -> int:
            return int(super().o2()) + self.od

    class Mine(lib.Base, Over):
        def ask(self) -> int:
            return 1

    class Both(lib.Base, lib.Other):
        def o2(self) -> int:
            return int(super().o2()) + int(self.data)

    one, two = Mine(), Both()
    one.od, two.data = 5, 50
    assert (lib.call_o(one), one.o2(), one.data, one.hidden(0), one.s) == (14, 14, 4, 10, "Hello")
    assert (lib.call_o(two), two.od, two.get(), two.mixed(1)) == (59, 2, 50, 51)
