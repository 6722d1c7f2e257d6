"""Pointers to pointers: lists and the rows of arrays are arrays of their addresses, a null behind."""

from __future__ import annotations

import gc
from typing import Any

import numpy as np
import pytest

import samebytes as sb

SOURCE = r"""
#include <algorithm>
#include <string>
#include <utility>
struct P { double x; };
struct Q { double x; virtual ~Q() {} explicit Q(double x) : x(x) {} };
struct R : Q { using Q::Q; };
double sum(const P* const* p, int n) { double s = 0; while (n--) s += p[n]->x; return s; }
double sum_objects(const Q* const* p, int n) { double s = 0; while (n--) s += p[n]->x; return s; }
int count(const Q* const* p) { int n = 0; while (p && *p++) ++n; return n; }
void raise_all(P* const* p, int n) { while (n--) ++p[n]->x; }
void order(Q** p, int n) { std::sort(p, p + n, [](Q* a, Q* b) { return a->x < b->x; }); }
double rows(const double* const* p, int n, int m) {
  double s = 0; for (int i = 0; i < n; ++i) for (int j = 0; j < m; ++j) s += 10 * i * p[i][j] + j; return s; }
void scale(double** p, int n, int m) { for (int i = 0; i < n; ++i) for (int j = 0; j < m; ++j) p[i][j] *= 2; }
void swap(double** p) { std::swap(p[0], p[1]); }
void put(P** p) { static P q{7}; *p = &q; }
double deep(const double* const* const* p) { return p[1][0][1]; }
double deep_written(double*** p) { return p[1][0][1]; }
std::string joined(const char* const* p, int n) { std::string s; for (int i = 0; i < n; ++i) s += p[i]; return s; }
std::string program(int argc, char** argv) { std::string s; for (char** a = argv; *a; ++a) s += *a; return s; }
const Q* pick(Q* const* p, int i) { return p[i]; }
double both(const P* const (&p)[2]) { return p[0]->x + p[1]->x; }
double run(Q* const* p, void (*f)()) { f(); return p[0]->x; }
struct Keeps {
  Q* const* p; explicit Keeps(Q* const* p) : p(p) {} ~Keeps() {}
  double second() const { return p[1]->x; }
};
struct Net { double** w; const char* const* names; };
double at(const Net& n, int i, int j) { return n.w[i][j]; }
std::string name(const Net& n, int i) { return n.names[i]; }
"""
A = np.arange(6.0).reshape(2, 3)


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(SOURCE)


def test_objects_in_a_list_are_those_that_cxx_sees(lib: Any) -> None:
    ps = [lib.P(1), lib.P(2)]
    lib.raise_all(ps, 2)
    assert ([p.x for p in ps], lib.sum(ps, 2), lib.sum(tuple(ps), 2), lib.both(ps)) == ([2, 3], 5, 5, 5)
    assert (lib.sum(lib.P(4), 1), lib.sum([(4.5,)], 1)) == (4, 4.5)  # one alone, and one that C++ only reads
    assert lib.sum_objects([lib.Q(1), lib.R(2), lib.Q(4)], 3) == 7
    assert [lib.count(p) for p in ([], [lib.Q(1)], (lib.Q(1), lib.R(2)), None, [None, lib.Q(1)])] == [
        0,
        1,
        2,
        0,
        0,
    ]


def test_rows_of_arrays_are_where_they_lie(lib: Any) -> None:
    told = sum(10 * i * A[i, j] + j for i in range(2) for j in range(3))
    assert [lib.rows(a, 2, 3) for a in (A, A.tolist(), [*A], A[:, ::1], tuple(map(tuple, A)))] == [told] * 5
    whole, listed = np.ones((4, 6)), [np.ones(3), np.ones(3)]
    lib.scale(whole[::2, :3], 2, 3)
    lib.scale(listed, 2, 3)
    assert (whole.sum(), whole[2].tolist(), sum(map(sum, listed))) == (30, [2, 2, 2, 1, 1, 1], 12)
    cube = np.arange(8.0).reshape(2, 2, 2)
    assert lib.deep(cube) == lib.deep(cube.tolist()) == 5


def test_texts_and_writable_bytes(lib: Any) -> None:
    assert lib.joined(["a", b"b", "\u00df"], 3) == "ab\u00df"
    assert lib.program(2, [bytearray(b"ab\0"), bytearray(b"c\0")]) == "abc"


def test_addresses_that_cxx_writes_are_in_the_list(lib: Any) -> None:
    q = [lib.Q(3), lib.Q(1), lib.R(2)]
    before = [q[1], q[2], q[0]]
    lib.order(q, 3)
    assert all(a is b for a, b in zip(q, before, strict=True))
    new = [lib.P(1)]
    lib.put(new)
    assert lib.sum(new, 1) == 7
    rows = [np.ones(2), np.zeros(2)]
    lib.swap(rows)
    assert [r.tolist() for r in rows] == [[0, 0], [1, 1]]
    with pytest.raises(sb.IntentError, match=r"swap\(\) put another address at row 0 of an array"):
        lib.swap(np.ones((2, 2)))
    with pytest.raises(sb.IntentError, match=r"order\(\) wrote to element 0 of the tuple"):
        lib.order((lib.Q(2), lib.Q(1)), 2)


def test_what_refers_to_them_keeps_them(lib: Any) -> None:
    keeps, found = lib.Keeps([lib.Q(1), lib.Q(8)]), lib.pick([lib.Q(1), lib.Q(8)], 1)
    net = lib.Net(w=np.full((2, 2), 3.0), names=["one", "two"])
    gc.collect()
    told = (keeps.second(), found.x, lib.at(net, 1, 1), lib.name(net, 1))
    assert told == (8, 8, 3, "two")
    q = lib.Q(5)
    with pytest.raises(sb.IntentError, match="A call that is running uses it"):
        lib.run([q], lambda: sb.delete(q))


REFUSED: list[tuple[str, Any, str]] = [
    ("swap", ["a"], r"argument 1 'p\[0\]': expected contiguous float64\[n\]"),
    ("swap", [[1.0], [2.0]], r"argument 1 'p\[0\]': .*numpy.array"),
    ("swap", np.ones((2, 2), np.float32), r"argument 1 'p\[0\]': .*x.astype"),
    ("swap", np.asfortranarray(A), r"argument 1 'p\[0\]': .*a copy would lose what C\+\+ writes"),
    ("swap", np.lib.stride_tricks.as_strided(A, (2, 2), (8, 8)), r"argument 1 'p': (.|\n)*elements overlap"),
    ("put", [3], r"argument 1 'p\[0\]'"),
    ("both", [None], "expected 2 elements"),
    ("deep_written", np.ones((2, 2, 2)), r"argument 1 'p\[0\]': (.|\n)*C\+\+ may write addresses there"),
]


@pytest.mark.parametrize(("name", "given", "words"), REFUSED)
def test_what_does_not_fit_is_refused(lib: Any, name: str, given: Any, words: str) -> None:
    with pytest.raises((sb.ArgumentError, sb.ArrayError), match=words):
        getattr(lib, name)(given)
