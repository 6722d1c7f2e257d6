"""Types without names, by the members and variables that have them, in C and C++."""

from __future__ import annotations

from typing import Any

import pytest
from tests.tables import each

import samebytes as sb

HEADER = """
struct Packet { int n; struct { unsigned id; float w; } item[4]; };
struct Grid { struct { short a, b; } cell[2][3]; };
struct Kinds { enum { Red, Green = 4 } kind[2]; };
struct Either { union { int i; float f; } either[2]; };
struct Nested { struct { struct { int z; } deep[2]; int y; } outer[2]; };
struct Plain { struct { int a; } one[2]; };
struct One { struct { int a; } one; };
static inline float last(const struct Packet *p) { return p->item[p->n - 1].w; }
static inline int corner(const struct Grid *g) { return g->cell[1][2].b; }
static inline int deep(const struct Nested *n) { return n->outer[1].deep[1].z + n->outer[1].y; }
static inline int either(const struct Either *e) { return e->either[1].i; }
static inline int kind(const struct Kinds *k) { return k->kind[1]; }
"""
MORE = """
namespace n { template <class T> struct Box { struct { T x; } item[2]; T at(int i) const { return item[i].x; } }; }
class Mixed { public: struct { int id; } item[2]; const struct { int id; } fixed[2] = {{1}, {2}};
  Mixed() : item{{3}, {4}} {}
  int sum() const { return item[0].id + item[1].id; } virtual ~Mixed() {} };
"""
# Their members are bound as those of classes with names.
MEMBERS = """
struct { int k = 3; explicit operator bool() const { return k > 5; } void set(int x) { k = x; }
  static int twice(int x) { return 2 * x; }
  int kind(int) { return 1; } int kind(double) const { return 2; } int with(int a = 4) const { return a; } } flag;
struct { int k; template <class T> bool operator==(const T& o) const { return k != o.k; } } odd[2] = {{1}, {1}};
struct Out { struct { int z; explicit operator bool() const { return z > 5; } int get() const { return z; } } in;
  struct { int a; int twice() const { return 2 * a; } } rows[2][2]; };
const struct { int k; int m() const { return 2; } } fixed = {7};
namespace ns { struct { int v = 1; int operator()(int x) const { return x + v; }
  int operator[](int i) const { return i * 10; }
  operator int() const { return v; } } called; }
struct { int i; template <class T> T plus(T a) const { return a + i; } } five = {5};
union { int i; float f; int whole() const { return i; } } either_of;
struct Six { int b = 6; int base() const { return b; } };
struct : Six { int c = 7; int sum() const { return b + c; } } derived;
struct { int h = 1; virtual int v() const { return 9 + h; } } dynamic;
struct Held { struct { int q = 3; virtual int v() const { return q; } int next() { return ++q; } } inner; };
struct Signs { struct { int a;
  bool operator<(int o) const { return a < o; } int operator+(int o) const { return a + o; } } x; };
struct { const int* begin() const { return d; } const int* end() const { return d + 3; } int d[3] = {1, 2, 3}; } list;
class Priv { public: struct { int z = 5; int m() const { return z; }
  private: int hidden() const { return 1; } } pub; };
template <class T> struct Item { struct { T x; T next() const { return x + 1; } } item; };
typedef Item<int> Ints;
"""


@pytest.fixture(scope="module")
def libraries(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    header = tmp_path_factory.mktemp("unnamed") / "unnamed.h"
    header.write_text(HEADER)
    cxx = sb.compile(HEADER + MORE + MEMBERS, instantiate=["n::Box<int>"])
    return {"c": sb.bind(header, language="c"), "c++": cxx}


def packet(m: Any) -> Any:
    p = m.Packet(n=2)
    p.item[1].w = 2.5
    return [m.last(p), p.item[0].id]


def grid(m: Any) -> Any:
    g = m.Grid()
    g.cell[1][2].b = 7
    return m.corner(g)


def nested(m: Any) -> Any:
    n = m.Nested()
    n.outer[1].deep[1].z, n.outer[1].y = 5, 6
    return m.deep(n)


def either(m: Any) -> Any:
    e = m.Either()
    e.either[1].i = 9
    return m.either(e)


@each("language", ["c", "c++"])
@each(("use", "expected"), [(packet, [2.5, 0]), (grid, 7), (nested, 11), (either, 9)])
def test_arrays_of_unnamed_types(libraries: Any, language: str, use: Any, expected: Any) -> None:
    library = libraries[language]
    assert [str(one) for one in library.__skipped__] == []
    assert use(library) == expected


@each(
    ("use", "expected"),
    [
        (lambda m: [m.Mixed().sum(), m.Mixed().item[1].id, m.Mixed().fixed[1].id], [7, 4, 2]),
        (lambda m: m.n.Box["int"]().item[0].x, 0),
        (lambda m: m.kind(m.Kinds(kind=[m.Kinds.Red, m.Kinds.Green])), 4),
    ],
)
def test_in_classes_of_cxx(libraries: Any, use: Any, expected: Any) -> None:
    assert use(libraries["c++"]) == expected


def written(m: Any) -> Any:
    m.flag.set(9)
    return m.flag.k, bool(m.flag)


def of_member(m: Any) -> Any:
    out = m.Out()
    out.in_.z, out.rows[1][1].a = 7, 4
    return out.in_.get(), bool(out.in_), out.rows[1][1].twice(), bool(m.Out().in_)


def of_object(m: Any) -> Any:
    held = m.Held()
    return held.inner.next(), held.inner.v()


@each(
    ("use", "expected"),
    [
        (lambda m: (bool(m.typeof_flag()), m.typeof_flag().k), (False, 3)),
        (written, (9, True)),
        (lambda m: (m.flag.kind(1), m.flag.kind(1.5), m.flag.with_(), m.flag.with_(1)), (1, 2, 4, 1)),
        (lambda m: (m.flag.twice(4), m.typeof_flag.twice(5)), (8, 10)),
        (lambda m: (m.odd[0] == m.odd[1], m.odd[0] != m.odd[1]), (False, True)),
        (of_member, (7, True, 8, False)),
        (lambda m: m.fixed.m(), 2),
        (lambda m: (m.ns.called(4), m.ns.called[3], int(m.ns.called)), (5, 30, 1)),
        (lambda m: (m.five.plus(2), m.either_of.whole(), m.dynamic.v()), (7, 0, 10)),
        (lambda m: (m.derived.base(), m.derived.sum(), isinstance(m.derived, m.Six)), (6, 13, True)),
        (of_object, (4, 4)),
        (lambda m: (m.Signs().x < 1, m.Signs().x + 3), (True, 3)),
        (lambda m: list(m.list), [1, 2, 3]),
        (lambda m: (m.Priv().pub.m(), hasattr(m.Priv().pub, "hidden")), (5, False)),
        (lambda m: m.Ints().item.next(), 1),
    ],
)
@pytest.mark.filterwarnings(
    "ignore::samebytes.BindWarning"
)  # the operator of a template has a library of its own
def test_their_members_are_bound(libraries: Any, use: Any, expected: Any) -> None:
    assert use(libraries["c++"]) == expected
