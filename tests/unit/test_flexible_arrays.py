"""Structs that end in an array without a length: what C sees of the elements, and what would lose them."""

from __future__ import annotations

import copy
import pickle
import warnings
from typing import Any

import numpy as np
import pytest
from tests.tables import each

import samebytes as sb

SOURCE = r"""
#include <stdlib.h>
#include <string.h>
struct pt { int x, y; };
struct path { unsigned n; struct pt at[]; };
static inline int points(const struct path* p) {
  int s = 0;
  for (unsigned i = 0; i < p->n; ++i) s += p->at[i].x;
  return s;
}
static inline struct path* make(unsigned n) {
  struct path* p = (struct path*)malloc(sizeof *p + n * sizeof p->at[0]);
  p->n = n;
  for (unsigned i = 0; i < n; ++i) p->at[i].x = (int)i, p->at[i].y = 2;
  return p;
}
static inline void drop(struct path* p) { free(p); }
struct series { char kind; int n; double at[0]; };
static inline double doubled(struct series* p) {
  double s = 0;
  for (int i = 0; i < p->n; ++i) s += p->at[i] *= 2;
  return s;
}
struct message { int len; char text[]; };
static inline int last(const struct message* m) { return m->len ? m->text[m->len - 1] : -1; }
struct rows { int n; float at[][3]; };
static inline float thirds(const struct rows* m) {
  float s = 0;
  for (int i = 0; i < m->n; ++i) s += m->at[i][2];
  return s;
}
struct names { int n; const char* name[]; };
static inline int lengths(const struct names* m) {
  int s = 0;
  for (int i = 0; i < m->n; ++i) s += (int)strlen(m->name[i]);
  return s;
}
struct holder { int k; struct path tail; };
static inline struct path by_value(struct path* p) { return *p; }
static inline unsigned taken(struct path p) { return p.n; }
static inline void fill(struct path* p) { p->n = 1; p->at[0].x = 1; }
"""
COUNTS = {f"{name}::at": "n" for name in ("path", "series", "rows")} | {
    "message::text": "len",
    "names::name": "n",
}


def _compiled(**options: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sb.BindWarning)  # what is not bound has a test of its own
        return sb.compile(SOURCE, **options)


@pytest.fixture(scope="module", params=["c", "c++"])
def lib(request: pytest.FixtureRequest) -> Any:
    return _compiled(language=request.param, counts=COUNTS)


@pytest.fixture(scope="module")
def uncounted() -> Any:
    return _compiled(language="c")


def test_what_c_made_is_read_and_written(lib: Any) -> None:
    path = lib.make(3)
    assert [(p.x, p.y) for p in path.at] == [(0, 2), (1, 2), (2, 2)]
    path.at[1].x = 50
    assert lib.points(path) == 52
    path.at = [(7, 0)] * 3
    assert lib.points(path) == 21
    path.n = 2
    assert len(path.at) == 2
    lib.drop(path)


@each(
    "make, told",
    [
        (lambda lib: lib.path(at=[(1, 2), (3, 4)]), lambda lib, p: lib.points(p) == 4 and p.n == 2),
        (lambda lib: lib.path(2, [(1, 2), (3, 4)]), lambda lib, p: lib.points(p) == 4),
        (lambda lib: lib.path(n=2), lambda lib, p: len(p.at) == 2 and lib.points(p) == 0),
        (lambda lib: lib.path(), lambda lib, p: p.at == () and lib.points(p) == 0),
        (lambda lib: lib.path[3](n=2), lambda lib, p: len(p.at) == 3 and lib.points(p) == 0 and p.n == 2),
        (lambda lib: lib.path[3](), lambda lib, p: len(p.at) == p.n == 3),
        (lambda lib: lib.path[2](at=[(1, 2), (3, 4)]), lambda lib, p: lib.points(p) == 4),
        (lambda lib: lib.path[2](2, [(1, 2), (3, 4)]), lambda lib, p: lib.points(p) == 4),
        (lambda lib: lib.series(at=np.arange(4.0)), lambda lib, p: lib.doubled(p) == 12 and p.at[3] == 6),
        (lambda lib: lib.message(text=b"abc"), lambda lib, p: lib.last(p) == ord("c")),
        (lambda lib: lib.rows(at=[[1, 2, 3], [4, 5, 6]]), lambda lib, p: lib.thirds(p) == 9),
        (lambda lib: lib.names(name=["a", "bcd"]), lambda lib, p: lib.lengths(p) == 4),
        (lambda lib: copy.copy(lib.path(at=[(5, 0)])), lambda lib, p: lib.points(p) == 5),
        (lambda lib: copy.deepcopy(lib.make(3)), lambda lib, p: lib.points(p) == 3),
        (lambda lib: lib.make(3).replace(n=2), lambda lib, p: lib.points(p) == 1 and len(p.at) == 3),
        (lambda lib: pickle.loads(pickle.dumps(lib.make(3))), lambda lib, p: lib.points(p) == 3),
        (lambda lib: lib.path(lib.make(3)), lambda lib, p: lib.points(p) == 3),
        (lambda lib: lib.path[2].fromObj(lib.make(3)), lambda lib, p: len(p.at) == 2 and lib.points(p) == 3),
        (lambda lib: lib.path.fromObj(bytearray(20)), lambda lib, p: p.at == ()),
    ],
)
def test_an_object_has_its_elements(lib: Any, make: Any, told: Any) -> None:
    made = make(lib)
    assert told(lib, made)


