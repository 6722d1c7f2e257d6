"""Classes that others use, of headers that are not exposed: what is absent says how to have it."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # large builds; test_base_classes.py is the quick one

HEADER = """
#pragma once
#include <vector>
namespace h {
class Bag {
  std::vector<int> v;
 public:
  int n = 3;
  Bag() {}
  explicit Bag(int k) : v(k, 7) {}
  int size() const { return v.size(); }
  template <class T> T at(int i) const { return v[i]; }
  static int zero() { return 0; }
  struct Item { int a = 4; };
  enum Mode { off, on };
  using Number = int;
  static const int kept;
};
template <class T> class Row {
  T* p = nullptr;
 public:
  int n = 2;
  Row() {}
  Row(int k) : n(k) {}
  int count() const { return n; }
  struct Inner { int a; int twice() const { return 2 * a; } };
};
const int Bag::kept = 6;
struct Plain { int a; int twice() const { return 2 * a; } };
struct Bare { int a; };
struct Parity { int a; friend bool operator==(const Parity& x, const Parity& y) { return x.a % 2 == y.a % 2; } };
template <class T> class Box { T v; public: explicit Box(T x) : v(x) {} template <class U> friend class Box;
  template <class U> bool same(const Box<U>& o) const { return v == o.v; } };
template <class T, class U> bool operator==(const Box<T>& x, const Box<U>& y) { return x.same(y); }
}
"""
SOURCE = """
#include "hidden.hpp"
namespace w {
inline h::Bag bag(int k) { return h::Bag(k); }
inline h::Row<int> row(int k) { return h::Row<int>(k); }
inline h::Row<int>::Inner inner(int k) { return {k}; }
inline h::Plain plain(int k) { return {k}; }
inline h::Bare bare(int k) { return {k}; }
inline h::Parity parity(int k) { return {k}; }
inline h::Box<int> box(int k) { return h::Box<int>(k); }
struct Vector { std::vector<int> v{1, 2}; std::vector<int>::iterator begin() { return v.begin(); } };
}
"""

Use = Callable[[Any], Any]
# What a program does, its answer where the class is exposed, and the pattern that the message names.
ROWS: list[tuple[str, Use, Any, str]] = [
    ("method", lambda lib: lib.w.bag(4).size(), 4, "h::Bag"),
    ("template", lambda lib: lib.w.bag(4).at["int"](1), 7, "h::Bag"),
    ("static", lambda lib: type(lib.w.bag(4)).zero(), 0, "h::Bag"),
    ("constructor", lambda lib: type(lib.w.bag(4))(5).n, 3, "h::Bag"),
    ("class", lambda lib: type(lib.w.bag(4)).Item().a, 4, "h::Bag"),
    ("enumeration", lambda lib: type(lib.w.bag(4)).Mode(1).name, "on", "h::Bag"),
    ("enumerator", lambda lib: type(lib.w.bag(4)).on.value, 1, "h::Bag"),
    ("alias", lambda lib: type(lib.w.bag(4)).Number, sb.int32, "h::Bag"),
    ("variable", lambda lib: type(lib.w.bag(4)).kept, 6, "h::Bag"),
    ("instance", lambda lib: lib.w.row(5).count(), 5, "h::Row"),
    ("instance made", lambda lib: type(lib.w.row(5))(6).n, 6, "h::Row"),
    ("nested", lambda lib: lib.w.inner(5).twice(), 10, "*/hidden.hpp"),
    ("struct", lambda lib: lib.w.plain(5).twice(), 10, "h::Plain"),
]


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Any]:
    folder: Path = tmp_path_factory.mktemp("unexposed")
    (folder / "hidden.hpp").write_text(HEADER)
    return lambda *expose: sb.compile(SOURCE, include_dirs=folder, expose=expose)


@pytest.mark.parametrize(
    ("use", "answer", "pattern"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS]
)
def test_what_is_absent_says_how_to_have_it(
    compiled: Callable[..., Any], use: Use, answer: Any, pattern: str
) -> None:
    with pytest.raises(
        (AttributeError, sb.ArgumentError), match=re.escape("hidden.hpp is not exposed")
    ) as refused:
        use(compiled())
    advised = re.search(r"expose=\['(.*?)'\]", str(refused.value))
    assert advised is not None
    assert advised[1] == pattern
    everything = compiled(*dict.fromkeys(row[3] for row in ROWS))  # one library for all rows
    assert use(everything) == answer


def test_a_class_that_is_named_has_its_members_alone(compiled: Callable[..., Any]) -> None:
    lib = compiled("h::Bag")
    assert lib.w.bag(2).size() == lib.h.Bag(2).size() == 2
    with pytest.raises(AttributeError, match="'twice' is declared in 'h::Plain' and not bound"):
        lib.w.plain(1).twice()


def test_fields_are_there_and_nothing_is_invented(compiled: Callable[..., Any]) -> None:
    lib = compiled()
    assert (lib.w.bag(4).n, lib.w.plain(3).a, lib.w.bare(2).a) == (3, 3, 2)
    assert lib.w.plain(3) == type(lib.w.plain(0))(3)
    assert "twice" not in dir(lib.w.plain(3))
    assert not hasattr(lib.w.plain(3), "twice")
    with pytest.raises(AttributeError, match="no attribute 'thrice'"):
        lib.w.bare(1).thrice()


def test_equality_is_that_of_cxx(compiled: Callable[..., Any]) -> None:
    for lib in (compiled(), compiled("h::*")):
        assert lib.w.parity(1) == lib.w.parity(3)
        assert lib.w.parity(1) != lib.w.parity(2)
        assert lib.w.box(1) == lib.w.box(1)
        assert lib.w.box(1) != lib.w.box(2)
        assert lib.w.bare(1) == lib.w.bare(1)
        vector = lib.w.Vector()
        assert vector.begin() == vector.begin()
        assert vector.begin() != lib.w.Vector().begin()
