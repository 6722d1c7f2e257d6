"""What == of C++ objects compares: C++'s operator, else the fields where Python sees them all, else identity."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import samebytes as sb

SOURCE = """
struct Plain { int a; double b; };
struct Nested { Plain p; int c[2]; };
struct Derived : Plain { int k; };
struct Bits { int a : 3; int b : 5; };
struct Empty {};
struct Private { int a; Private(int x = 1, int y = 2) : a(x), h(y) {} private: int h; };
struct HoldsPrivate { int k = 3; Private p; };
struct ArrayOfPrivate { Private p[2]; };
struct DerivesFromPrivate : Private { int b = 2; };
struct PrivateBase : private Plain { int k = 1; };
struct Protected { int a = 1; protected: int b = 2; };
union Number { int i; float f; };
struct Anonymous { int kind; union { int i; float f; }; };
struct HoldsUnion { int kind; Number n; };
struct Equal { int a; Equal(int x, int y) : a(x), h(y) {} bool operator==(const Equal& o) const { return h == o.h; }
               private: int h; };
struct HoldsEqual { Equal e; explicit HoldsEqual(int y) : e(y, 1) {} };
struct Free { int a; Free(int x, int y) : a(x), h(y) {} int h_() const { return h; } private: int h; };
inline bool operator==(const Free& a, const Free& b) { return a.h_() == b.h_(); }
union Same { int i; float f; bool operator==(const Same& o) const { return i == o.i; } };
class Object { int k = 1; public: ~Object() {} };
inline Private& one() { static Private p; return p; }
inline HoldsPrivate& holder() { static HoldsPrivate h; return h; }
"""

# An object, another one, and whether they are equal.
ROWS = [
    ("Plain(1, 2)", "Plain(1, 2)", True), ("Plain(1, 2)", "Plain(1, 3)", False),
    ("Nested()", "Nested()", True), ("Nested(c=(1, 2))", "Nested(c=(1, 3))", False),
    ("Derived(k=1)", "Derived(k=1)", True), ("Bits(1, 2)", "Bits(1, 2)", True), ("Empty()", "Empty()", True),
    ("Private(1, 7)", "Private(1, 8)", False), ("Private(1, 7)", "Private(1, 7)", False),
    ("HoldsPrivate()", "HoldsPrivate()", False), ("ArrayOfPrivate()", "ArrayOfPrivate()", False),
    ("DerivesFromPrivate()", "DerivesFromPrivate()", False), ("PrivateBase()", "PrivateBase()", False),
    ("Protected()", "Protected()", False), ("Number(i=1)", "Number(i=1)", False),
    ("Anonymous()", "Anonymous()", False), ("HoldsUnion()", "HoldsUnion()", False), ("Object()", "Object()", False),
    ("Equal(1, 2)", "Equal(2, 2)", True), ("Equal(1, 2)", "Equal(1, 3)", False),
    ("HoldsEqual(1)", "HoldsEqual(2)", True), ("Free(1, 2)", "Free(3, 2)", True), ("Free(1, 2)", "Free(1, 3)", False),
    ("Same(i=3)", "Same(i=3)", True), ("one()", "one()", True), ("holder().p", "holder().p", True),
    ("holder().p", "HoldsPrivate().p", False),
]  # fmt: skip


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(SOURCE, name="equality")


@pytest.mark.parametrize(("one", "other", "equal"), ROWS)
def test_equality(lib: Any, one: str, other: str, equal: bool) -> None:
    a, b = eval(f"lib.{one}"), eval(f"lib.{other}")
    assert ((a == b), (a != b)) == (equal, not equal)
    assert a == a
    values = [getattr(x, "value", None) for x in (a, b)]
    if None not in values and "one()" not in one and ".p" not in one:
        assert (values[0] == values[1]) is equal
        assert not equal or "__eq__" in vars(type(a)) or hash(values[0]) == hash(values[1])


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Plain", "the fields"),
        ("Equal", "operator=="),
        ("Private", "one object: Python does not see every member"),
        ("HoldsUnion", "one object"),
        ("Object", "one object"),
    ],
)
def test_explain_says_what_is_compared(lib: Any, name: str, words: str) -> None:
    explained = sb.explain(lib, name)
    (facts,) = explained.classes
    assert facts.name == name
    assert words in facts.equality
    assert f"{name}  == compares" in str(explained)
    assert facts in sb.explain(lib).classes


TEMPLATES = """
#include <memory>
#include <string>
template <class T> struct Box { T v; friend bool operator==(const Box& a, const Box& b) { return a.v == b.v; } };
using Number = Box<int>;
template <class T> bool operator!=(const Box<T>& a, const Box<T>& b) { return !(a == b); }
struct Base { virtual ~Base() = default; std::string s; };
struct Derived : Base { int w = 2; Derived& me() { return *this; } };
class Hidden { int h = 1; public: int pub = 2; Hidden& me() { return *this; } };
std::shared_ptr<Base> made() { return std::make_shared<Derived>(); }
std::shared_ptr<Base> same(std::shared_ptr<Base> p) { return p; }
"""


def test_templates_for_other_classes_leave_an_object_equal_to_itself() -> None:
    lib = sb.compile(TEMPLATES, name="equality_templates")
    shared, hidden = lib.made(), lib.Hidden()
    for one, same in ((shared, lib.same(shared)), (shared, shared.me()), (hidden, hidden.me())):
        assert (one == same, one != same, hash(one) == hash(same), {one: 1}[same]) == (True, False, True, 1)
    assert (shared == lib.made(), hidden == lib.Hidden(), lib.Base() == lib.Base()) == (False, False, False)
    assert (lib.Number(3) == lib.Number(3), lib.Number(3) == lib.Number(4)) == (True, False)
    with pytest.raises(TypeError, match="unhashable type"):
        hash(lib.Number(3))


NUMBERS = """
#include <string>
struct Num { int v; operator int() const { return v; } };
struct Two { int a, b; operator int() const { return a; } };
struct Text { std::string s; double d; operator double() const { return d; } };
struct More : Num { int w; };
struct Kind { enum E { A = 2, B = 5 }; E e; operator E() const { return e; } };
enum class Level { low = 3, high };
struct Scoped { Level l; operator Level() const { return l; } };
struct Own { int a, b; operator int() const { return a; } bool operator==(const Own& o) const { return b == o.b; } };
struct Other { int v; operator int() const { return v; } bool operator!=(int x) const { return true; } };
struct Pair { int x; operator int&() { return x; } operator const int&() const { return x; } };
template <class T> struct Wrapped { T v; operator T() const { return v; } };
using Wide = Wrapped<long>;
"""
# What Python asks, and C++ in the same words but for braces and dots.
COMPARED = [
    ("Num(4) == 4", "Num{4} == 4"), ("4 == Num(4)", "4 == Num{4}"), ("Num(4) != 4", "Num{4} != 4"),
    ("Num(4) == 5", "Num{4} == 5"), ("Num(4) == 4.5", "Num{4} == 4.5"), ("Num(4) == 4.0", "Num{4} == 4.0"),
    ("Num(4) == Num(4)", "Num{4} == Num{4}"), ("Two(1, 2) == Two(1, 3)", "Two{1, 2} == Two{1, 3}"),
    ("Two(1, 2) != Two(1, 3)", "Two{1, 2} != Two{1, 3}"), ("Two(1, 2) == Num(1)", "Two{1, 2} == Num{1}"),
    ("Text('a', 2.5) == 2.5", 'Text{"a", 2.5} == 2.5'), ("Text('a', 2.5) == 3", 'Text{"a", 2.5} == 3'),
    ("Text('a', 1) == Text('b', 1)", 'Text{"a", 1} == Text{"b", 1}'), ("More() == 0", "More{} == 0"),
    ("Kind(Kind.E.B) == Kind.E.B", "Kind{Kind::B} == Kind::B"), ("Kind(Kind.E.B) == 5", "Kind{Kind::B} == 5"),
    ("Scoped(Level.high) == Level.high", "Scoped{Level::high} == Level::high"),
    ("Scoped(Level.high) == Level.low", "Scoped{Level::high} == Level::low"),
    ("Own(1, 2) == Own(3, 2)", "Own{1, 2} == Own{3, 2}"), ("Own(1, 2) == 1", "Own{1, 2} == 1"),
    ("Own(1, 2) != 2", "Own{1, 2} != 2"), ("Other(3) == 3", "Other{3} == 3"), ("Other(3) != 3", "Other{3} != 3"),
    ("Pair(3) == 3", "Pair{3} == 3"), ("Wide(3) == 3", "Wide{3} == 3"), ("Wide(3) != 3", "Wide{3} != 3"),
]  # fmt: skip


def test_an_object_that_converts_to_a_number_is_compared_as_cxx_does() -> None:
    answers = "".join(f"bool answer{i}() {{ return {cxx}; }}\n" for i, (_, cxx) in enumerate(COMPARED))
    lib = sb.compile(NUMBERS + answers, name="equality_numbers")
    names = {name: getattr(lib, name) for name in dir(lib) if name[0].isupper()}
    wrong = [
        ask
        for i, (ask, _) in enumerate(COMPARED)
        if eval(ask, dict(names)) is not getattr(lib, f"answer{i}")()
    ]
    assert not wrong
    assert (lib.Num(4) == "4", lib.Num(4) == None, np.int32(4) == lib.Num(4)) == (False, False, True)  # noqa: E711
    assert "the numbers that C++ converts them to" in str(sb.explain(lib, "Num"))
