"""Equal declarations in two libraries: each library's objects have its own classes all the way down."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

import samebytes as sb

SOURCE = """
enum Kind : short { some = 1 };
struct Point { double x, y; double scaled() const { return x * SCALE; } };
struct Line { Point from, to[2]; Kind kind; };
inline Line made() { return {{1, 2}, {{3, 4}, {5, 6}}, some}; }
inline Point first(const Line& line) { return line.from; }
"""


@pytest.fixture(scope="module")
def libraries() -> list[Any]:
    return [sb.compile(SOURCE, defines=[f"SCALE={n}"], name=f"scaled{n}") for n in (1, 2)]


def test_fields_are_of_their_own_librarys_classes(libraries: list[Any]) -> None:
    for scale, lib in enumerate(libraries, 1):
        for line in (lib.made(), lib.Line((1, 2), ((3, 4), (5, 6)), lib.Kind.some)):
            assert type(line.from_) is lib.Point
            assert type(line.kind) is lib.Kind
            assert {type(p) for p in line.to} == {lib.Point}
            assert line.from_.scaled() == scale * line.from_.x
        assert type(lib.first(lib.made())) is lib.Point
        assert type(pickle.loads(pickle.dumps(lib.made())).from_) is lib.Point
        assert type(lib.made().value.from_) is type(lib.Point().value)


def test_the_ones_objects_serve_the_other(libraries: list[Any]) -> None:
    one, two = libraries
    assert two.first(one.made()).scaled() == 2
    assert one.first(two.made()).scaled() == 1


def test_a_class_that_is_defined_again() -> None:
    """As in a notebook: the struct around it has the class that it was written with."""

    def define() -> tuple[Any, Any]:
        @sb.struct
        class Inner:
            a: int

        @sb.struct
        class Outer:
            inner: Inner

        return Inner, Outer

    for inner, outer in (define(), define()):
        assert type(outer(inner(3)).inner) is inner
        assert type(sb.unpack(sb.pack(outer(inner(3))), outer).inner) is inner
        assert type(sb.unpack(sb.pack((inner(1),), tuple[inner]), tuple[inner])[0]) is inner
