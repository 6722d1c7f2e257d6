"""Enumerations, structs, C arrays, text and addresses into bytes; pack and unpack without a type."""

import ml_dtypes
import numpy as np
import pytest
from case_ids import plain

from refusals import refusal
from samebytes import _native
from samebytes.errors import ArgumentError, ArrayError, RangeError
from samebytes.types import (
    CHAR,
    SCALARS,
    VOID,
    CArray,
    Const,
    Enum,
    Extent,
    Field,
    Named,
    Pointer,
    Struct,
    Vector,
    as_type,
)
from samebytes.values.conversion import convert, pack, same_layout, type_of, unpack
from samebytes.values.enum import enum_class
from samebytes.values.record import record_class
from samebytes.values.struct import struct
from samebytes.values.vector import vector

S = SCALARS


# --- pack without a type ---


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (True, b"\x01"),
        (-1, b"\xff\xff\xff\xff"),
        (0.1, np.float32(0.1).tobytes()),
        (1j, np.complex64(1j).tobytes()),
        (None, bytes(8)),
        (np.int64(5), np.int64(5).tobytes()),
        (ml_dtypes.bfloat16(1.5), ml_dtypes.bfloat16(1.5).tobytes()),
        ((1, 2.0, True), np.array([1], "i4").tobytes() + np.float32(2).tobytes() + b"\x01\0\0\0"),
        ((True, (1.0, np.int8(3))), b"\x01\0\0\0" + np.float32(1).tobytes() + b"\x03\0\0\0"),
    ],
    ids=repr,
)
def test_values_know_a_type_of_their_own(value, expected):
    assert pack(value) == expected


def test_int_is_int32_and_never_widened():
    with pytest.raises(
        RangeError, match=r"expected int32 \(-2147483648 to 2147483647\), got 3000000000.*sb\.uint32"
    ):
        pack(3_000_000_000)
    with pytest.raises(RangeError, match="finite and would become infinite"):
        pack(1e300)


def test_tuples_come_back_as_tuples():
    value = (1, (2.0, True), 3j)
    assert unpack(pack(value), type_of(value)) == value


def test_arrays_are_described_by_what_they_are():
    array = np.zeros((2, 3), np.int16)
    assert str(type_of(array)) == "array[int16, 2]"
    array.flags.writeable = False
    assert str(type_of(array)) == "array[const[int16], 2]"


@pytest.mark.parametrize("value", ["text", object(), [1, 2], {1: 2}, (), Ellipsis], ids=plain)
def test_values_without_a_type(value):
    with pytest.raises(TypeError, match="has no machine representation"):
        pack(value)


@pytest.mark.parametrize("data", [b"", b"123", b"12345"])
def test_unpack_wants_exactly_the_bytes(data):
    with pytest.raises(ArrayError, match=f"expected 4 bytes of int32, got {len(data)} bytes"):
        unpack(data, int)


def test_unpack_none():
    assert unpack(bytes(8), None) is None
    assert refusal(VOID, 1).error is ArgumentError


# --- enumerations ---

COLOR = enum_class(
    Enum("ns::Color", S["int16"], (("red", 0), ("green", 1), ("blue", -5)), scoped=True), "lib"
)
FLAGS = enum_class(Enum("Flags", S["uint32"], (("a", 1), ("b", 2), ("c", 8))), "lib")
OTHER = enum_class(Enum("Other", S["int16"], (("x", 1),)), "lib")


def test_enum_members_and_ints():
    kind = as_type(COLOR)
    assert pack(COLOR.blue, kind) == pack(-5, kind) == pack(np.int8(-5), kind) == np.int16(-5).tobytes()
    assert unpack(pack(1, kind), kind) is COLOR.green
    assert unpack(np.int16(77).tobytes(), kind) == 77


def test_numbers_without_a_name_are_members_of_their_enum_all_the_same():
    kind = as_type(COLOR)
    unknown = unpack(np.int16(77).tobytes(), kind)
    assert isinstance(unknown, COLOR)
    assert unknown.name is None
    assert repr(unknown) == "<Color: 77>"
    assert pack(unknown, kind) == pack(77, kind) == np.int16(77).tobytes()
    with pytest.raises(ValueError, match="32768"):
        COLOR(2**15)


def test_an_enum_without_members_holds_any_number():
    byte = enum_class(Enum("Byte", S["uint8"], ()), "lib")
    assert byte(200) == 200
    assert unpack(b"\x07", as_type(byte)) == 7
    assert isinstance(unpack(b"\x07", as_type(byte)), byte)


@pytest.mark.parametrize(
    ("value", "error"),
    [
        (2**15, RangeError),
        (True, ArgumentError),
        (OTHER.x, ArgumentError),
        ("red", ArgumentError),
        (1.0, ArgumentError),
    ],
    ids=repr,
)
def test_what_an_enum_refuses(value, error):
    found = refusal(as_type(COLOR), value)
    assert found.error is error
    assert "ns::Color (red, green, blue)" in found.expected


