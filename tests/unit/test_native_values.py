"""Values, records and fields of the compiled core: bytes as objects."""

from __future__ import annotations

import ctypes
import enum
import gc
import struct
import sys
import weakref
from typing import Any

import numpy as np
import pytest
from native_codecs import (
    BOOL,
    FLOAT64,
    INT8,
    INT32,
    INT64,
    UINT64,
    make_class,
    make_pair,
    number,
    pointer,
)

from samebytes._native import Codec, Field, Record, Value

PAIR = struct.Struct("<i4xd")


def watched(n: int = 3) -> Any:
    return np.zeros(n)


def test_a_value_is_its_bytes(pair: Any) -> None:
    value = pair(1, 2.5)
    assert (value.a, value.b) == (1, 2.5)
    assert bytes(value) == PAIR.pack(1, 2.5)
    view = memoryview(value)
    assert (view.readonly, view.format, view.shape, view.nbytes) == (True, "B", (16,), 16)
    assert pair.__samebytes_from_buffer__(b"\xff" * 3 + PAIR.pack(3, 4.0), 3).b == 4.0


def test_a_value_never_changes(pair: Any) -> None:
    value = pair(1, 2.5)
    for change in (lambda: setattr(value, "a", 2), lambda: delattr(value, "a")):
        with pytest.raises(AttributeError, match="a is read-only here"):
            change()
    with pytest.raises(AttributeError):
        value.c = 1
    assert value.a == 1


def test_a_record_changes_in_place(record: Any) -> None:
    r = record()
    assert bytes(r) == bytes(16)
    r.a, r.b = -5, 2
    assert bytes(r) == PAIR.pack(-5, 2.0)
    memoryview(r)[0] = 7
    assert r.a == PAIR.unpack(bytes(r))[0]
    with pytest.raises(TypeError, match="unhashable"):
        hash(r)
    with pytest.raises(TypeError, match=r"cannot convert \('a', 'x'\)"):
        r.a = "x"
    with pytest.raises(AttributeError):
        del r.a


def test_python_converts_what_the_core_does_not_know(pair: Any, record: Any) -> None:
    pair.__samebytes_convert__ = classmethod(lambda cls, args, kwargs: PAIR.pack(len(args), len(kwargs)))
    assert bytes(pair("x")) == PAIR.pack(1, 0)
    assert bytes(pair(1, b=2.0)) == PAIR.pack(1, 1)
    assert bytes(pair()) == PAIR.pack(0, 0)
    record.__samebytes_convert_field__ = classmethod(lambda cls, name, value: struct.pack("<i", len(value)))
    r = record()
    r.a = "four"
    assert r.a == 4


@pytest.mark.parametrize("answer", [b"short", None, "text", (b"short", None), (b"\0" * 16,)])
def test_a_converter_must_give_the_right_number_of_bytes(pair: Any, answer: Any) -> None:
    pair.__samebytes_convert__ = classmethod(lambda cls, args, kwargs: answer)
    with pytest.raises(SystemError, match="instead of 16 bytes"):
        pair("x")


def test_what_a_converter_returns_beside_the_bytes_is_kept() -> None:
    cls = make_class(Value, 8, {"p": (0, pointer())})
    cls.__samebytes_convert__ = classmethod(lambda c, args, kw: (struct.pack("<Q", 64), args[0]))
    kept = watched()
    alive = weakref.ref(kept)
    value = cls([kept], 1)
    del kept
    assert value.p.address == 64
    assert alive() is not None
    del value
    assert alive() is None


def test_views_share_memory_and_keep_it_alive(record: Any) -> None:
    buffer = (ctypes.c_char * 16)()
    r = record.__samebytes_view__(ctypes.addressof(buffer), buffer)
    r.a = 9
    assert buffer.raw == PAIR.pack(9, 0.0)
    assert r.__samebytes_address__ == ctypes.addressof(buffer)
    assert r.__samebytes_owner__ is buffer
    with pytest.raises(ValueError, match="null"):
        record.__samebytes_view__(0, None)
    for address in (-1, 2**64):
        with pytest.raises(OverflowError):
            record.__samebytes_view__(address, None)
    with pytest.raises(TypeError):
        record.__samebytes_view__("x", None)


