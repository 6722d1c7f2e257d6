"""Overridden classes behind pointers, and with several paths to a base: C++ finds the object of Python."""

from __future__ import annotations

from typing import Any

import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # each class that overrides is compiled

POINTED = r"""
#include <functional>
struct Contact { int id; Contact(int i) : id(i) {} virtual ~Contact() {} virtual int kind() const { return id; } };
struct Special : Contact { using Contact::Contact; int kind() const override { return 100 + id; } };
struct Plain { int numbers[2]; int n; };
class Closed { public: int v = 3; int get() const { return v; }
 private: Closed() {} ~Closed() {} friend struct World; };
struct Listener {
  virtual ~Listener() {}
  virtual void begin(Contact* c) {} virtual void pre(Contact* c, const Plain* old) {}
  virtual void shown(const Contact* c) {} virtual void closed(Closed* c) {}
  virtual Contact* choose(Contact* a, Contact* b) { return a; }
};
struct World {
  Special c{5}; Contact other{6}; Plain plain{{1, 2}, 2};
  std::function<void(Contact*)> told;
  int run(Listener* l) {
    static Closed closed;
    l->begin(&c); l->pre(&other, &plain); l->shown(&c); l->closed(&closed);
    l->begin(nullptr); l->pre(nullptr, nullptr);
    if (told) { told(&c); told(nullptr); }
    return l->choose(&c, &other)->id;
  }
};
"""


def test_what_c_plus_plus_points_to_is_the_object() -> None:
    lib = sb.compile(POINTED, name="pointed_to")
    seen: list[Any] = []

    class Mine(lib.Listener):  # type: ignore[misc, name-defined]
        def begin(self, c: Any) -> None:
            seen.append(c)

        def pre(self, c: Any, old: Any) -> None:
            seen.append((c and c.kind(), old and list(old.numbers)))
            if c is not None:
                c.id = 60

        def shown(self, c: Any) -> None:
            seen.append(c.kind())
            with pytest.raises(AttributeError):
                c.id = 7

        def closed(self, c: Any) -> None:
            seen.append(c.get())

        def choose(self, a: Any, b: Any) -> Any:
            return b

    world = lib.World()
    world.told = lambda c: seen.append(c and (type(c), c.kind()))
    assert world.run(Mine()) == 60
    assert isinstance(seen[0], lib.Special)
    assert seen[0].kind() == 105
    assert seen[1:] == [(6, [1, 2]), 105, 3, None, (None, None), (lib.Special, 105), None]


DIAMOND = r"""
#include <string_view>
struct A { virtual ~A() {} virtual int f() { return 1; } virtual int g() { return 10; } };
struct B : virtual A { int g() override { return 20; } };
struct C : virtual A { int f() override { return 3; } int g() override { return 30; } };
struct D : B, C { int g() override { return 40; } int call() { return f() + g(); } };
struct L { virtual ~L() {} virtual int f() { return 1; } }; struct M : L { int f() override { return 2; } };
struct N : L { int f() override { return 3; } }; struct O : M, N {};
inline int of(A& a) { return a.f() + a.g(); }
struct Viewing { virtual ~Viewing() {} virtual int seen(std::string_view s) { return int(s.size()); } };
inline int seen(Viewing& v) { return v.seen("seen!"); }
struct Pure { virtual ~Pure() {} virtual int g() = 0; };
"""


def test_the_final_overrider_of_a_diamond() -> None:
    lib = sb.compile(DIAMOND, name="diamond", std="c++17")

    class Mine(lib.D):  # type: ignore[misc, name-defined]
        def f(self) -> int:
            return 100 + super().f()  # type: ignore[no-any-return]

    one = Mine()
    assert (one.call(), lib.of(one), lib.D().call()) == (143, 143, 43)
    with pytest.raises(TypeError, match="several bases of the class have one"):
        type("Twice", (lib.O,), {"f": lambda self: 0})
    sees = type("Sees", (lib.Viewing,), {"seen": lambda self, s: len(s) + 1})
    assert lib.seen(sees()) == 6
    given = type("Given", (lib.Pure,), {"__init__": lambda self, k: None, "g": lambda self: 0})
    with pytest.raises(sb.ArgumentError, match=r"expected an object of Pure, got 4.0") as error:
        given(4.0)
    assert "method __new__" in error.value.__notes__[0]