def test_flags_take_unions():
    kind = as_type(FLAGS)
    assert pack(FLAGS.a | FLAGS.c, kind) == np.uint32(9).tobytes()
    assert refusal(kind, 2**32).error is RangeError


# --- structs ---


@struct
class Inner:
    a: np.int16
    b: np.float64


@struct
class Outer:
    x: int
    inner: Inner
    v: vector(np.float32, 2)


@struct
class Twin:
    x: int
    inner: Inner
    v: vector(np.float32, 2)


@struct
class Shifted:
    x: int
    inner: Inner
    v: vector(np.int32, 2)


OUTER = as_type(Outer)
INSTANCE = Outer(1, Inner(2, 3.5), (4, 5))
RECORD = record_class(OUTER, "lib")
DTYPE = np.dtype(
    [("x", "i4"), ("inner", np.dtype([("a", "i2"), ("b", "f8")], align=True)), ("v", "f4", 2)], align=True
)

EQUAL = [
    INSTANCE,
    Twin(1, Inner(2, 3.5), (4, 5)),
    RECORD(1, (2, 3.5), (4, 5)),
    RECORD(1, (2, 3.5), (4, 5)).value,
    (1, (2, 3.5), (4, 5)),
    [1, [2, 3.5], [4.0, 5.0]],
    (1, Inner(2, 3.5), vector(np.float32, 2)(4, 5)),
    (np.uint8(1), (np.int64(2), np.float32(3.5)), np.array([4, 5], np.float32)),
    np.array((1, (2, 3.5), (4, 5)), DTYPE),
    np.array([(1, (2, 3.5), (4, 5))], DTYPE)[0],
]


@pytest.mark.parametrize("value", EQUAL, ids=lambda v: type(v).__name__)
def test_whatever_means_the_same_struct(value):
    for _ in range(2):  # the second time, the class is known
        assert unpack(pack(value, Outer), Outer) == INSTANCE


def test_a_checked_class_is_taken_by_the_core():
    fresh = record_class(OUTER, "lib")
    codec = Outer.__samebytes_codec__
    made = fresh(1, (2, 3.5), (4, 5))
    assert codec.pack(made) is None
    convert(OUTER, made)
    assert codec.pack(made) == bytes(memoryview(made))


@pytest.mark.parametrize(
    ("value", "error", "path", "says"),
    [
        ((1, (2, "x"), (4, 5)), ArgumentError, ".inner.b", "float64"),
        ((1, (2**15, 0), (4, 5)), RangeError, ".inner.a", "int16"),
        ((1, (2, 3.5), (4, 1e300)), RangeError, ".v.y", "float32"),
        ((1, (2, 3.5), (4, 5, 6)), ArgumentError, ".v", "float32x2"),
        ((1, (2, 3.5)), ArgumentError, "", "3 fields"),
        (Shifted(1, Inner(2, 3.5), (4, 5)), ArgumentError, "", "Outer"),
        (7, ArgumentError, "", "Outer (x, inner, v)"),
        ({"x": 1}, ArgumentError, "", "Outer (x, inner, v)"),
        (np.zeros((), np.dtype([("x", "i4"), ("inner", "f8"), ("v", "f4", 2)])), ArgumentError, "", "Outer"),
        (np.zeros(1, DTYPE), ArgumentError, "", "Outer"),
        (None, ArgumentError, "", "Outer"),
    ],
    ids=lambda v: str(v)[:40],
)
def test_what_a_struct_refuses(value, error, path, says):
    found = refusal(OUTER, value)
    assert (found.error, found.path) == (error, path)
    assert says in found.expected


def test_advice_on_structs():
    assert ".v is int32x2, expected float32x2" in refusal(OUTER, Shifted(1, (2, 3.5), (4, 5))).advice
    assert "Outer(**x)" in refusal(OUTER, {"x": 1}).advice
    packed = np.zeros((), np.dtype([("x", "i4"), ("inner", [("a", "i2"), ("b", "f8")]), ("v", "f4", 2)]))
    assert "align=True" in refusal(OUTER, packed).advice


def test_named_tuples_must_have_the_same_names():
    from collections import namedtuple

    same = namedtuple("Same", "a b")(2, 3.5)
    other = namedtuple("Other", "b a")(3.5, 2)
    assert pack(same, Inner) == pack((2, 3.5), Inner)
    assert "tuple(x)" in refusal(as_type(Inner), other).advice


def test_incomplete_structs_travel_whole():
    hidden = Struct("H", (Field("a", S["int32"], 0),), fixed=Extent(8, 4), complete=False)
    cls = record_class(hidden, "lib")
    kind = as_type(cls)
    assert pack(cls.__samebytes_from_buffer__(b"abcdefgh"), kind) == b"abcdefgh"
    assert "only C++ can make one" in refusal(kind, (1,)).advice
    assert cls.__samebytes_codec__.pack((1,)) is None
    with pytest.raises(ArgumentError, match="members that Python does not see"):
        cls(1)