def test_nested_records_are_views_and_nested_values_are_copies() -> None:
    outer = make_class(Record, 24, {"inner": (8, make_pair(Record).__samebytes_codec__)})
    o = outer()
    o.inner.b = 3.0
    assert o.inner.b == 3.0
    inner = o.inner
    address = o.__samebytes_address__
    del o
    gc.collect()
    assert inner.__samebytes_address__ == address + 8
    inner.a = 4
    assert inner.a == 4
    o = outer()
    o.inner = inner
    assert bytes(o.inner) == bytes(inner)
    o.inner = (5, 6.0)
    assert (o.inner.a, o.inner.b, inner.a) == (5, 6.0, 4)
    value_class = make_class(Value, 24, {"inner": (8, make_pair(Value).__samebytes_codec__)})
    v = value_class((1, 2.0))
    assert v.inner.__samebytes_owner__ is None
    assert v.inner.b == 2.0


def test_a_tuple_that_fails_halfway_changes_nothing() -> None:
    outer = make_class(Record, 16, {"inner": (0, make_pair(Record).__samebytes_codec__)})
    o = outer()
    o.inner = (5, 6.0)
    with pytest.raises(TypeError, match="cannot convert"):
        o.inner = (7, "x")
    assert (o.inner.a, o.inner.b) == (5, 6.0)


def test_a_record_assigned_to_itself(record: Any) -> None:
    outer = make_class(
        Record, 32, {"x": (0, record.__samebytes_codec__), "y": (16, record.__samebytes_codec__)}
    )
    o = outer()
    o.x = (1, 2.0)
    o.x = o.x
    o.y = o.x
    assert bytes(o) == PAIR.pack(1, 2.0) * 2


@pytest.mark.parametrize("align", [1, 2, 8, 16, 32, 64, 256, 4096])
def test_payloads_are_aligned(align: int) -> None:
    cls = make_class(Record, 4096, {"a": (0, INT32)}, align)
    objects = [cls() for _ in range(10)]
    assert all(o.__samebytes_address__ % max(align, 16) == 0 for o in objects)
    assert bytes(objects[0]) == bytes(4096)


def test_bit_fields_touch_only_their_bits() -> None:
    cls = make_class(
        Record,
        8,
        {
            "low": (0, INT32, 0, 3), "mid": (0, number("uint32"), 3, 7), "flag": (0, BOOL, 10, 1),
            "cross": (0, UINT64, 11, 50), "top": (0, INT64, 61, 3),
        },
    )  # fmt: skip
    r = cls()
    limits = {"low": (-4, 3), "mid": (0, 127), "flag": (False, True), "cross": (0, 2**50 - 1), "top": (-4, 3)}
    for name, (low, high) in limits.items():
        for fill in (b"\0" * 8, b"\xff" * 8):
            memoryview(r)[:] = fill
            for value in (low, high):
                before = {n: getattr(r, n) for n in limits if n != name}
                setattr(r, name, value)
                assert getattr(r, name) == value
                assert {n: getattr(r, n) for n in limits if n != name} == before
        if name != "flag":
            for value in (low - 1, high + 1):
                with pytest.raises(TypeError, match="cannot convert"):
                    setattr(r, name, value)
    packed = cls.__samebytes_codec__.pack((-1, 5, True, 2**49, 2))
    assert packed is not None
    again = cls.__samebytes_from_buffer__(packed)
    assert [getattr(again, n) for n in limits] == [-1, 5, True, 2**49, 2]


def test_a_bit_field_at_the_end_of_a_small_struct() -> None:
    cls = make_class(Record, 1, {"a": (0, number("uint8"), 4, 4)}, 1)
    r = cls()
    r.a = 9
    assert bytes(r) == b"\x90"
    assert r.a == 9


class Color(enum.Enum):
    RED = 1
    BLUE = 2


class Level(enum.IntEnum):
    LOW = -1


def test_enumerations_keep_unknown_values() -> None:
    codec = Codec("enum", size=4, align=4, element=INT32, python=Color)
    assert codec.pack(Color.BLUE) == struct.pack("<i", 2)
    assert codec.unpack(struct.pack("<i", 1)) is Color.RED
    assert codec.unpack(struct.pack("<i", 77)) == 77
    assert codec.pack(77) == struct.pack("<i", 77)  # a number without a name
    assert [codec.pack(value) for value in (1 << 31, True, 2.0, Level.LOW)] == [None] * 4
    small = Codec("enum", size=1, align=1, element=INT8, python=Level)
    assert small.pack(Level.LOW) == b"\xff"
    assert small.unpack(b"\xff") is Level.LOW
    assert Codec("enum", size=1, align=1, element=number("uint8"), python=Level).pack(Level.LOW) is None