def test_python_derives_from_one(lib: Any) -> None:
    class Line(lib.path):
        def total(self) -> int:
            return sum(p.x for p in self.at)

    line = Line(at=[(1, 2), (3, 4)])
    assert isinstance(line, Line)
    assert line.total() == lib.points(line) == 4


def test_a_number_of_elements_is_a_class(lib: Any) -> None:
    assert lib.path[3] is lib.path[3]
    assert issubclass(lib.path[3], lib.path)
    assert sb.layout(lib.path[3]).size == 4 + 3 * 8
    assert sb.layout(lib.series[2]).size == 8 + 2 * 8
    assert lib.path[2].dtype.names == ("n", "at")
    assert repr(lib.path(at=[(1, 2)])) == "path[1](n=1, at=(pt(x=1, y=2),))"
    assert lib.path(n=2) == lib.path(n=2) != lib.path(n=3)


@each(
    "act, words",
    [
        (lambda lib: lib.path(3, [(1, 2)]), "got 1 elements as 'at' and 3 (int) as 'n'"),
        (lambda lib: lib.path(n=-1), "expected the number of elements of 'at', 0 or more, got -1"),
        (lambda lib: lib.path(at=iter([])), "expected a list or an array of elements"),
        (lambda lib: lib.path["a"], "expected the number of elements"),
        (lambda lib: lib.path[True], "expected the number of elements"),
        (lambda lib: lib.path[2**60], "expected the number of elements"),
        (lambda lib: lib.path[1][1], "has its number of elements already"),
        (lambda lib: setattr(lib.path(n=2), "at", [(1, 2)]), "expected 2 elements"),
        (lambda lib: setattr(lib.path(), "at", [(1, 2)]), "expected no elements"),
        (lambda lib: delattr(lib.path(), "at"), "cannot be deleted"),
        (
            lambda lib: lib.points([lib.make(1), lib.make(1)]),
            "none of the elements of its flexible array 'at'",
        ),
        (lambda lib: lib.by_value, "none of the elements of its flexible array 'at'"),
        (lambda lib: lib.taken, "none of the elements of its flexible array 'at'"),
        (lambda lib: lib.holder().tail, "none of the elements of its flexible array 'at'"),
        (lambda lib: _read_too_far(lib), "cannot have 3 elements: its memory has 20 bytes, not 28"),
    ],
)
def test_what_would_lose_elements_is_refused(lib: Any, act: Any, words: str) -> None:
    with pytest.raises((sb.Error, TypeError, AttributeError)) as caught:
        act(lib)
    assert words in str(caught.value)


def _read_too_far(lib: Any) -> Any:
    path = lib.path.fromObj(bytearray(20))
    path.n = 3
    return path.at


@each(
    "act",
    [
        lambda path: copy.copy(path),
        lambda path: pickle.dumps(path),
        lambda path: path.value,
        lambda path: path.replace(n=1),
        lambda path: setattr(path, "at", []),
    ],
)
def test_nothing_guesses_how_many_there_are(uncounted: Any, act: Any) -> None:
    with pytest.raises(sb.ArrayError, match="nothing says how many elements 'at' has") as caught:
        act(uncounted.make(3))
    assert "path[n].fromObj(x)" in str(caught.value)
    assert 'counts={"path::at": ...}' in str(caught.value)


def test_without_a_count_the_elements_are_an_address(uncounted: Any) -> None:
    path = uncounted.make(3)
    assert isinstance(path.at, sb.Pointer)
    assert [p.x for p in uncounted.path[3].fromObj(path).at] == [0, 1, 2]  # as the error advises
    with pytest.raises(sb.ArgumentError, match=r"path\[n\]\(\.\.\.\) has n elements of zeros"):
        uncounted.path(n=2)
    assert uncounted.points(uncounted.path[2](n=2)) == 0


def test_no_storage_is_made_for_one() -> None:
    with pytest.raises(sb.IntentError, match="path ends in a flexible array, so none can be made for it"):
        _compiled(language="c", arg_intent={"fill": {"p": "out_return"}})
