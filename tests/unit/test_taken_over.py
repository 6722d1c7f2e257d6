"""Members of bases that using-declarations take over or publish, and inherited constructors: there, as C++ has them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # to read and to compile it takes seconds

SOURCE = """
struct B {
  int f() { return 1; } int f(int a) { return a; } int field = 7; int bits : 4; static int s() { return 5; }
  static inline int held = 3; enum E { EA, EB }; enum class SE { x, y }; using I = int; struct N { int q; };
  typedef int (*FP)(int); operator int() { return 44; } int operator()(int a) const { return a * field; }
  template <class T> static T st(T a) { return a; } template <class T> struct CT { T v; };
  B() : bits(5) {}
 protected:
  int method() { return 9; } int kept = 11;
};
struct Pub : private B {
  using B::f; using B::field; using B::bits; using B::s; using B::held; using B::E; using B::EB; using B::SE;
  using B::I;
  using B::N; using B::FP; using B::method; using B::kept; using B::operator int; using B::operator(); using B::st;
  using B::CT;
};
struct Made : B { using B::kept; using B::method; using B::field; int own = 1; };
struct HB { virtual ~HB() {} int v; HB(int a, int b = 4) : v(a + b) {} HB(double, double) : v(-1) {}
  HB(HB*, int) : v(-2) {} int m() { return 2; }
 protected: int kept = 5; };
struct HD : HB { using HB::HB; using HB::kept; int w = 2; };
struct HT { virtual ~HT() {} int v; template <class T> HT(T* p, long a) : v(*p + a) {} };
  struct HTD : HT { using HT::HT; };
struct HP : private HB { using HB::HB; using HB::m; using HB::v; };
struct P { int v; explicit P(int a, int b = 3) : v(a + b) {} };
struct D : P { using P::P; int x = 1; };
template <class T> struct TB { T v; TB(T a) : v(a) {} T g() { return v; } using V = T; enum { K = 7 };
  static inline int count = 8; protected: T p = 3; };
template <class T> struct TE : private TB<T> { using TB<T>::TB; using TB<T>::g; using TB<T>::v; using TB<T>::p;
  using TB<T>::count; using typename TB<T>::V; using TB<T>::K; };