def test_padding_is_zero_whatever_it_was():
    dirty = Inner.__samebytes_from_buffer__(np.int16(1).tobytes() + b"garbage"[:6] + np.float64(2).tobytes())
    for value in ((1, 2.0), Inner(1, 2.0), dirty):
        assert pack(value, Inner) == np.int16(1).tobytes() + bytes(6) + np.float64(2).tobytes()
    assert dirty == Inner(1, 2.0)
    assert hash(dirty) == hash(Inner(1, 2.0))


def test_same_layout():
    assert same_layout(OUTER, as_type(Twin))
    assert not same_layout(OUTER, as_type(Shifted))


# --- C arrays, text, addresses ---

MATRIX = CArray(S["int16"], (2, 3))


@pytest.mark.parametrize(
    "value",
    [
        ((1, 2, 3), (4, 5, 6)),
        [[1, 2, 3], (4, 5, 6)],
        np.array([[1, 2, 3], [4, 5, 6]], np.int16),
        np.array([[1, 2, 3], [4, 5, 6]], np.int64),
        np.array([[1, 2, 3], [4, 5, 6]], ">i2"),
        np.array([[1, 4], [2, 5], [3, 6]], np.int16).T,
        [np.array([1, 2, 3]), (4, 5, 6)],
    ],
    ids=lambda v: f"{type(v).__name__} {getattr(v, 'dtype', '')}",
)
def test_carrays(value):
    assert pack(value, MATRIX) == np.arange(1, 7, dtype=np.int16).tobytes()
    assert unpack(pack(value, MATRIX), MATRIX) == ((1, 2, 3), (4, 5, 6))


@pytest.mark.parametrize(
    ("value", "error", "path"),
    [
        ([[1, 2, 3]], ArgumentError, ""),
        ([[1, 2, 3], [4, 5]], ArgumentError, "[1]"),
        ([[1, 2, 3], [4, 5, 99999]], RangeError, "[1][2]"),
        ([[1, 2, 3], [4, 5.0, 6]], ArgumentError, "[1][1]"),
        (np.zeros((2, 3)), ArgumentError, "[0][0]"),
        (np.zeros((3, 2), np.int16), ArrayError, ""),
        (np.zeros((2, 3, 1), np.int16), ArrayError, ""),
        (np.full((2, 3), 70000), RangeError, "[0][0]"),
        (5, ArgumentError, ""),
        ({1, 2}, ArgumentError, ""),
        (None, ArgumentError, ""),
    ],
    ids=lambda v: str(v)[:30],
)
def test_what_a_carray_refuses(value, error, path):
    found = refusal(MATRIX, value)
    assert (found.error, found.path) == (error, path)


def test_carrays_of_vectors_and_structs():
    f2 = CArray(Vector(S["float32"], 2), (2,))
    expected = np.array([[1, 2], [3, 4]], np.float32)
    assert pack(expected, f2) == pack([(1, 2), vector(np.float32, 2)(3, 4)], f2) == expected.tobytes()
    pair = CArray(as_type(Inner), (2,))
    assert pack([(1, 2.0), Inner(3, 4)], pair) == pack((1, 2), Inner) + pack((3, 4), Inner)
    records = np.array([(1, 2.0), (3, 4.0)], np.dtype([("a", "i2"), ("b", "f8")], align=True))
    assert pack(records, pair) == pack([(1, 2.0), (3, 4.0)], pair)


@pytest.mark.parametrize(
    ("value", "expected"),
    [("hé", b"h\xc3\xa9\0"), (b"abcd", b"abcd"), (b"", bytes(4)), ([1, 2, 3, 4], bytes([1, 2, 3, 4]))],
)
def test_text_into_char_arrays(value, expected):
    assert pack(value, CArray(CHAR, (4,))) == expected


def test_text_that_is_too_long():
    assert refusal(CArray(CHAR, (4,)), "héhé").error is RangeError
    assert pack(b"\xff\x01", CArray(S["uint8"], (2,))) == b"\xff\x01"


def test_addresses():
    kind = Pointer(S["float32"])
    assert pack(None, kind) == bytes(8)
    assert pack(_native.Pointer(0x1234), kind) == (0x1234).to_bytes(8, "little")
    assert unpack(pack(_native.Pointer(0x1234), kind), kind) == _native.Pointer(0x1234)
    assert refusal(kind, 0x1234).error is ArgumentError
    assert refusal(Named("Node"), 1).error is ArgumentError


def test_const_changes_nothing_by_value():
    assert pack(5, Const(S["int8"])) == b"\x05"
    assert unpack(b"\x05", Const(S["int8"])) == 5
