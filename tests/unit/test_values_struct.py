"""@struct: declaration, construction, and what its immutable values can do."""

from __future__ import annotations

import copy
import gc
import pickle
from typing import ClassVar

import numpy as np
import pytest
from measure import in_use

import samebytes as sb
from samebytes import _native
from samebytes.errors import ArgumentError, RangeError
from samebytes.layouts.dialects import layout
from samebytes.types import CHAR, CArray, Const, Pointer, as_type
from samebytes.types import SCALARS as S
from samebytes.values.conversion import pack
from samebytes.values.struct import struct
from samebytes.values.vector import vector

F3 = vector(np.float32, 3)


class Mixin:
    __slots__ = ()

    def twice(self):
        return 2 * self.x


@struct
class Cell:
    row: int
    height: np.float64 = 2


@struct(align=32)
class Point(Mixin):
    """A point."""

    kind: ClassVar[str] = "point"
    x: int
    v: F3
    cell: Cell = Cell(1)
    m: CArray[np.int16, 2, 3] = ((1, 2, 3), (4, 5, 6))

    def norm(self):
        return self.x + self.cell.height

    @property
    def column(self) -> int:
        return self.x % 10

    @classmethod
    def origin(cls):
        return cls(0, F3(0, 0, 0))

    def klass(self):
        return __class__

    def twice(self):
        return super().twice() + 1


POINT = Point(7, (1, 2, 3))


def test_layout_and_bytes():
    assert (layout(Point).size, layout(Point).align, layout(Point).offsets) == (64, 32, (0, 4, 16, 32))
    data = bytes(memoryview(POINT))
    assert len(data) == 64
    assert data == pack((7, (1, 2, 3), (1, 2), ((1, 2, 3), (4, 5, 6))), Point)
    view = memoryview(POINT)
    assert (view.readonly, view.format[:2], view.shape, view.itemsize) == (True, "T{", (), 64)
    assert POINT.__samebytes_address__ % 32 == 0


def test_fields_methods_and_class():
    assert (POINT.x, POINT.v, POINT.cell, POINT.m) == (7, F3(1, 2, 3), Cell(1, 2.0), ((1, 2, 3), (4, 5, 6)))
    assert type(POINT.x) is int
    assert type(POINT.cell) is Cell
    assert (POINT.norm(), POINT.column, POINT.twice(), POINT.klass()) == (9.0, 7, 15, Point)
    assert Point.origin().x == 0
    assert Point.kind == POINT.kind == "point"
    assert (Point.__doc__, Point.__name__, Point.__qualname__, Point.__module__) == (
        "A point.", "Point", "Point", __name__,
    )  # fmt: skip
    assert Point.underlying.__name__ == "Point"
    assert Point.underlying is not Point
    assert as_type(Point).python is Point
    assert str(as_type(Point)) == "Point"


def test_construction():
    assert Point(x=7, v=(1, 2, 3)) == Point(7, v=F3(1, 2, 3)) == POINT
    assert Point(7, (1, 2, 3), (1, 2.0), np.array(POINT.m)) == POINT
    assert Cell(1, 3).height == 3.0


@pytest.mark.parametrize(
    ("make", "error", "says"),
    [
        (lambda: Point(), ArgumentError, r"Point\(\) lacks 'x', 'v': Point\(x: int32, v: float32x3"),
        (
            lambda: Cell(1, 2, 3),
            ArgumentError,
            r"Cell\(\) got 3 arguments; it takes\n  Cell\(row: int32, height",
        ),
        (lambda: Cell(1, row=2), ArgumentError, "got 'row' twice"),
        (lambda: Cell(1, hight=2), ArgumentError, "has no field 'hight'; its fields are row, height"),
        (lambda: Cell(1.5), ArgumentError, "argument 1 'row': expected int32"),
        (lambda: Cell(2**31), RangeError, r"got 2147483648 \(int\). uint32 would hold it"),
        (lambda: Point(1, (1, 2, 3), (1.5, 2)), ArgumentError, "argument 3 'cell.row': expected int32"),
        (lambda: POINT.replace(z=1), ArgumentError, "has no field 'z'"),
        (lambda: POINT.replace(x="a"), ArgumentError, r"Point.replace\(\): x: expected int32"),
    ],
)
def test_construction_errors(make, error, says):
    with pytest.raises(error, match=says):
        make()


def test_all_mismatches_are_told():
    with pytest.raises(ArgumentError) as error:
        Point("a", 2, 3)
    assert [m.name for m in error.value.mismatches] == ["x", "v", "cell"]


def test_immutable_and_closed():
    for change in (
        lambda: setattr(POINT, "x", 1),
        lambda: setattr(POINT, "speed", 1),
        lambda: delattr(POINT, "x"),
    ):
        with pytest.raises(AttributeError):
            change()
    with pytest.raises(AttributeError, match=r"immutable: \.replace\(x=\.\.\.\)"):
        POINT.x = 1
    assert not hasattr(POINT, "__dict__")
    changed = POINT.replace(x=8, cell=(5, 6))
    assert (changed.x, changed.cell, changed.v) == (8, Cell(5, 6), POINT.v)
    assert POINT.x == 7


def test_equality_hash_order_of_fields():
    assert Point(7, (1, 2, 3)) == POINT
    assert hash(POINT) == hash(Point(7, (1, 2, 3)))
    assert POINT.replace(x=1) != POINT
    assert Cell(1) != (1, 2.0)
    assert Cell(0, -0.0) == Cell(0, 0.0)
    assert hash(Cell(0, -0.0)) == hash(Cell(0, 0.0))
    row, height = Cell(3)
    assert (row, height) == (3, 2.0)
    match POINT:
        case Point(x, F3(a, _, _), cell=Cell(row=r)):
            assert (x, a, r) == (7, 1, 1)


