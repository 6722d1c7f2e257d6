"""Classes of values are made when they are first named or needed, with all that they have, as those made at once."""

from __future__ import annotations

import inspect
import pickle
import pydoc
import sys
import threading
from typing import Any

import pytest

import samebytes as sb
from samebytes.api import registry
from samebytes.loading.linking import linker
from samebytes.loading.stubs import stub_text

pytestmark = pytest.mark.full  # chains of classes, made in several ways

SOURCE = """
#include <string>
#include <vector>
namespace geo {
struct V {
  V(double a, double b = 0) : x(a), y(b) {}
  explicit V(const char* text) : x(text[0]), y(1) {}
  double norm() const { return x * x + y * y; }
  double times(double k) const { return k * x; }
  int times(int k) const { return k; }
  static V unit() { return V(1, 1); }
  V operator+(const V& o) const { return V(x + o.x, y + o.y); }
  V operator*(double k) const { return V(x * k, y * k); }
  V operator-() const { return V(-x, -y); }
  V& operator+=(const V& o) { x += o.x; y += o.y; return *this; }
  bool operator==(const V& o) const { return x == o.x && y == o.y; }
  bool operator<(const V& o) const { return x < o.x; }
  double operator()(double k) const { return k + x; }
  /// The components.
  double x, y;
};
struct Number { Number(int n) : n(n) {} operator int() const { return n; } int n; };
struct Truth { Truth(int n) : n(n) {} explicit operator bool() const { return n > 1; } int n; };
struct Both { Both(int n) : n(n) {} operator int() const { return n; } operator double() const { return .5; } int n; };
}
struct Box { geo::V low, high; Box(geo::V a, geo::V b) : low(a), high(b) {} geo::V size() const; };
inline geo::V Box::size() const { return geo::V(high.x - low.x, high.y - low.y); }
struct Second;
struct First { First(const Second& s); First(int n) : n(n) {} int n; };
struct Second { Second(const First& f) : n(f.n + 1) {} Second(int n) : n(n) {} int n; };
inline First::First(const Second& s) : n(s.n + 10) {}
struct Words {
  int from() const { return 1; } int lambda() const { return 2; }
  int count = 3; const char* none = nullptr;
};
struct To;
struct From { int x = 1; operator To() const; };  // which needs a class before all is there
struct To { To(int n) : v(n) {} To(const From& f) : v(f.x) {} To(const From& f, int) : v(f.x) {} int v; };
inline From::operator To() const { return To(x + 20); }
inline int taken(To t) { return t.v; }
struct Filled { int a = 4; double b = 2.5; };
struct Made { Made() : a(7) {} int a; };
struct Node { Node(int n) : n(n) {} Node* next = nullptr; int n; int last() const { return next ? next->last() : n; } };
struct Ring { int at; Ring(int a) : at(a) {} };
inline Ring operator+(const Ring& a, const Ring& b) { return Ring((a.at + b.at) % 12); }
struct Square { explicit Square(int n) : n(n) {} int operator[](int i) const { return i * n; } int n; };
struct Outer { struct Inner { Inner(int n) : n(n) {} int n; }; Outer(int n) : inner(n) {} Inner inner; };
struct Parent { Parent(int n) : n(n) {} int n; int get() const { return n; } };
struct Child : Parent { Child(int n) : Parent(n) {} };
struct Listed { Listed(std::vector<int> v, std::string s) : n(int(v.size() + s.size())) {} int n; };
struct Static { static constexpr int most = 3; Static(int n) : n(n) {} int n; };
struct Gone { Gone() = delete; Gone(Gone&&) = default; void use(int&&) = delete; int n; };
using Vector = geo::V;
typedef struct Node Knot;
enum class Side { left, right };
struct Sided { Sided(Side s) : side(s) {} Side side; };
inline double norm_of(geo::V v) { return v.norm(); }
inline int second_of(const Second& s) { return s.n; }
inline Box box_of(double a) { return Box(geo::V(0.0), geo::V(a, a)); }
"""
WAITS = {
    "geo::V", "geo::Number", "geo::Truth", "geo::Both", "Box", "First", "Second", "Words", "Filled", "Made", "Node",
    "Listed", "Sided",
}  # fmt: skip


