"""Structs of everything: tuples, arrays that the value keeps, None, atomics, enumerations, nested structs."""

import copy
import gc
import pickle
import weakref

import numpy as np
import pytest

import samebytes as sb
from samebytes.types import SCALARS, Const, Enum, as_type
from samebytes.values.enum import enum_class

Color = enum_class(Enum("Color", SCALARS["uint8"], (("red", 1), ("blue", 2))), __name__)


@sb.struct
class Inner:
    pair: tuple[int, sb.float64]
    color: Color = Color.red

    @property
    def total(self):
        return sum(self.pair)


@sb.struct(align=32)
class Everything:
    flag: bool
    nothing: None
    image: sb.array[sb.float32, 2]
    cells: sb.array[sb.const[sb.int16], 1]
    inner: Inner
    two: sb.carray[Inner, 2]
    where: sb.pointer[sb.float32]
    position: sb.float32x3
    nested: tuple[int, tuple[None, sb.float16x2]]
    count: sb.Atomic(int, align=16) = 0


def everything():
    image = np.arange(6, dtype=np.float32).reshape(2, 3)
    inner = Inner((1, 2.5))
    return image, Everything(
        True,
        None,
        image,
        np.array([7], np.int16),
        inner,
        (inner, inner),
        image,
        (1, 2, 3),
        (1, (None, (2, 3))),
    )


def test_fields_read_back():
    image, value = everything()
    assert (value.flag, value.nothing, value.count) == (True, None, 0)
    assert (value.image.ptr, value.image.shape, value.image.strides) == (image.ctypes.data, (2, 3), (3, 1))
    assert value.cells.readonly
    assert not value.image.readonly
    assert value.inner.total == 3.5
    assert value.two[1] == value.inner
    assert value.inner.color is Color.red
    assert value.position == sb.float32x3(1, 2, 3)
    assert value.nested == (1, (None, sb.float16x2(2, 3)))
    assert value == everything()[1].replace(image=image, where=image, cells=value.cells)


def test_the_compiler_confirms():
    sb.prove(Everything)


def test_the_value_keeps_its_arrays():
    class Array(np.ndarray):
        pass

    image = np.zeros((2, 3), np.float32).view(Array)
    gone = weakref.ref(image)
    value = everything()[1].replace(image=image)
    del image
    gc.collect()
    seen, again = value.image, copy.copy(value)
    del value
    gc.collect()
    assert gone() is not None
    assert seen.owner is not None
    del seen, again
    gc.collect()
    assert gone() is None


def test_equality_and_hash_go_by_field():
    _, value = everything()
    same = Everything(*value)
    assert same == value
    assert hash(same) == hash(value)
    assert value != value.replace(image=np.zeros((2, 3), np.float32))


def test_bytes_round_trip():
    _, value = everything()
    data = sb.pack(value)
    assert sb.pack(sb.unpack(data, Everything), Everything) == data
    with pytest.raises(TypeError, match="holds addresses of this process"):
        pickle.dumps(value)
    assert pickle.loads(pickle.dumps(value.inner)) == value.inner


def test_arrays_are_checked():
    with pytest.raises(sb.ArrayError, match=r"'image': expected float32\[n, m\].*float64"):
        everything()[1].__class__(*[np.zeros((2, 3)) if i == 2 else v for i, v in enumerate(everything()[1])])
    locked = np.zeros((1, 1), np.float32)
    locked.flags.writeable = False
    with pytest.raises(sb.ArrayError, match="read-only"):
        everything()[1].replace(image=locked)


def test_arrays_of_structs_as_fields():
    pixels = np.zeros(3, np.dtype([("r", "u1"), ("a", "f4")], align=True))

    @sb.struct
    class Pixel:
        r: sb.uint8
        a: float

    @sb.struct
    class Picture:
        pixels: sb.array[Pixel, 1]
        values: sb.array[sb.align(sb.float32x3, 16), 1]

    wide = np.zeros(2, np.dtype({"names": ["x", "y", "z"], "formats": ["f4"] * 3, "itemsize": 16}))
    room = np.zeros(64, np.uint8)
    wide = room[-room.ctypes.data % 16 :][:32].view(wide.dtype)
    picture = Picture(pixels, wide)
    assert picture.pixels.shape == (3,)
    assert picture.values.byte_strides == (16,)
    with pytest.raises(sb.ArrayError):
        Picture(np.zeros(3, np.dtype([("r", "u1"), ("a", "f4")])), wide)


def test_no_attribute_can_be_added():
    _, value = everything()
    with pytest.raises(AttributeError):
        value.more = 1
    with pytest.raises(AttributeError, match="immutable"):
        value.image = None
    with pytest.raises(AttributeError, match="immutable"):
        del value.nothing
    assert not hasattr(value, "__dict__")


def test_const_and_underlying():
    assert Everything.underlying.__name__ == "Everything"
    assert as_type(sb.array[sb.const[int], 1]).dtype == Const(as_type(int))
    assert not hasattr(Everything.underlying, "__samebytes_type__")


CONSTANT = """
struct Inner { int a; };
struct Mixed {
  const int k; int m; const int arr[2]; int *const p; const char *t; const Inner in; void (*const f)(int);
};
struct Bits { const int b : 3; int c; };
struct Owner { const int q; int w; Owner() : q(4), w(1) {} ~Owner() {} };
int bits(Bits b) { return b.c; }
"""


@pytest.mark.filterwarnings("ignore::samebytes.BindWarning")
class TestConstMembers:
    @pytest.fixture(scope="class")
    @classmethod
    def lib(cls):
        return sb.compile(CONSTANT)

    @pytest.mark.parametrize("name", ["k", "arr", "p", "in_", "f"])
    def test_they_are_set_once(self, lib, name):
        made = lib.Mixed(1, 2, (3, 4), None, "x", (5,))
        with pytest.raises(AttributeError, match=r"is const in C\+\+ and cannot be changed"):
            setattr(made, name, getattr(made, name))
        made.m, made.t = 7, "y"
        assert (made.k, made.m, made.t, made.in_.a) == (1, 7, "y", 5)

    def test_nothing_is_written_through_them(self, lib):
        made = lib.Mixed(1, 2, (3, 4), None, "x", (5,))
        with pytest.raises(ValueError, match="read-only"):
            made.arr[0] = 1
        with pytest.raises(AttributeError, match=r"C\+\+ gave it as const"):
            made.in_.a = 1

    def test_of_objects_that_are_no_bytes(self, lib):
        owner = lib.Owner()
        owner.w = 3
        with pytest.raises(AttributeError, match=r"Owner.q is const in C\+\+"):
            owner.q = 5
        assert (owner.q, owner.w) == (4, 3)

    def test_bit_fields_that_nothing_can_set_are_hidden(self, lib):
        assert not hasattr(lib.Bits, "b")
        assert hasattr(lib.Bits, "c")
