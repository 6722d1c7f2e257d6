"""Bases: whatever the order of declarations, of several, of virtual ones, and what is static in them."""

from __future__ import annotations

from typing import Any

import pytest

import samebytes as sb

SOURCE = """
class Later;
class Earlier { public: int f() { return 1; } Later* next(); };
class Later : public Earlier {};
inline Later* Earlier::next() { static Later l; return &l; }
struct Grandchild; struct Child; struct Parent { int n = 1; int f() { return n; } ~Parent() {} };
struct Child : Parent { ~Child() {} };
struct Grandchild : Child { ~Grandchild() {} };
inline int use(Grandchild* g, Child* c, Parent* p) { return p->n; }
class Whole;
struct Part { int v; };
class Whole { public: Part part; int w; };
struct Root { int a = 1; virtual ~Root() {} virtual int f() const { return a; } };
struct Side : virtual Root { int b = 2; int g() const { return b; } };
struct Both : virtual Root, virtual Side { int c = 3; };
struct L { int l = 1; ~L() {} }; struct R { int r = 2; ~R() {} };
struct LR : L, R {}; struct RL : R, L {}; struct Crossed : LR, RL {};
struct PL { int l = 1; }; struct PR { int r = 2; };
struct PLR : PL, PR {}; struct PRL : PR, PL {}; struct PCrossed : PLR, PRL { int z = 3; };
inline int of_rl(const RL& x) { return x.r; } inline int of_prl(const PRL& x) { return x.r; }
struct S0 { static inline int v = 1; static int get() { return v; } };
struct S1 : S0 {}; struct S2 : S1 { int k = 0; };
"""


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(SOURCE, name="bases")


def test_a_class_that_is_declared_ahead_keeps_its_bases(lib: Any) -> None:
    assert (lib.Later().f(), lib.Grandchild().f(), lib.Earlier().next().f()) == (1, 1, 1)
    assert lib.Later.__mro__[1] is lib.Earlier
    assert lib.Grandchild.__mro__[1:3] == (lib.Child, lib.Parent)
    g = lib.Grandchild()
    assert lib.use(g, g, g) == 1


def test_a_class_that_is_declared_ahead_of_its_members(lib: Any) -> None:
    whole = lib.Whole(lib.Part(4), 5)
    assert isinstance(whole.part, lib.Part)
    assert (whole.part.v, whole.w) == (4, 5)


@pytest.mark.parametrize(
    ("derived", "bases"),
    [
        ("Both", ["Root", "Side"]),
        ("Crossed", ["L", "R", "LR", "RL"]),
        ("PCrossed", ["PL", "PR", "PLR", "PRL"]),
        ("Later", ["Earlier"]),
    ],
)
def test_python_says_what_an_object_is(lib: Any, derived: str, bases: list[str]) -> None:
    cls = getattr(lib, derived)
    mine = type("Mine", (cls,), {})
    for base in bases:
        of = getattr(lib, base)
        assert issubclass(cls, of)
        assert isinstance(cls(), of)
        assert issubclass(mine, of)
        assert isinstance(mine(), of)
        assert not issubclass(of, cls)
        assert not isinstance(of(), cls)
    assert not isinstance(3, cls)
    assert not issubclass(lib.S0, cls)


def test_members_of_virtual_bases_and_conversions(lib: Any) -> None:
    both = lib.Both()
    assert (both.f(), both.g(), both.a, both.b, both.c) == (1, 2, 1, 2, 3)
    assert (lib.of_rl(lib.Crossed()), lib.of_prl(lib.PCrossed()), lib.PCrossed().z) == (2, 2, 3)


def test_what_is_static_is_set_through_derived_classes_and_objects(lib: Any) -> None:
    for number, owner in enumerate((lib.S0, lib.S1, lib.S2, lib.S2(), lib.S1()), 10):
        owner.v = number
        assert [lib.S0.get(), lib.S0.v, lib.S1.v, lib.S2.v, lib.S2().v] == [number] * 5