@pytest.fixture
def lib() -> Any:
    """A library of its own, of which nothing was asked."""
    registry.LIBRARIES.clear()
    return sb.compile(SOURCE, name="values", flags=["-O0"])


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> Any:
    """One whose classes are all made at once."""
    registry.LIBRARIES.clear()
    monkeypatch.setattr(linker, "plain_records", lambda module: set())
    made = sb.compile(SOURCE, name="values", flags=["-O0"])
    assert not waiting(made)
    monkeypatch.undo()
    return made


def waiting(lib: Any) -> set[str]:
    return {name for name in lib.__records__ if lib.__linker__.records.waits(name)}


def shown(lib: Any) -> dict[str, Any]:
    """All that a program sees of a library's classes."""
    found: dict[str, Any] = {
        "dir": (dir(lib), dir(lib.geo)), "repr": (repr(lib), repr(lib.geo)),
        "skipped": set(lib.__skipped__), "clashes": lib.__clashes__,
        "bound": set(lib.__bound__), "stub": stub_text(lib, "values.hpp"), "explain": str(lib.__explain__()),
    }  # fmt: skip
    for name, cls in lib.__records__.items():
        found[name] = {
            "help": pydoc.plain(pydoc.render_doc(cls)),
            "own": {n: (type(v), v.__doc__) for n, v in vars(cls).items() if n != "__samebytes_linker__"},
            "signature": str(inspect.signature(cls)), "mro": [b.__name__ for b in cls.__mro__],
            "makers": [m.text for m in getattr(cls, "__samebytes_makers__", ())],
            "constructed": getattr(cls, "__samebytes_constructed__", None),
            "blank": str(vars(cls).get("__samebytes_blank__")).partition(" at ")[0],
            "new": inspect.getdoc(cls.__samebytes_new__) if cls.__samebytes_new__ else None,
        }  # fmt: skip
    return found


def test_they_are_what_those_made_at_once_are(at_once: Any) -> None:
    expected = shown(at_once)
    registry.LIBRARIES.clear()
    lib = sb.compile(SOURCE, name="values", flags=["-O0"])
    assert dir(lib) == expected["dir"][0]
    assert waiting(lib) == WAITS
    found = shown(lib)
    assert not waiting(lib)
    for name in expected:
        assert found[name] == expected[name], name
    assert {*found} == {*expected}


# What is asked of a library of which nothing else was asked, what that gives, and what has its class then.
ROWS: list[tuple[str, Any, set[str]]] = [
    ("lib.geo.V(3, 4).norm()", 25, {"geo::V"}),
    ("lib.Vector is lib.geo.V and lib.Vector('a').y", 1, {"geo::V"}),
    ("lib.norm_of(3)", 9, {"geo::V"}),  # the constructor that C++ calls by itself
    ("lib.norm_of((3, 4))", TypeError, {"geo::V"}),
    ("lib.box_of(2).size() == lib.geo.V(2, 2)", True, {"geo::V", "Box"}),
    ("lib.Box(1, lib.geo.V(2, 5)).size().y", 5, {"geo::V", "Box"}),
    ("lib.second_of(3)", 3, {"First", "Second"}),
    ("lib.second_of(lib.First(3))", 4, {"First", "Second"}),
    ("lib.First(lib.Second(1)).n", 11, {"First", "Second"}),
    ("(lib.geo.V(1) + lib.geo.V(2, 3)).y, (-lib.geo.V(1)).x, (lib.geo.V(1, 2) * 3).y", (3, -1, 6), {"geo::V"}),
    ("(lib.geo.V(1) + 1).x", 2, {"geo::V"}),
    ("lib.geo.V(1) < lib.geo.V(2), lib.geo.V(2) < lib.geo.V(1)", (True, False), {"geo::V"}),
    ("lib.geo.V(1) != lib.geo.V(1), lib.geo.V(1) == lib.geo.V(1)", (False, True), {"geo::V"}),
    ("hash(lib.geo.V(1))", TypeError, {"geo::V"}),
    ("lib.geo.V.unit().times(2), lib.geo.V.unit().times(2.5), lib.geo.V(1)(2)", (2, 2.5, 3), {"geo::V"}),
    ("int(lib.geo.Number(3)), lib.geo.Number(3) == 3, lib.geo.Number(3) + 4", (3, True, 7), {"geo::Number"}),
    ("bool(lib.geo.Truth(1)), bool(lib.geo.Truth(2))", (False, True), {"geo::Truth"}),
    ("float(lib.geo.Both(1)), int(lib.geo.Both(2))", (0.5, 2), {"geo::Both"}),
    ("lib.Words().from_(), lib.Words().lambda_(), lib.Words().count", (1, 2, 3), {"Words"}),
    ("lib.Filled().a, lib.Filled().b, lib.Made().a", (4, 2.5, 7), {"Filled", "Made"}),
    ("lib.taken(3), lib.taken(lib.To(lib.From(), 2))", (3, 1), set()),
    ("lib.taken(lib.From())", sb.ArgumentError, set()),
    ("lib.Node(3).last()", 3, {"Node"}),
    ("lib.Knot is lib.Node", True, {"Node"}),
    ("(lib.Ring(7) + lib.Ring(8)).at, lib.Square(3)[2], lib.Child(5).get()", (3, 6, 5), set()),
    ("lib.Outer(4).inner.n, lib.Outer.Inner(2).n", (4, 2), set()),
    ("lib.Listed([1, 2], 'abc').n", 5, {"Listed"}),
    ("lib.Sided(lib.Side.right).side is lib.Side.right", True, {"Sided"}),
    ("pickle.loads(pickle.dumps(lib.geo.V(3, 4))).norm()", 25, {"geo::V"}),
    ("pickle.loads(pickle.dumps(lib.geo.V)) is lib.geo.V", True, {"geo::V"}),
    ("pickle.loads(pickle.dumps(lib.geo.V.norm))(lib.geo.V(1))", 1, {"geo::V"}),
    ("lib.__bound__['geo::V::norm'].make()(lib.geo.V(2))", 4, {"geo::V"}),
    ("isinstance(lib.box_of(1), lib.Box)", True, {"geo::V", "Box"}),
    ("type('Mine', (lib.geo.V,), {'more': lambda self: self.norm() + 1})(3).more()", 10, {"geo::V"}),
    ("lib.build('geo::V')", None, set()),
    ("sb.pythonize(lib.geo.V, rename={'norm': 'length'})(2).length()", 4, WAITS),
]  # fmt: skip


