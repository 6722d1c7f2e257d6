"""The classes of ``record.value``: made with the first value, complete whenever that is."""

from __future__ import annotations

import pickle
import threading
from typing import Any

import pytest

import samebytes as sb
from samebytes.values.record import record_class
from samebytes.values.value_classes import known_value_class

pytestmark = pytest.mark.full  # large builds; test_const_results.py is the quick one

SOURCE = """
#include <cmath>
struct Point { double x, y; bool operator==(const Point& o) const { return x == o.x && y == o.y; }
               Point operator+(const Point& o) const { return {x + o.x, y + o.y}; }
               Point& operator+=(const Point& o) { x += o.x; return *this; } };
struct Node { Node* next; Point at; int n; };
struct Line { Point ends[2]; Node* first; };
inline double size(Point p) { return std::hypot(p.x, p.y); }
inline int number(const Node& n) { return n.n; }
template <class T> struct Box { T held; bool operator==(const Box& o) const { return held == o.held; } };
inline Box<int> boxed(int n) { return {n}; }
"""


@pytest.fixture
def lib() -> Any:
    return sb.compile(SOURCE, name="of_values")


def test_a_class_is_made_with_its_first_value_and_has_its_operators() -> None:
    lib: Any = sb.compile(SOURCE, name="first_values")
    assert known_value_class(lib.Point) is None
    line = lib.Line(ends=[(1, 2), (3, 4)])
    end = line.ends[1].value
    assert (end, end.x, lib.size(end), end + end) == (lib.Point(3, 4).value, 3, 5, lib.Point(6, 8))
    assert type(end) is lib.Point.__samebytes_value_class__ is known_value_class(lib.Point)
    assert not hasattr(type(end), "__iadd__")
    assert type(line.value.ends[0]) is type(end)


def test_records_that_point_to_their_own_class_have_values(lib: Any) -> None:
    inner = lib.Node(n=7)
    outer = lib.Node(inner, (1, 2), 8)
    value = outer.value
    assert (value.n, lib.number(value), value.at) == (8, 8, lib.Point(1, 2).value)
    assert pickle.loads(pickle.dumps(lib.Point(1, 2).value)) == lib.Point(1, 2)


def test_a_class_that_python_derives_has_the_values_of_its_base(lib: Any) -> None:
    class Named(lib.Point):
        pass

    assert type(Named(1, 2).value) is type(lib.Point(1, 2).value)
    assert Named(1, 2) == lib.Point(1, 2).value


def test_values_of_instances_that_come_later_compare_as_cxx_does(lib: Any) -> None:
    assert lib.boxed(4).value.held == 4
    assert lib.boxed(4) == lib.boxed(4)
    assert lib.Box["long"](3).value == lib.Box["long"](3)


def test_threads_that_ask_first_get_one_class(lib: Any) -> None:
    for _ in range(20):
        cls = record_class(lib.Point.__samebytes_type__, "values")
        ready, found = threading.Barrier(4), set[type]()

        def ask(cls: Any = cls, ready: Any = ready, found: Any = found) -> None:
            ready.wait()
            found.add(cls.__samebytes_value_class__)

        threads = [threading.Thread(target=ask) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(found) == 1
