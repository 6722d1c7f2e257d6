"""Names of several bases are those that C++ finds, and an object that has a base twice is none of that base's."""

from __future__ import annotations

from typing import Any

import pytest

import samebytes as sb

from ..tables import each

SOURCE = """
#include <memory>
#include <string>
#include <vector>
struct V {
  int v = 1, w = 9; std::string t = "1"; int f() const { return 1; } static int s() { return 1; }
  static inline int variable = 1; enum { e = 1 }; struct N { int n = 1; };
  int operator+(int) const { return 1; } int operator[](int) const { return 1; } int operator-() const { return 1; }
  bool operator<(int) const { return true; } V& operator+=(int) { w = 1; return *this; }
  operator int() const { return 1; } virtual ~V() {}
};
struct R : private virtual V {
  int v = 2; std::string t = "2"; int f() const { return 2; } static int s() { return 2; }
  static inline int variable = 2; enum { e = 2 }; struct N { int n = 2; };
  int operator+(int) const { return 2; } int operator[](int) const { return 2; } int operator-() const { return 2; }
  bool operator<(int) const { return false; } R& operator+=(int) { v = 3; return *this; }
  operator int() const { return 2; }
};
struct L : virtual V {}; struct P : protected virtual V {};
struct InFront : virtual V, R {}; struct Behind : L, R {}; struct Below : InFront {};
struct Protected : virtual V, P {}; struct Private : virtual V, private R {};
struct MethodOfR : private virtual V { int w() const { return 3; } };
struct AField : virtual V, MethodOfR {};

struct A {
  int a = 5; A() {} A(int x) : a(x) {}
  static constexpr int limit = 7; enum { size = 8 }; static int twice(int x) { return 2 * x; }
  struct Part { int p = 6; }; static inline int count = 3;
  int m() const { return a; } operator bool() const { return true; }
  bool operator==(const A& o) const { return a == o.a; }
};
struct B : A { int b = 6; };
struct Twice : B, A { int c = 1; Twice() {} };
struct Shared : virtual A {}; struct OneIsVirtual : Shared, B { OneIsVirtual() {} };
struct D { int d = 1; virtual int g() { return d; } virtual ~D() {} };
struct E : D {}; struct TwiceD : E, D { TwiceD() {} };

inline int take(const A& x) { return x.a; } inline int point(const A* x) { return x->a; }
inline int change(A& x) { return x.a; } inline int copy(A x) { return x.a; }
inline int share(std::shared_ptr<A> x) { return x->a; } inline int own(std::unique_ptr<D> x) { return x->d; }
inline int each(const std::vector<A>& x) { return (int)x.size(); }
inline int points(const std::vector<A*>& x) { return (int)x.size(); }
inline int shared(const std::vector<std::shared_ptr<A>>& x) { return (int)x.size(); }
inline int either(const A&) { return 1; } inline int either(const B&) { return 2; }
inline int operator%(const A&, int y) { return y; }
inline A& of_b(Twice& x) { return static_cast<B&>(x); } inline D& of_e(TwiceD& x) { return static_cast<E&>(x); }
"""


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(SOURCE)


FOUND = {
    "v": lambda x: x.v, "t": lambda x: int(x.t), "f": lambda x: x.f(), "s": lambda x: x.s(),
    "K::s": lambda x: type(x).s(), "variable": lambda x: type(x).variable, "e": lambda x: x.e,
    "N": lambda x: x.N().n, "+": lambda x: x + 1, "[]": lambda x: x[1], "-": lambda x: -x,
    "<": lambda x: 2 - (x < 1), "int": int, "operator int": lambda x: getattr(x, "operator int")(),
}  # fmt: skip


@each("name, cls, answer", [
    (name, cls, answer)
    for name in FOUND for cls, answer in (("InFront", 2), ("Behind", 2), ("Below", 2), ("Protected", 1))
])  # fmt: skip
def test_a_name_hides_that_of_a_virtual_base(lib: Any, name: str, cls: str, answer: int) -> None:
    plain = getattr(lib, cls)
    for kind in (plain, type("Derived", (plain,), {})) if cls in ("InFront", "Protected") else (plain,):
        assert FOUND[name](kind()) == answer
    assert plain().w == 9


