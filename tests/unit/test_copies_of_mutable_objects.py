"""A class with constructors for copies of objects that are const and of others: C++ prefers that of the object."""

from __future__ import annotations

from typing import Any

import pytest
from tests.tables import each

import samebytes as sb

from ..of_gcc import answers

pytestmark = pytest.mark.full  # g++ compiles each program three times
CODE = """
struct A { int v = 0; A() {} A(const A& o) : v(o.v + 1) {} A(A& o) : v(o.v + 100) {} ~A() {} };
struct D : A { int w = 0; };
struct Default { int v = 0; Default() {} Default(const Default&) = default; Default(Default& o) : v(o.v + 100) {} };
struct Moved { int v = 0; Moved() {} Moved(Moved&&) { v = 3; } Moved(const Moved&) { v = 1; }
  Moved(Moved&) { v = 7; } };
struct Counts { int v = 0; Counts() {} Counts(const Counts& o) : v(o.v) {} Counts(Counts& o) : v(o.v) { ++o.v; } };
template <class T> struct Box { T v = 0; Box() {} Box(const Box& o) : v(o.v + 1) {} Box(Box& o) : v(o.v + 100) {} };
using IntBox = Box<int>;
struct Holds { A a; Holds(A x) : a(x) {} };
struct M { int method(A a) const { return a.v; } int operator+(A a) const { return a.v; } };
inline int operator-(A a, int) { return a.v; } inline int operator*(int, A a) { return a.v; }
inline int of_a(A a) { return a.v; } inline int of_default(Default a) { return a.v; }
inline int of_moved(Moved a) { return a.v; } inline int of_box(IntBox a) { return a.v; }
inline int two(A a, A b) { return a.v * 1000 + b.v; } inline int fewer(A a, int = 0) { return a.v; }
inline int either(A a) { return a.v; } inline int either(int) { return -1; }
template <class T> int made(T t) { return t.v; }
inline int count(Counts c) { return c.v; }
inline A returned(A& a) { return a; }
inline const A& const_a() { static A a; return a; }
"""
USES = [
    "of_a(A())", "of_a(a)", "of_a(D())", "of_a(d)", "of_default(df)", "of_moved(m)", "of_box(box)", "M().method(a)",
    "M() + a", "a - 1", "2 * a", "made(a)", "two(a, a)", "fewer(a)", "fewer(a, 1)", "either(a)", "Holds(a).a.v",
    "returned(a).v", "A(a).v", "count(c) + c.v",
]  # fmt: skip
OBJECTS = "A a; D d; Default df; Moved m; IntBox box; Counts c;"


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Any:
    asked = [
        f'{{ {OBJECTS} std::printf("%d\\n", {use.replace("A()", "a").replace("D()", "d")}); }}'
        for use in USES
    ]
    said = answers(CODE, asked, "gnu++17", tmp_path_factory.mktemp("asked"))
    return sb.compile(CODE, name="mutable_copies"), dict(zip(USES, said, strict=True))


def _names(lib: Any) -> dict[str, Any]:
    objects = {
        "a": lib.A(),
        "d": lib.D(),
        "df": lib.Default(),
        "m": lib.Moved(),
        "box": lib.IntBox(),
        "c": lib.Counts(),
    }
    return {name: getattr(lib, name) for name in dir(lib) if not name.startswith("__")} | objects


@each("use", USES)
def test_it_is_copied_as_by_gcc(both: Any, use: str) -> None:
    """An object of Python's has a name, as a variable of C++'s has."""
    lib, said = both
    assert str(eval(use, _names(lib))) == said[use]


def test_a_const_object_is_refused(both: Any) -> None:
    lib, _ = both
    with pytest.raises(
        sb.IntentError, match=r"of_a\(\) argument 1 'a': expected an object of A that C\+\+ may change"
    ):
        lib.of_a(lib.const_a())
    assert lib.of_a(lib.A(lib.const_a())) == 101
