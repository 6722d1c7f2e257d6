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


@pytest.fixture(scope="module")
def libraries(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    header = tmp_path_factory.mktemp("unnamed") / "unnamed.h"
    header.write_text(HEADER)
    cxx = sb.compile(HEADER + MORE, instantiate=["n::Box<int>"])
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