@pytest.mark.parametrize(("asked", "expected", "made"), ROWS, ids=[row[0] for row in ROWS])
def test_a_row(lib: Any, asked: str, expected: Any, made: set[str]) -> None:
    given = {"lib": lib, "pickle": pickle, "sb": sb}
    if isinstance(expected, type):
        with pytest.raises(expected):
            eval(asked, given)
    else:
        assert eval(asked, given) == expected
    assert waiting(lib) == WAITS - made


def test_threads_see_whole_classes(lib: Any) -> None:
    start, got = threading.Barrier(8), []

    def ask(number: int) -> None:
        start.wait()
        cls = (lib.First, lib.Second)[:: (-1) ** number][0]
        got.append((cls, cls(3).n, lib.second_of(lib.First(1)), lib.norm_of(2)))

    threads = [threading.Thread(target=ask, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(one[1:] for one in got) == [(3, 2, 4)] * 8
    assert {one[0] for one in got} == {lib.First, lib.Second}


def test_what_failed_is_tried_again(lib: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    records, cause = lib.__linker__.records, KeyboardInterrupt

    def interrupted(cls: Any) -> None:
        raise cause

    with monkeypatch.context() as patch:
        patch.setattr(records, "_complete", interrupted)
        with pytest.raises(cause):
            _ = lib.geo.V
    assert lib.geo.V(3, 4).norm() == 25
    assert lib.norm_of(lib.geo.V(2)) == 4


def test_a_long_chain_of_constructors() -> None:
    registry.LIBRARIES.clear()
    count = 120
    chain = "".join(
        f"struct C{n} {{ C{n}(const C{n + 1}&) : n({n}) {{}} C{n}(int a) : n(a) {{}} int n; }};"
        for n in range(count)
    )
    declared = "".join(f"struct C{n};" for n in range(count + 1))
    lib = sb.compile(f"{declared} struct C{count} {{ int n; }}; {chain}", name="chain", flags=["-O0"])
    depth = len(inspect.stack()) + 90
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(depth)  # one class after another, not one inside of another
    try:
        assert lib.C0
    finally:
        sys.setrecursionlimit(limit)
    assert lib.C0(lib.C1(5)).n == 0
    assert not waiting(lib)
