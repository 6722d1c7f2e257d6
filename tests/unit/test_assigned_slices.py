"""Slices of what C++ has: assigned and deleted as those of a list, by its ``[]``, insert() and erase()."""

from __future__ import annotations

import random
from typing import Any

import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # large builds; test_assigned_containers.py is the quick one

CODE = r"""
#include <cstddef>
#include <string>
#include <vector>
struct Named { std::string name; int v; Named(int v) : name(std::to_string(v)), v(v) {} };
template <class T> struct Row {
  std::vector<T> d; using at = typename std::vector<T>::iterator;
  at begin() { return d.begin(); }
  at end() { return d.end(); }
  typename std::vector<T>::const_iterator begin() const { return d.begin(); }
  typename std::vector<T>::const_iterator end() const { return d.end(); }
  std::size_t size() const { return d.size(); }
  T& operator[](std::size_t i) { return d[i]; }
  const T& operator[](std::size_t i) const { return d[i]; }
  void push_back(const T& x) { d.push_back(x); }
  at insert(at where, const T& x) { return d.insert(where, x); }
  at erase(at first, at last) { return d.erase(first, last); }
};
using Ints = Row<int>;
using Objects = Row<Named>;
struct Fixed {
  int d[4] = {1, 2, 3, 4};
  int* begin() { return d; }
  int* end() { return d + 4; }
  std::size_t size() const { return 4; }
  int& operator[](std::size_t i) { return d[i]; }
};
struct Holds { Ints all; Holds() { all.d = {1, 2, 3}; } const Ints& seen() const { return all; } ~Holds() {} };
"""


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(CODE)


def test_stubs_have_them(tmp_path: Any) -> None:
    sb.compile(CODE, stub=tmp_path / "lib.pyi")
    fixed = (tmp_path / "lib.pyi").read_text().partition("class Fixed")[2].partition("\nclass ")[0]
    assert "def __getitem__(self, x0: slice) -> list[int]: ..." in fixed
    assert "def __setitem__(self, x0: slice, x1: Iterable[Int]) -> None: ..." in fixed
    assert "__delitem__" not in fixed
    assert "__samebytes" not in fixed


def filled(made: Any, elements: Any) -> Any:
    for element in elements:
        made.push_back(element)
    return made


def test_it_is_as_a_list_does_it(lib: Any) -> None:
    draw = random.Random(16)
    seen = set[type | None]()
    for _ in range(300):
        model = list(range(draw.randrange(7)))
        row = filled(lib.Ints(), model)
        which = slice(
            *(draw.choice([None, *range(-8, 9)]) for _ in "ab"), draw.choice([None, 1, 2, -1, -2, 3])
        )
        key = draw.choice([which, which, draw.randrange(-8, 8)])
        new = [draw.randrange(100) for _ in range(draw.randrange(6))] if isinstance(key, slice) else 7
        ends: list[type | None] = []
        deletes = draw.random() < 0.4
        for one in (model, row):
            try:
                if deletes:
                    del one[key]
                else:
                    one[key] = new
                ends.append(None)
            except (IndexError, ValueError) as error:
                ends.append(type(error))
            if not deletes and isinstance(key, int) and not -len(model) <= key < len(model):
                break  # C++'s own [] looks at no bounds
        else:
            assert ends[0] == ends[1], (key, new, ends)
            assert list(row) == model, (key, new)
            seen.add(ends[0])
    assert seen == {None, IndexError, ValueError}


def test_objects_that_lie_there_themselves_are_as_they_were_before(lib: Any) -> None:
    row = filled(lib.Objects(), map(lib.Named, range(5)))
    row[1:3] = row[0:2]
    assert [x.v for x in row] == [0, 0, 1, 3, 4]
    row[:] = row[::-1]
    assert [x.name for x in row] == ["4", "3", "1", "0", "0"]
    row[1:1] = [lib.Named(9), 8]  # C++ makes a Named of it
    del row[-1]
    assert [x.v for x in row] == [4, 9, 8, 3, 1, 0]


def test_without_insert_and_erase_a_slice_takes_as_many(lib: Any) -> None:
    fixed = lib.Fixed()
    fixed[1:3] = (x for x in (7, 8))
    fixed[::-3] = [0, 9]
    assert list(fixed) == [9, 7, 8, 0]
    for new, what in (([1], "erase"), ([1, 2, 3], "insert")):
        with pytest.raises(ValueError, match=rf"a slice of 2 takes as many elements, .* no {what}\(\)"):
            fixed[1:3] = new
    with pytest.raises(ValueError, match="sequence of size 3 to extended slice of size 2"):
        fixed[::2] = [1, 2, 3]
    with pytest.raises(TypeError, match="takes an iterable of elements, not int"):
        fixed[1:2] = 7
    with pytest.raises((TypeError, AttributeError)):
        del fixed[1]
    assert list(fixed) == [9, 7, 8, 0]


def test_what_does_not_fit_and_what_is_const_is_refused(lib: Any) -> None:
    row = filled(lib.Ints(), range(3))
    with pytest.raises(sb.ArgumentError, match="expected int32"):
        row[3:] = ["x"]
    with pytest.raises(TypeError, match="deletes by integers and slices, not str"):
        del row["a"]
    seen = lib.Holds().seen()
    with pytest.raises(sb.IntentError, match="const"):
        del seen[0]
    assert (list(row), list(seen)) == ([0, 1, 2], [1, 2, 3])


def test_an_iteration_that_has_begun_ends(lib: Any) -> None:
    row = filled(lib.Ints(), range(3))
    steps = iter(row)
    next(steps)
    del row[0]
    with pytest.raises(RuntimeError, match="may change it"):
        next(steps)
