"""What ``T* operator[]`` gives is subscripted as C++ subscripts it: ``m[i][j]`` is an element, and no address."""

from __future__ import annotations

import gc
from typing import Any

import numpy as np
import pytest
from tests.tables import each

import samebytes as sb

HEADER = """
#include <cstddef>
struct Point { int x = 1, y = 2; };
struct Node { int n; Node(int n) : n(n) {} virtual ~Node() {} };
enum class Color : short { Red = 3, Green = 5 };
enum class Key { First, Second };
struct Data {
  double r[6] = {1, 2, 3, 4, 5, 6}; float f[4] = {1.5f, 2.5f, 3.5f, 4.5f}; bool b[4] = {true, false, false, true};
  Color c[4] = {Color::Red, Color::Green, Color::Green, Color::Red}; char t[4] = {'a', 'b', 'c', 'd'};
  double g[2][3] = {{1, 2, 3}, {4, 5, 6}}; Point p[3] = {{1, 2}, {3, 4}, {5, 6}};
};
struct Base { Data d; double* operator[](int i) { return d.r + i * 2; }
  double& at(int i, int j) { return d.r[i * 2 + j]; } };
struct Constant { Data d; const double* operator[](int i) const { return d.r + i * 2; } };
struct Both { Data d; double* operator[](int i) { return d.r + i * 2; }
  const double* operator[](int i) const { return d.r + i * 2; } };
struct Derived : Base {};
struct Owning { Data* d = new Data; Owning() {} Owning(const Owning&) = delete; ~Owning() { delete d; }
  double* operator[](std::size_t i) { return d->r + i * 2; } };
struct Floats { Data d; float* operator[](Key k) { return d.f + (k == Key::Second ? 2 : 0); } };
struct Bools { Data d; bool* operator[](int i) { return d.b + i * 2; } };
struct Colors { Data d; Color* operator[](int i) { return d.c + i * 2; } };
struct Letters { Data d; char* operator[](int i) { return d.t + i * 2; } };
struct Planes { Data d; double (*operator[](int))[3] { return d.g; } };
struct Double { Data d; double* rows[2] = {d.r, d.r + 2}; double** operator[](int) { rows[0] = d.r;
  rows[1] = d.r + 2; return rows; } };
struct Nodes { Node a{7}, b{8}; Node* all[2]; Node** operator[](int) { all[0] = &a; all[1] = &b; return all; } };
struct Places { Data d; double* row = nullptr; double*& operator[](int i) { row = d.r + i * 2; return row; } };
struct Addresses { Data d; void* operator[](int) { return d.r; } };
struct Incomplete; struct Unknown { Incomplete* operator[](int) { return reinterpret_cast<Incomplete*>(this); } };
struct Nothing { double* operator[](int) { return nullptr; } };
template <class T> struct Grid { T v[4] = {T(1), T(2), T(3), T(4)}; T* operator[](int i) { return v + i * 2; } };
struct Rows { Data d; struct It { double* at; double* operator*() const { return at; }
  It& operator++() { at += 2; return *this; }
    bool operator!=(It o) const { return at != o.at; } };
  It begin() { return {d.r}; } It end() { return {d.r + 6}; } double* operator()(int i) { return d.r + i * 2; }
  double* operator*() { return d.r; } };
inline double sum(const double* p) { return p[0] + p[1]; }
"""


@pytest.fixture(scope="module")
def lib() -> sb.Library:
    return sb.compile(HEADER, instantiate=["Grid<int>", "Grid<float>"])


@each(
    ("read", "expected"),
    [
        (lambda m: m.Base()[1][0], 3.0),
        (lambda m: m.Derived()[1][1], 4.0),
        (lambda m: m.Constant()[1][0], 3.0),
        (lambda m: m.Both()[2][1], 6.0),
        (lambda m: m.Owning()[1][1], 4.0),
        (lambda m: m.Floats()[m.Key.Second][1], 4.5),
        (lambda m: [m.Bools()[1][0], m.Bools()[1][1]], [False, True]),
        (lambda m: m.Colors()[1][0] is m.Color.Green, True),
        (lambda m: m.Letters()[1][1], ord("d")),
        (lambda m: [m.Planes()[0][1][0], len(m.Planes()[0][1]), [*m.Planes()[0][0]]], [4.0, 3, [1.0, 2.0, 3.0]]),
        (lambda m: [m.Double()[0][0][1], m.Double()[0][1][1]], [2.0, 4.0]),
        (lambda m: [m.Nodes()[0][0].n, m.Nodes()[0][1].n], [7, 8]),
        (lambda m: (x := m.Places()) and x[1][0], 3.0),
        (lambda m: m.Grid["int"]()[1][0], 3),
        (lambda m: m.Grid["float"]()[1][1], 4.0),
        (lambda m: m.Rows()(1)[0], 3.0),
        (lambda m: [row[1] for row in m.Rows()], [2.0, 4.0, 6.0]),
        (lambda m: m.Base()[1][np.int64(1)], 4.0),
        (lambda m: m.Base()[0][3], 4.0),
    ],
)  # fmt: skip
def test_elements(lib: Any, read: Any, expected: Any) -> None:
    assert read(lib) == expected


@each("name", ["Base", "Derived", "Both", "Owning"])
def test_what_is_written_is_there(lib: Any, name: str) -> None:
    m = getattr(lib, name)()
    m[1][0] = 9
    m[1][0] += 0.5
    row = m[0]
    assert (m[1][0], row[2], lib.sum(m[1])) == (9.5, 9.5, 13.5)
    with pytest.raises(
        sb.ArgumentError, match=rf"{'Base' if name == 'Derived' else name}\[…\]\[1\]: expected"
    ):
        row[1] = "x"


@each(
    ("use", "words"),
    [
        (lambda m: m.Addresses()[0][1], "no elements of void"),
        (lambda m: m.Unknown()[0][1], "no elements of Incomplete"),
        (lambda m: m.Nothing()[0][1], "nothing behind a null pointer"),
        (lambda m: m.Base()[0][-1], "counts from the first"),
        (lambda m: m.Base()[0][1:2], "expected an index, got slice"),
        (lambda m: m.Base()[0]["x"], "expected an index, got str"),
        (lambda m: len(m.Base()[0]), "does not say how many"),
        (lambda m: [*m.Base()[0]], "does not say how many"),
        (lambda m: m.Planes()[0][0][3], "there are 3 elements"),
        (lambda m: m.Planes()[0].__setitem__(0, [1, 2, 3]), "assigns no arrays"),
        (lambda m: m.Constant()[0].__setitem__(0, 1.0), "is const"),
    ],
)
def test_refused(lib: Any, use: Any, words: str) -> None:
    with pytest.raises((TypeError, IndexError, AttributeError), match=words):
        use(lib)


def test_rows_keep_their_object(lib: Any) -> None:
    row, plane = lib.Owning()[1], lib.Planes()[0][1]
    gc.collect()
    others = [lib.Owning() for _ in range(20)]
    others[0][1][0] = 99.0
    assert (row[0], plane[1]) == (3.0, 5.0)


def test_rows_are_addresses(lib: Any) -> None:
    m = lib.Base()
    assert isinstance(m[1], sb.Pointer)
    assert (int(m[1]), m[1]) == (int(m[0]) + 16, m[1])
    assert m[0]
    assert not lib.Nothing()[0]
