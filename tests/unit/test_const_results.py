"""What C++ returns by reference or pointer to const is const in Python, even where it is an argument of the call."""

from __future__ import annotations

import contextlib
import copy
import gc
from typing import Any

import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # to read and to compile it takes seconds

CODE = r"""
#include <string>
struct Part {
  static inline int alive = 0;
  std::string name{"part"};
  Part() { ++alive; }
  ~Part() { --alive; }
  std::string how() const { return "const"; }
  std::string how() { return "mutable"; }
  Part& rename(const std::string& n) { name = n; return *this; }
  const Part& fixed() const { return *this; }
  const Part* fixed_pointer() const { return this; }
  Part& itself() { return *this; }
  const Part& of(const Part& p) const { return p; }
};
inline const Part& same(const Part& p) { return p; }
inline const Part* same_pointer(const Part* p) { return p; }
inline Part& edited(Part& p) { return p; }
"""
CONST = {
    "a method's object": lambda lib, p: p.fixed(),
    "a pointer to a method's object": lambda lib, p: p.fixed_pointer(),
    "an argument": lambda lib, p: lib.same(p),
    "a pointer to an argument": lambda lib, p: lib.same_pointer(p),
    "another argument": lambda lib, p: lib.Part().of(p),
}


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(CODE)


@pytest.mark.parametrize("of", CONST.values(), ids=CONST)
def test_const_methods_alone_can_be_called(lib: Any, of: Any) -> None:
    p = lib.Part()
    fixed = of(lib, p)
    assert (fixed.how(), p.how(), fixed.__samebytes_address__ == p.__samebytes_address__) == (
        "const",
        "mutable",
        True,
    )
    with pytest.raises(sb.IntentError, match=r"C\+\+ gave it as const"):
        fixed.rename("x")
    p.rename("y")
    assert fixed.name == "y"
    assert fixed.fixed() is fixed


@pytest.mark.parametrize("of", CONST.values(), ids=CONST)
def test_it_keeps_the_object(lib: Any, of: Any) -> None:
    gc.collect()
    before = lib.Part.alive
    p = lib.Part().rename("kept")
    fixed = of(lib, p)
    del p
    gc.collect()
    assert fixed.name == "kept"
    del fixed
    gc.collect()
    assert lib.Part.alive == before


def test_what_is_not_const_is_the_very_argument(lib: Any) -> None:
    p = lib.Part()
    assert p.itself() is p.rename("z") is lib.edited(p) is p


PARTS = r"""
#include <array>
#include <string>
struct Dot { int v = 1; };
struct Base { int low[2] = {1, 2}; Dot dots[2]; };
struct Inner { std::string name{"inner"}; int n[2] = {1, 2}; Dot dots[2]; int k = 1; };
enum Kind { One, Two };
struct Whole : Base {
  std::string name{"whole"};
  int n[2] = {1, 2}, rows[2][2] = {{1, 2}, {3, 4}};
  Dot points[2], grid[2][2];
  Kind kinds[2] = {One, Two};
  std::array<int, 2> numbers{1, 2};
  std::array<Dot, 2> marks;
  Inner inner, inners[2];
  std::string all() const {
    std::string found = name + inner.name + inners[1].name;
    for (int x : {low[1], dots[1].v, n[1], rows[1][1], points[1].v, grid[1][1].v, int(kinds[1]), numbers[1], marks[1].v,
                  inner.n[1], inner.dots[1].v, inner.k, inners[1].n[1], inners[1].k})
      found += " " + std::to_string(x);
    return found;
  }
};
struct Holder {
  Whole open;
  const Whole fixed{};
  const Whole pair[2]{};
  const Whole& look() const { return open; }
};
"""
WRITES = (
    "w.low[1] = 9", "w.dots[1].v = 9", "w.n[1] = 9", "w.rows[1, 1] = 9", "w.points[1].v = 9", "w.grid[1][1].v = 9",
    "w.kinds[1] = 9", "w.numbers[1] = 9", "w.marks[1].v = 9", "w.inner.n[1] = 9", "w.inner.dots[1].v = 9",
    "w.inner.name = 'x'", "w.inner.k = 9", "w.inners[1].n[1] = 9", "w.inners[1].k = 9", "w.inners[1].name = 'x'",
    "w.name = 'x'", "w.n.flags.writeable = True; w.n[1] = 9", "w.n = (9, 9)", "w.points = ((9,), (9,))",
)  # fmt: skip
HELD = {
    "by reference": lambda holder: holder.look(),
    "a const member": lambda holder: holder.fixed,
    "an element of a const member": lambda holder: holder.pair[1],
}