def test_repr_builds_it_again():
    assert repr(Cell(3)) == "Cell(row=3, height=2.0)"
    names = {"Point": Point, "Cell": Cell, "float32x3": F3}
    assert eval(repr(POINT), names) == POINT

    @struct
    class Small:
        a: float
        b: complex

    assert repr(Small(0.1, 0.1j)) == "Small(a=0.1, b=0.1j)"


def test_copies_and_pickles():
    for made in (copy.copy(POINT), copy.deepcopy(POINT), pickle.loads(pickle.dumps(POINT))):
        assert made == POINT
        assert type(made) is Point


def test_pointers_keep_what_they_point_to():
    @struct
    class Named:
        name: Pointer(Const(CHAR))
        size: int

    made = Named("".join(["hel", "lo"]), 3)
    gc.collect()
    assert made.name == "hello"
    assert made.replace(size=4).name == "hello"
    assert Named(name=b"bytes", size=1).name == "bytes"
    assert Named(None, 1).name is None
    with pytest.raises(TypeError, match="cannot pickle Named: it holds addresses"):
        pickle.dumps(made)
    with pytest.raises(ArgumentError):
        Named("a\0b", 1)
    assert _native.Pointer(8) == _native.Pointer(8)


def test_fields_may_have_the_names_of_methods():
    @struct
    class Tricky:
        replace: int
        value: int
        size: int = 3

    made = Tricky(1, 2)
    assert (made.replace, made.value, made.size) == (1, 2, 3)
    assert made.__replace__(replace=9) == Tricky(9, 2)


def _declare(annotations, **members):
    return type("Bad", (), {"__annotations__": annotations, "__module__": __name__, **members})


@pytest.mark.parametrize(
    ("cls", "says"),
    [
        (_declare({"x": str}), "struct Bad, field 'x': <class 'str'> has no machine representation"),
        (
            _declare({"x": "no_such_name"}),
            "struct Bad, field 'x': cannot evaluate the annotation 'no_such_name'",
        ),
        (_declare({"x": list[int]}), "field 'x'"),
        (_declare({"x": int, "y": int}, x=1), "field 'y': it has no default and follows one that has"),
        (_declare({"x": int}, x=2**40), "field 'x': the default does not fit: .*int32"),
        (_declare({}), "struct Bad: .*no fields"),
        (_declare({"x": CArray(S["float32"], (0,))}), "field 'x': .*no elements"),
        (_declare({"__x__": int}), "field '__x__': Python keeps"),
        (_declare({"x": int}, __init__=lambda self: None), "struct Bad defines __init__"),
        (_declare({"x": int}, __slots__=()), "struct Bad defines __slots__"),
        (type("Bad", (Cell,), {"__annotations__": {"x": int}, "__slots__": ()}), "defines __slots__"),
        (type("Bad", (Exception,), {"__annotations__": {"x": int}}), "struct Bad derives from Exception"),
    ],
    ids=lambda v: v if isinstance(v, str) else "",
)
def test_bad_declarations_name_the_field(cls, says):
    with pytest.raises(TypeError, match=says):
        struct(cls)


def test_structs_do_not_derive_from_structs():
    with pytest.raises(TypeError, match="struct Sub derives from Cell: write a field of that type"):

        @struct
        class Sub(Cell):
            z: int


@pytest.mark.parametrize("align", [0, 3, -8, "x", 1.5])
def test_alignment_is_a_power_of_two(align):
    with pytest.raises(ValueError, match="no power of two"):
        struct(align=align)


def test_alignment_is_at_least_natural():
    @struct(align=2)
    class Wide:
        x: np.float64

    assert layout(Wide).align == 8


def test_local_names_in_string_annotations():
    @struct
    class Local:
        a: int

    @struct
    class Holder:
        inner: Local
        several: CArray[Local, 2]

    assert Holder((1,), [(2,), (3,)]).several == (Local(2), Local(3))


@pytest.mark.parametrize("many", [10_000, pytest.param(100_000, marks=pytest.mark.full)])
def test_many_values_leak_nothing(many):
    def spin(count):
        for _ in range(count):
            Cell(1, 2.0)
            Cell(1, height=3)

    spin(2000)
    blocks, size = in_use()
    spin(many)
    more = in_use()
    assert (more[0] - blocks < 1000, more[1] - size < 100_000) == (True, True)


class TestNumPy:
    def test_a_struct_is_a_structured_array_without_dimensions(self):
        for array in (np.asarray(POINT), np.array(POINT, dtype=Point)):
            assert (array.dtype, array.shape) == (Point.dtype, ())
            assert array["x"] == 7
            assert array["cell"]["height"] == 2
        assert not np.asarray(POINT).flags.writeable
        assert np.full(2, POINT, dtype=Point)["x"].tolist() == [7, 7]

    def test_a_record_is_one_that_can_be_written(self):
        lib = sb.compile("struct Grid { char c; double x; int n[3]; };")
        grid = lib.Grid(1, 2.5, (3, 4, 5))
        array = np.asarray(grid)
        assert (array["x"], array["n"].tolist()) == (2.5, [3, 4, 5])
        array["n"][1] = 9
        assert tuple(grid.n) == (3, 9, 5)

    def test_what_numpy_has_no_format_for_is_bytes(self):
        lib = sb.compile("struct Bits { int a : 3, b : 5; }; struct Node { Node* next; };")
        for value in (lib.Bits(1, 2), lib.Node(None)):
            assert np.asarray(value).dtype == np.uint8
            assert np.asarray(value).tobytes() == bytes(value)