def test_an_assignment_by_an_operator_is_the_same_one(lib: Any) -> None:
    x = lib.InFront()
    x += 1
    assert (x.v, x.w) == (3, 9)


@each("name", FOUND)
def test_what_is_found_and_not_public_is_refused(lib: Any, name: str) -> None:
    with pytest.raises((AttributeError, TypeError)) as refusal:
        FOUND[name](lib.Private())
    assert "several bases have" in str(refusal.value) or "not public" in str(refusal.value)
    assert lib.Private().w == 9


def test_a_method_hides_a_field(lib: Any) -> None:
    assert lib.AField().w() == 3


NEEDS_ONE = {
    "take": lambda lib, x: lib.take(x), "point": lambda lib, x: lib.point(x), "change": lambda lib, x: lib.change(x),
    "copy": lambda lib, x: lib.copy(x), "share": lambda lib, x: lib.share(x), "each": lambda lib, x: lib.each([x]),
    "points": lambda lib, x: lib.points([x]), "shared": lambda lib, x: lib.shared([x]), "%": lambda lib, x: x % 3,
    "A.m": lambda lib, x: lib.A.m(x), "A": lambda lib, x: lib.A(x),
}  # fmt: skip


@each("call, cls", [(call, cls) for call in NEEDS_ONE for cls in ("Twice", "OneIsVirtual", "Derived")])
def test_an_object_with_a_base_twice_is_refused_for_it(lib: Any, call: str, cls: str) -> None:
    kind = type("Derived", (lib.Twice,), {}) if cls == "Derived" else getattr(lib, cls)
    with pytest.raises((sb.ArgumentError, TypeError)) as refusal:
        NEEDS_ONE[call](lib, kind())
    assert call in ("%", "A") or "has several A objects as bases" in str(refusal.value)


@each("cls", ["Twice", "OneIsVirtual"])
def test_members_of_a_base_that_is_there_twice_are_refused(lib: Any, cls: str) -> None:
    x = getattr(lib, cls)()
    for ask in (lambda: x.a, lambda: x.m(), lambda: bool(x), lambda: x == x, lambda: lib.A.a.__get__(x)):
        with pytest.raises((AttributeError, TypeError)):
            ask()


@each("cls", ["Twice", "OneIsVirtual"])
def test_what_is_of_the_class_is_there_once(lib: Any, cls: str) -> None:
    kind = getattr(lib, cls)
    for holder in (kind, kind()):
        assert (holder.limit, holder.size, holder.twice(4), holder.Part().p, holder.count) == (7, 8, 8, 6, 3)
    kind.count = 4
    assert lib.A.count == 4
    kind.count = 3


def test_a_nearer_base_that_is_there_once_is_taken(lib: Any) -> None:
    assert lib.either(lib.Twice()) == 2
    with pytest.raises(sb.ArgumentError):
        lib.own(lib.TwiceD())


def test_the_way_that_cxx_names_is_taken(lib: Any) -> None:
    assert lib.take(lib.of_b(lib.Twice())) == 5
    x = lib.TwiceD()
    base = lib.of_e(x)
    assert type(base) is lib.D  # and no TwiceD, which C++ would not take for a D
    assert base.d == 1


def test_a_function_of_a_base_that_is_there_twice_is_not_overridden(lib: Any) -> None:
    with pytest.raises(TypeError, match="several bases of the class have one"):
        type("Mine", (lib.TwiceD,), {"g": lambda self: 2})


def test_what_an_object_of_its_own_class_protects_is_read_there() -> None:
    # The class that opens it names the class and that one's virtual bases: another base's bytes were read.
    guarded = sb.compile("""
        struct W { int w = 1; }; struct G { int g = 1; protected: int hidden = 5; int get() { return hidden; } };
        struct H : G, virtual W {};
    """)
    derived = type("Derived", (guarded.H,), {})()
    assert (derived.hidden, derived.get()) == (5, 5)
