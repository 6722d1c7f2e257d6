"""Bases in headers that are not exposed: an object of an exposed class has their members, or says why not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # it takes long

BASES = (
    """#pragma once
#include <stdexcept>
#include <string>
namespace oth {
struct Plain { int p = 1; int pm() const { return p; } static int ps() { return 4; } enum E { PA = 3 }; using I = int;
  Plain operator+(int a) const { Plain r = *this; r.p += a; return r; } };
struct Handle { virtual ~Handle() {} int h = 2; std::string s = "x"; virtual int hm() const { return h; }
  int operator()(int a) { return a + h; } bool operator==(const Handle& o) const { return h == o.h; } };
struct Deep : Handle { int d = 3; int dm() { return d; } };
template <class T> struct Tp { T t = 5; T of_template() const { return t; } };
struct Apart { int a = 1; int am() { return a; } };
struct Root { int r = 6; int rm() const { return r; } };
template <class T> struct Over : Root, Tp<T> { T o = 7; static int count() { return 8; }
  T with(T x) { return x + o; } };
template <class T> struct Huge { """
    + " ".join(f"int m{i}() const {{ return {i}; }}" for i in range(201))
    + """ };
template <class D> struct Crtp { int twice() const { return 2 * static_cast<const D&>(*this).value; } };
}
"""
)
OWN = """#pragma once
#include <bases.h>
namespace own {
struct A : oth::Plain { int a = 10; }; struct B : oth::Deep { int b = 20; }; struct C : oth::Tp<int> { int c = 30; };
struct F : virtual oth::Handle { int f = 50; };
struct X : std::runtime_error { using std::runtime_error::runtime_error; };
struct G : private oth::Apart { int g = 7; };
struct L : oth::Huge<int> { int l = 70; };
struct H : oth::Over<long> { int h = 60; }; struct J : oth::Crtp<J> { int value = 9; };
template <class T> struct K : oth::Tp<T> { T k = 8; }; using KD = K<double>;
inline long take_over(oth::Over<long>& o) { o.o += 1; return o.o; }
inline int take(const oth::Plain& p) { return p.p; }
}
"""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home: Path = tmp_path_factory.mktemp("bases")
    (home / "other").mkdir()
    (home / "own").mkdir()
    (home / "other" / "bases.h").write_text(BASES)
    (home / "own" / "own.h").write_text(OWN)
    return home


@pytest.fixture(scope="module")
def lib(home: Path) -> Any:
    return sb.bind(home / "own" / "own.h", include_dirs=[home / "other"])


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("own.A().p", 1), ("own.A().pm()", 1), ("own.A.ps()", 4), ("own.A.PA", 3), ("own.A.I", sb.int32),
        ("(own.A() + 3).p", 4), ("own.take(own.A())", 1), ("own.B().hm()", 2), ("own.B().dm()", 3), ("own.B().s", "x"),
        ("own.C().of_template()", 5), ("own.H().of_template()", 5), ("own.H().rm()", 6), ("own.H.count()", 8),
        ("own.H().with_(3)", 10), ("own.H().r", 6), ("own.take_over(own.H())", 8), ("own.J().twice()", 18),
        ("own.KD().of_template()", 5.0), ("own.K[int]().of_template()", 5),
        ("isinstance(own.H(), own.H.__mro__[1])", True), ("own.H.__mro__[1].__name__", "Over<long>"),
        ("own.B()(3)", 5), ("own.B() == own.B()", True), ("own.F().hm()", 2), ("own.F().h", 2), ("own.C().t", 5),
    ],
)  # fmt: skip
def test_members_of_bases_are_there(lib: Any, expression: str, expected: object) -> None:
    assert eval(expression, {"own": lib.own}) == expected


def test_a_base_that_is_not_bound_says_so_for_its_members(lib: Any) -> None:
    assert "own::L::m3" in {s.name for s in lib.__skipped__}
    with pytest.raises(AttributeError, match=r"m3.*its base oth::Huge<int> of .* is not bound"):
        lib.own.L.m3  # noqa: B018


def test_a_private_base_is_nobodys(lib: Any) -> None:
    assert not hasattr(lib.own.G, "am")
    assert lib.own.G().g == 7


def test_a_large_base_is_bound_where_it_is_named(lib: Any, home: Path) -> None:
    why = next(s.reason for s in lib.__skipped__ if s.name == "own::L::m200")
    assert why.endswith("is not bound, as it has 201 members: instantiate=['oth::Huge<int>'] binds them")
    named = sb.bind(home / "own" / "own.h", include_dirs=[home / "other"], instantiate=["oth::Huge<int>"])
    assert named.own.L().m200() == 200
    assert isinstance(named.own.L(), getattr(named.oth, "Huge<int>"))


APART = """#pragma once
#include <string>
#include <vector>
namespace apart {
struct Status { int code; explicit operator bool() const { return code == 0; } };
struct Not { int code; bool operator!() const { return code != 0; } };
class Result { int c; std::string m; public: Result(int c) : c(c) {} explicit operator bool() const { return c == 0; }
  int operator[](int i) const { return i; } int operator()(int i) const { return i; } };
struct List { int n = 2; std::vector<int> xs{1, 2}; auto begin() const { return xs.begin(); }
  auto end() const { return xs.end(); } std::size_t size() const { return 0; } };
struct Seen { int n = 0; };
template <class T> struct Maybe { T v; bool has; explicit operator bool() const { return has; } };
template <class T> struct Box { T v; friend bool operator!(const Box& b) { return b.v == 0; } };
}
"""
USES = """#pragma once
#include <apart.h>
inline apart::Status status(int c) { return {c}; } inline apart::Not not_(int c) { return {c}; }
inline apart::Result result(int c) { return {c}; } inline apart::List list() { return {}; }
inline apart::Maybe<int> maybe(bool has) { return {3, has}; } inline apart::Box<int> box(int v) { return {v}; }
inline apart::Seen seen() { return {}; }
"""


@pytest.fixture(scope="module")
def uses(tmp_path_factory: pytest.TempPathFactory) -> Any:
    home: Path = tmp_path_factory.mktemp("uses")
    for folder, name, text in (("other", "apart.h", APART), ("own", "uses.h", USES)):
        (home / folder).mkdir()
        (home / folder / name).write_text(text)
    return sb.bind(home / "own" / "uses.h", include_dirs=[home / "other"])


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("status(0)", True), ("status(1)", False), ("not_(0)", True), ("not_(1)", False), ("result(0)", True),
        ("result(1)", False), ("maybe(True)", True), ("maybe(False)", False), ("box(0)", False), ("box(2)", True),
        ("seen()", True), ("list()", True),
    ],
)  # fmt: skip
def test_truth_is_c_plus_plus_s_where_a_header_is_not_exposed(
    uses: Any, expression: str, expected: bool
) -> None:
    names = {n: getattr(uses, n) for n in ("status", "result", "list", "maybe", "box", "seen", "not_")}
    assert bool(eval(expression, names)) is expected


@pytest.mark.parametrize(
    "asked", ["list(lib.list())", "len(lib.list())", "lib.result(1)[3]", "lib.result(1)(3)"]
)
def test_protocols_of_such_a_class_say_what_binds_them(uses: Any, asked: str) -> None:
    cls = "List" if "list()" in asked else "Result"
    with pytest.raises(TypeError, match=rf"apart.h is not exposed: expose=\['apart::{cls}'\] binds"):
        eval(asked, {"lib": uses})