def test_carrays_nest() -> None:
    row = Codec("carray", size=8, align=4, element=INT32, count=2)
    table = Codec("carray", size=24, align=4, element=row, count=3)
    packed = table.pack(([1, 2], (3, 4), [5, 6]))
    assert packed == struct.pack("<6i", 1, 2, 3, 4, 5, 6)
    assert table.unpack(packed) == ((1, 2), (3, 4), (5, 6))
    for wrong in ([1, 2, 3], ((1, 2), (3, 4)), ((1, 2), (3, 4), (5, "x")), "abc", np.zeros((3, 2), "i4")):
        assert table.pack(wrong) is None


def test_lists_of_pointers_are_left_to_python() -> None:
    codec = Codec("carray", size=16, align=8, element=pointer(), count=2)
    arrays = (np.zeros(1), np.zeros(1))
    assert codec.pack(arrays) == struct.pack("<2Q", *(a.ctypes.data for a in arrays))
    assert codec.pack(list(arrays)) is None


def test_tuples_into_structs_zero_the_padding(pair: Any) -> None:
    codec = pair.__samebytes_codec__
    assert codec.pack((1, 2.0)) == PAIR.pack(1, 2.0)
    for wrong in ((1,), (1, 2.0, 3), (1, "x"), [1, 2.0], None, 1):
        assert codec.pack(wrong) is None


def test_a_union_takes_no_tuple() -> None:
    codec = Codec("struct", size=8, align=8, fields=(("i", 0, INT64, 0, 0), ("d", 0, FLOAT64, 0, 0)))
    assert codec.pack((1, 2.0)) is None
    assert codec.unpack(struct.pack("<d", 0.0)) == (0, 0.0)


def test_accepted_classes_are_copied(pair: Any, record: Any) -> None:
    codec = pair.__samebytes_codec__
    r = record()
    assert codec.pack(r) is None
    codec.accept(record)
    codec.accept(record)
    r.a = 3
    assert codec.pack(r) == PAIR.pack(3, 0.0)
    other = make_class(Value, 8, {"a": (0, FLOAT64)})
    codec.accept(other)  # of another size: never copied
    assert codec.pack(other(1.0)) is None
    for wrong in (int, 3, np.ndarray):
        with pytest.raises(TypeError):
            codec.accept(wrong)
    with pytest.raises(TypeError):
        INT32.accept(record)


def test_subclasses_are_not_the_class(pair: Any) -> None:
    child = type("Child", (pair,), {"__slots__": ()})
    value = child(1, 2.0)
    assert type(value) is child
    assert value.b == 2.0
    assert pair.__samebytes_codec__.pack(value) is None


def test_classes_with_a_dict_are_refused(pair: Any) -> None:
    child = type("Child", (pair,), {})
    with pytest.raises(TypeError, match="__slots__"):
        child(1, 2.0)


@pytest.mark.parametrize("base", [Value, Record])
def test_a_class_without_a_codec(base: Any) -> None:
    for cls in (base, type("C", (base,), {"__slots__": (), "__samebytes_codec__": INT32})):
        with pytest.raises((TypeError, AttributeError)):
            cls()
        with pytest.raises((TypeError, AttributeError)):
            cls.__samebytes_from_buffer__(b"")


def test_fields_stay_inside_their_objects(pair: Any) -> None:
    stray = Field("stray", INT64, 12)
    value = pair(1, 2.0)
    for wrong in (value, 3, object()):
        with pytest.raises(TypeError, match="does not belong"):
            stray.__get__(wrong, None)
        with pytest.raises(TypeError, match="does not belong"):
            stray.__set__(wrong, 1)
    assert isinstance(pair.a, Field)
    assert (pair.b.name, pair.b.offset, pair.b.codec) == ("b", 8, FLOAT64)
    for place in ((-1, 0, 0), (0, -1, 2), (0, 0, 65), (0, 0, -1)):
        with pytest.raises(ValueError, match="place"):
            Field("x", INT64, *place)


def test_buffers_must_be_long_enough(pair: Any) -> None:
    for offset in (1, -1, 100, sys.maxsize):
        with pytest.raises(ValueError, match="exceed"):
            pair.__samebytes_from_buffer__(bytes(16), offset)
        with pytest.raises(ValueError, match="exceed"):
            pair.__samebytes_codec__.unpack(bytes(16), offset)
