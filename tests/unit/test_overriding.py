"""A class that Python derives does not seem to override what C++ calls: it is refused when it is made."""

from __future__ import annotations

from typing import Any

import pytest

import samebytes as sb

SOURCE = """
struct Base {
  int a = 1;
  virtual ~Base() {}
  virtual int f() const { return 1; }
  virtual int operator()(int x) { return x; }
  virtual void del() {}
  int plain() { return 3; }
  int calls() { return hook() + secret(); }
 protected:
  virtual int hook() { return 4; }
 private:
  virtual int secret() { return 5; }
};
struct Derived : Base { int f() const override { return 2; } };
template <class T> struct Shape { virtual ~Shape() {} virtual T area() const { return 1; } };
template struct Shape<int>;
struct Square : Shape<int> { int side = 1; };
inline int area(const Shape<int>& s) { return s.area(); }
class Mute { public: ~Mute() {} int f() { return 6; } };
"""


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(SOURCE, name="overriding")


# The base, the name that Python gives, and the virtual function that has it.
REFUSED = [
    ("Base", "f", "Base::f()"),
    ("Derived", "f", "Derived::f()"),
    ("Base", "hook", "Base::hook()"),
    ("Derived", "secret", "Derived::secret()"),
    ("Base", "__call__", "Base::operator()()"),
    ("Base", "del_", "Base::del()"),
    ("Square", "area", "Square::area()"),
]


@pytest.mark.parametrize(("base", "name", "function"), REFUSED)
def test_refused_when_the_class_is_made(lib: Any, base: str, name: str, function: str) -> None:
    cls = getattr(lib, base)
    mixin = type("Mixin", (), {"__slots__": (), name: lambda self: 0})
    plain = type("Plain", (cls,), {})
    for make in (
        lambda: type("Mine", (cls,), {name: lambda self: 0}),
        lambda: type("Mine", (mixin, cls), {}),
        lambda: type("Mine", (plain,), {name: 5}),
        lambda: setattr(plain, name, lambda self: 0),
    ):
        with pytest.raises(TypeError) as caught:
            make()
        assert f"overrides {function}, which is virtual" in str(caught.value)
    assert type("Behind", (cls, mixin), {})().__class__.__mro__[1] is cls


def test_a_template_s_class(lib: Any) -> None:
    with pytest.raises(TypeError, match=r"overrides Shape<int>::area\(\)"):
        type("Mine", (lib.Shape["int"],), {"area": lambda self: 2})


def test_what_is_not_virtual_may_be_hidden(lib: Any) -> None:
    class Mine(lib.Base):  # type: ignore[misc,name-defined]
        def plain(self) -> int:
            return super().plain() * 10

        def __repr__(self) -> str:
            return "mine"

    class Muted(lib.Mute):  # type: ignore[misc,name-defined]
        def f(self) -> int:
            return 7

    mine = Mine()
    assert (mine.plain(), repr(mine), mine.f(), mine.calls(), Muted().f()) == (30, "mine", 1, 9, 7)
    Mine.more = 3
    assert mine.more == 3
