"""Names that C++ has in several namespaces: inline namespaces, aliases, using-declarations, using-directives."""

from __future__ import annotations

from typing import Any

import pytest

import samebytes as sb

SOURCE = r"""
namespace geo {
inline namespace v2 {
inline int f(int x) { return x; }
struct Point { int a; int g() const { return a; } };
template <class T> T twice(T x) { return x + x; }
constexpr int k = 5;
enum class Color { red, green };
inline int counter = 3;
namespace sub { inline int h() { return 8; } inline namespace deep { inline int d() { return 9; } } }
}
namespace v1 { inline int f(int x) { return -x; } }
}
namespace g = geo;
namespace g2 = geo::v2;
namespace api { using geo::f; using geo::Point; using geo::twice; using namespace geo::sub; }
namespace all { using namespace api; using namespace geo; inline int own() { return 1; } inline int k() { return 7; } }
namespace one { inline int z() { return 1; } inline int only() { return 3; } }
namespace two { inline int z() { return 2; } using one::only; }
namespace both { using namespace one; using namespace two; inline int self() { return 4; } }
namespace ring1 { inline int a() { return 1; } }
namespace ring2 { using namespace ring1; inline int b() { return 2; } }
namespace ring1 { using namespace ring2; }
using namespace geo::v1;
"""


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(SOURCE, instantiate=["geo::twice<int>"])


# What Python says, and what C++ gives for the same words.
ROWS: list[tuple[str, Any]] = [
    ("lib.geo.f(3)", 3), ("lib.geo.v2.f(3)", 3), ("lib.geo.v1.f(3)", -3), ("lib.f(3)", -3),
    ("lib.g.f(3)", 3), ("lib.g.v2.f(3)", 3), ("lib.g2.f(3)", 3), ("lib.g.v1.f(3)", -3),
    ("lib.geo.sub.h()", 8), ("lib.geo.v2.sub.h()", 8), ("lib.geo.sub.d()", 9), ("lib.geo.v2.sub.deep.d()", 9),
    ("lib.geo.v2.Point is lib.geo.Point", True), ("lib.geo.v2.Point(a=4).g()", 4),
    ("lib.geo.v2.k", 5), ("lib.geo.v2.Color is lib.geo.Color", True), ("lib.geo.v2.counter", 3),
    ("lib.geo.v2.twice(4)", 8), ("lib.geo.v2.twice is lib.geo.twice", True),
    ("lib.api.f(1)", 1), ("lib.api.h()", 8), ("lib.api.Point is lib.geo.Point", True), ("lib.api.twice(3)", 6),
    ("lib.all.own()", 1), ("lib.all.f(2)", 2), ("lib.all.h()", 8), ("lib.all.k()", 7), ("lib.all.counter", 3),
    ("lib.both.only()", 3), ("lib.both.self()", 4), ("hasattr(lib.both, 'z')", False),
    ("lib.ring1.b()", 2), ("lib.ring2.a()", 1),
]  # fmt: skip


@pytest.mark.parametrize(("words", "expected"), ROWS, ids=[words for words, _ in ROWS])
def test_means_what_cxx_means(lib: Any, words: str, expected: Any) -> None:
    assert eval(words, {"lib": lib}) == expected


def test_a_variable_is_one_under_all_its_names(lib: Any) -> None:
    lib.geo.v2.counter = 9
    assert (lib.geo.counter, lib.g.counter, lib.all.counter) == (9, 9, 9)
    lib.g2.counter = 3
    assert lib.geo.counter == 3


def test_nothing_is_skipped(lib: Any) -> None:
    assert lib.__skipped__ == ()