@pytest.mark.parametrize("write", WRITES)
@pytest.mark.parametrize("of", HELD.values(), ids=HELD)
def test_no_part_of_a_const_object_is_written(of: Any, write: str) -> None:
    holder = sb.compile(PARTS, name="parts_of_const").Holder()
    whole = of(holder)
    before = whole.all()
    with contextlib.suppress(TypeError, ValueError, AttributeError):
        exec(write, {"w": whole})  # of a record in it there is a copy to write to
    assert whole.all() == of(holder).all() == before


def test_parts_of_an_open_object_are_written() -> None:
    whole = sb.compile(PARTS, name="parts_of_const").Holder().open
    for write in WRITES[:4]:
        exec(write, {"w": whole})
    assert whole.all().startswith("wholeinnerinner 9 9 9 9 1")


def test_const_values_have_what_their_class_inherits() -> None:
    """Which bases an instantiation has is a matter of its class: here it is met as const first."""
    lib = sb.compile(
        """
template <class D> struct Base { int twice() const { return 2 * static_cast<const D*>(this)->v; } };
template <class T, int N> struct Impl;
template <class T> struct Impl<T, 1> : Base<Impl<T, 1>> { T v = 4; int once() const { return v; } };
template <class T> struct Expr : Impl<T, 1> { int own() const { return this->v + 1; } };
struct Made { const Expr<int> expr() const { return {}; } };
inline const Expr<long> other() { return {}; }
"""
    )
    for made in (lib.Made().expr(), lib.other()):
        assert (made.own(), made.once(), made.twice()) == (5, 4, 8)
        assert isinstance(made, type(made).__mro__[2])


def test_const_variables_of_structs_are_not_changed_in_silence() -> None:
    """Python has a copy of one: it answers as the const object, and says so where it is written to."""
    lib = sb.compile(
        """
struct Rec { int v = 1; int which() { return 2; } int which() const { return 1; } void set(int x) { v = x; } };
const Rec one{}; const Rec two[2] = {}; struct Hold { static const Rec inside; }; const Rec Hold::inside{};
constexpr Rec known{}; Rec changed{}; inline int taken(Rec r) { return r.v; } inline int seen() { return changed.v; }
"""
    )
    for const in (lib.one, lib.two[1], lib.Hold.inside, lib.known):
        with pytest.raises(AttributeError, match="gave it as const"):
            const.v = 5
        with pytest.raises(sb.IntentError, match="gave it as const"):
            const.set(5)
        assert (const.which(), lib.taken(const)) == (1, 1)
    own = copy.copy(lib.one)
    own.v = 4
    assert (own.which(), own.v, lib.one.v) == (2, 4, 1)
    lib.changed.v = 3
    assert (lib.changed.which(), lib.seen()) == (2, 3)


OBJECTS = """
#include <string>
struct H {
  std::string s = "a text that is too long for the object itself";
  static inline int alive = 0;
  H() { ++alive; }
  H(const H& o) : s(o.s) { ++alive; }
  ~H() { --alive; }
  int which() { return 1; }
  int which() const { return 2; }
  void set() { s = "x"; }
};
const H h() { return {}; }
H open() { return {}; }
struct F { const H operator+(int) { return {}; } static const H made() { return {}; } const H method() { return {}; } };
int change(H& h) { return h.which(); }
int read(const H& h) { return h.which(); }
int copy(H h) { return h.which(); }
inline int alive() { return H::alive; }
"""


def test_objects_by_value_are_const_as_records_are() -> None:
    """``const T f()`` of a class that is no plain bytes."""
    lib = sb.compile(OBJECTS, name="const_objects", std="c++17")
    for made in (lib.h(), lib.F() + 1, lib.F.made(), lib.F().method()):
        assert (made.which(), lib.read(made), lib.copy(made)) == (2, 2, 1)
        for change in (lambda m=made: m.set(), lambda m=made: lib.change(m)):
            with pytest.raises(sb.IntentError, match="C\\+\\+ gave it as const"):
                change()
    assert (lib.open().which(), lib.change(lib.open())) == (1, 1)
    del made, change
    gc.collect()
    assert lib.alive() == 0