inline TE<int> te() { return TE<int>(4); }
struct TD : TB<int> { using TB<int>::TB; using TB<int>::p; };
struct VB { int q = 6; int f() { return q; } };
struct V : virtual VB { using VB::q; using VB::f; virtual ~V() {} };
namespace A { enum AE { AE1, AE2 }; int number = 4; namespace inside { inline int deep() { return 12; } } }
namespace N { using A::AE; using A::AE2; using A::number; }
namespace Directed { using namespace A; }
struct Refused : private B { using B::SE; using B::field; struct Cruel { ~Cruel(); Cruel(const Cruel&) = delete; }; };
struct Takes { int va(int, ...) { return 1; } }; struct TakesToo : private Takes { using Takes::va; };
"""


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(SOURCE, name="taken")


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("lib.Pub().f()", 1), ("lib.Pub().f(3)", 3), ("lib.Pub().field", 7), ("lib.Pub().bits", 5),
        ("lib.Pub.s()", 5), ("lib.Pub.held", 3), ("lib.Pub.E.EB == lib.Pub.EB", True), ("lib.Pub.SE.y.value", 1),
        ("lib.Pub.I", np.int32), ("lib.Pub.N(2).q", 2), ("lib.Pub().method()", 9), ("lib.Pub().kept", 11),
        ("int(lib.Pub())", 44), ("lib.Pub()(2)", 14), ("lib.Pub.st(6)", 6), ("lib.Pub.CT[int](3).v", 3),
        ("lib.Pub.FP", "class"), ("lib.Made().kept", 11), ("lib.Made().method()", 9), ("lib.Made().field", 7),
        ("lib.HD(4).v", 8), ("lib.HD(4, 5).v", 9), ("lib.HD(1.0, 2.0).v", -1), ("lib.HD(lib.HB(1), 1).v", -2),
        ("lib.HTD(np.array([3], 'i4'), 4).v", 7), ("lib.HD(4).kept", 5), ("lib.HP(2).m()", 2), ("lib.HP(2).v", 6),
        ("lib.D(4).v", 7), ("lib.D(4, 5).v", 9), ("lib.te().g()", 4), ("lib.te().v", 4), ("lib.te().p", 3),
        ("lib.te().count", 8), ("lib.te().V", np.int32), ("lib.te().K", 7), ("lib.TE[float](2.5).g()", 2.5),
        ("lib.TD(5).p", 3), ("lib.TD(5).v", 5), ("lib.V().q", 6), ("lib.V().f()", 6), ("lib.N.AE2", 1),
        ("lib.N.AE.AE1", 0), ("lib.N.number", 4), ("lib.Directed.AE1", 0),
        ("lib.Directed.inside.deep()", 12),
    ],
)  # fmt: skip
def test_what_a_using_declaration_names_is_there(lib: Any, expression: str, expected: Any) -> None:
    found = eval(expression, {"lib": lib, "np": np})
    if expected == "class":
        assert isinstance(found, type)
    else:
        assert found == expected


def test_what_it_publishes_is_the_object_itself(lib: Any) -> None:
    for name, cls in (("kept", lib.Pub), ("field", lib.Made), ("kept", lib.HD)):
        made = cls(1) if cls is lib.HD else cls()
        setattr(made, name, 70)
        assert getattr(made, name) == 70
    made = lib.Pub()
    made.field = 3
    assert made(2) == 6  # C++ reads what Python wrote


def test_what_is_not_taken_over_stays_hidden(lib: Any) -> None:
    for name in ("EA", "kept"):
        assert not hasattr(lib.TE[float](1.0), name if name == "EA" else "absent")
    assert not hasattr(lib.HP(1), "kept")
    assert not hasattr(lib.Refused(), "kept")


def test_what_cannot_be_taken_over_is_said(lib: Any) -> None:
    with pytest.raises(
        AttributeError, match=r"'va' is declared in 'TakesToo' and not bound: .*variable number"
    ):
        lib.TakesToo().va()
    assert [s.name for s in lib.__skipped__ if s.name.startswith("TakesToo")] == ["TakesToo::va(int, ...)"]


def test_static_members_are_one(lib: Any) -> None:
    lib.Pub.held = 30
    assert lib.B.held == 30
    lib.B.held = 3


PUBLISHED = """
#include <vector>
class Base { public: int z = 3; int m(int a) const { return a + 6; } int g() const { return z; }
  template <class T> int m(std::vector<T> v) const { return 7 + int(v.size()); }
  template <class T> int t(T) const { return 4; }
  template <class T> int g(T) { return 9; } };
class Private : Base { public: using Base::m; using Base::t; using Base::g; };
class Public : public Base {};
class Shy { protected: int f(int a) { return a; } template <class T> int f(T, T) { return 5; }
  template <class T> int h(T) { return 8; } };
class Shown : public Shy { public: using Shy::f; using Shy::h; };
class Deep : public Private {};
"""


@pytest.fixture(scope="module")
def published() -> Any:
    return sb.compile(PUBLISHED, name="published")


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("Private().m(1)", 7), ("Private().m([1])", 8), ("Private().t(1)", 4), ("Private().g()", 3),
        ("Private().g(2)", 9),
        ("Public().m(1)", 7), ("Public().m([1, 2])", 9),
        ("Shown().f(3)", 3), ("Shown().f(3, 4)", 5), ("Shown().h(1)", 8),
        ("Deep().m(1)", 7), ("Deep().m([1])", 8), ("Deep().t(1)", 4),
    ],
)  # fmt: skip
def test_overloads_with_templates_are_published(published: Any, expression: str, expected: int) -> None:
    names = {name: getattr(published, name) for name in ("Private", "Public", "Shown", "Deep")}
    assert eval(expression, names) == expected
