"""Public members of class templates that share their name with private ones; those of final templates and unions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import samebytes as sb

SOURCE = r"""
template <class K> class Tree {
  struct Node { K k; };
  Node root{};
  static int height(const Node*) { return 4; }
  void set(K k, int by) { root.k = k * by; }
  int operator()(int x, int) const { return x; }
 public:
  int height() const { return height(&root); }
  int depth() const { return 7; }
  int depth(double) const { return 8; }
  template <class U> U depth(U u, int) const { return u; }
  void set(K k) { set(k, 2); }
  K get() const { return root.k; }
  int operator()(int x) const { return (*this)(x, 0) + 1; }
  Tree operator+(K k) const { Tree t; t.root.k = root.k + k; return t; }
  bool operator==(const Tree& o) const { return root.k == o.root.k; }
 private:
  int depth(int x) const { return x; }
  bool operator==(int) const { return false; }
  Tree operator+(const char*) const { return *this; }
};
using IntTree = Tree<int>;

template <class K> class Last final {
  K k{};
  int f() const { return 0; }
 public:
  static Last of(K k) { Last l; l.k = k; return l; }
  int f(int) const { return 1; }
  int f(double) const { return 2; }
  K get() const { return k; }
  static int s(int) { return 5; }
  static int s() { return 6; }
  template <class U> U g(U u) const { return u; }
  Last operator+(int) const { return *this; }
  Last operator+(double) const { return of(k + 10); }
  operator int() const { return 3; }
};
using IntLast = Last<int>;

template <class T> union Either {
  T t;
  char c[8];
  int f(int) const { return 1; }
  int f(double) const { return 2; }
  T get() const { return t; }
};
using IntEither = Either<int>;

struct Base {
  int b(int) const { return 1; }
  int b(double) const { return 2; }
 protected:
  int p() const { return 9; }
  int p(int) const { return 10; }
};
template <class T> struct Derived : Base {
  using Base::b;
  using Base::p;
  int b(T*) const { return 3; }
 private:
  int b() const { return 0; }
  int p(T*) const { return 11; }
};
using IntDerived = Derived<int>;
"""
ROWS: dict[str, tuple[Callable[[Any], Any], Any]] = {
    "beside a private static one": (lambda lib: lib.IntTree().height(), 4),
    "beside a private one": (lambda lib: lib.IntTree().depth(), 7),
    "two, by their arguments": (lambda lib: lib.IntTree().depth(0.5), 8),
    "a template among them": (lambda lib: lib.IntTree().depth(2.5, 1), 2.5),
    "operator()": (lambda lib: lib.IntTree()(3), 4),
    "operator+": (lambda lib: (lib.IntTree() + 3).get(), 3),
    "operator==": (lambda lib: (lib.IntTree() == lib.IntTree(), lib.IntTree() + 1 == lib.IntTree()), (True, False)),
    "a final class": (lambda lib: [lib.IntLast().f(1), lib.IntLast().f(1.5), lib.IntLast.of(4).get()], [1, 2, 4]),
    "its static ones": (lambda lib: [lib.IntLast.s(), lib.IntLast.s(1)], [6, 5]),
    "its templates": (lambda lib: lib.IntLast().g(2.5), 2.5),
    "its operators": (lambda lib: [(lib.IntLast() + 1.5).get(), int(lib.IntLast())], [10, 3]),
    "a union": (lambda lib: [lib.IntEither().f(1), lib.IntEither().f(1.5), lib.IntEither(t=3).get()], [1, 2, 3]),
}  # fmt: skip


@pytest.fixture(scope="module")
def lib() -> sb.Library:
    return sb.compile(SOURCE)


@pytest.mark.parametrize("name", ROWS)
def test_public_overloads_are_there(lib: sb.Library, name: str) -> None:
    called, expected = ROWS[name]
    assert called(lib) == expected


def test_private_overloads_are_not(lib: sb.Library) -> None:
    tree = lib.IntTree()
    tree.set(4)
    assert tree.get() == 8
    with pytest.raises(sb.ArgumentError):
        tree.set(4, 3)
    with pytest.raises(sb.ArgumentError):
        lib.IntLast().f()
    assert {s.name for s in lib.__skipped__} == {"Derived<int>::b", "Derived<int>::p"}


def test_what_a_base_has_of_them_says_so(lib: sb.Library) -> None:
    with pytest.raises(AttributeError, match="a using-declaration takes some of its overloads from a base"):
        lib.IntDerived().p()
    with pytest.raises(AttributeError, match="a using-declaration takes some"):
        lib.IntDerived().b(None)
