"""Values, records, fields and pointers of the compiled core: bytes as objects, and what keeps what alive."""

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
    TEXT,
    UINT64,
    make_class,
    make_pair,
    number,
    pointer,
)

from samebytes._native import Codec, Field, Pointer, Record, Value

PAIR = struct.Struct("<i4xd")


@pytest.fixture
def pair() -> Any:
    return make_pair(Value)


@pytest.fixture
def record() -> Any:
    return make_pair(Record)


def watched(n: int = 3) -> Any:
    return np.zeros(n)


def test_a_value_is_its_bytes(pair: Any) -> None:
    value = pair(1, 2.5)
    assert (value.a, value.b) == (1, 2.5)
    assert bytes(value) == PAIR.pack(1, 2.5)
    view = memoryview(value)
    assert (view.readonly, view.format, view.shape, view.nbytes) == (True, "B", (16,), 16)
    assert pair._from_buffer(b"\xff" * 3 + PAIR.pack(3, 4.0), 3).b == 4.0


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
    r = record._view(ctypes.addressof(buffer), buffer)
    r.a = 9
    assert buffer.raw == PAIR.pack(9, 0.0)
    assert r._address == ctypes.addressof(buffer)
    assert r._owner is buffer
    with pytest.raises(ValueError, match="null"):
        record._view(0, None)
    for address in (-1, 2**64):
        with pytest.raises(OverflowError):
            record._view(address, None)
    with pytest.raises(TypeError):
        record._view("x", None)


def test_nested_records_are_views_and_nested_values_are_copies() -> None:
    outer = make_class(Record, 24, {"inner": (8, make_pair(Record).__samebytes_codec__)})
    o = outer()
    o.inner.b = 3.0
    assert o.inner.b == 3.0
    inner = o.inner
    address = o._address
    del o
    gc.collect()
    assert inner._address == address + 8
    inner.a = 4
    assert inner.a == 4
    o = outer()
    o.inner = inner
    assert bytes(o.inner) == bytes(inner)
    o.inner = (5, 6.0)
    assert (o.inner.a, o.inner.b, inner.a) == (5, 6.0, 4)
    value_class = make_class(Value, 24, {"inner": (8, make_pair(Value).__samebytes_codec__)})
    v = value_class((1, 2.0))
    assert v.inner._owner is None
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
    assert all(o._address % max(align, 16) == 0 for o in objects)
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
    again = cls._from_buffer(packed)
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
            cls._from_buffer(b"")


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
            pair._from_buffer(bytes(16), offset)
        with pytest.raises(ValueError, match="exceed"):
            pair.__samebytes_codec__.unpack(bytes(16), offset)


# --- pointers and what they keep --------------------------------------------------------------------------------


def test_pointer_is_an_address() -> None:
    p = Pointer(0x1234, owner := [])
    assert (p.address, int(p), p.__index__(), bool(p), p.owner) == (0x1234, 0x1234, 0x1234, True, owner)
    assert repr(p) == "Pointer(0x1234)"
    assert repr(Pointer()) == "Pointer(None)"
    assert not Pointer(None)
    assert p == Pointer(p)
    assert Pointer(p).owner is owner
    assert p != Pointer(1)
    assert p != 0x1234
    assert hash(p) == hash(Pointer(0x1234))
    assert Pointer(2**64 - 1).address == 2**64 - 1
    assert repr(type("Mine", (Pointer,), {})(5)) == "Mine(0x5)"
    for wrong, error in ((-1, OverflowError), (2**64, OverflowError), ("x", TypeError), (1.0, TypeError)):
        with pytest.raises(error):
            Pointer(wrong)
    with pytest.raises(TypeError):
        p < p  # noqa: B015


def test_pointers_into_pointers(record: Any) -> None:
    codec = pointer(None)
    assert codec.pack(Pointer(77)) == struct.pack("<Q", 77)
    assert codec.pack(None) == bytes(8)
    assert codec.pack(77) is None
    assert pointer(None, nullable=False).pack(None) is None
    assert pointer(None, nullable=False).pack(Pointer()) is None
    child = type("Child", (Pointer,), {})
    assert codec.pack(child(5)) == struct.pack("<Q", 5)  # of any class
    opaque = pointer(None, python=type("Handle", (Pointer,), {}))
    assert opaque.pack(Pointer(5)) == struct.pack("<Q", 5)
    assert opaque.pack(child(5)) is None  # may be a handle of another class
    opaque.accept(child)
    assert opaque.pack(child(5)) == struct.pack("<Q", 5)
    assert codec.unpack(struct.pack("<Q", 5)) == Pointer(5)


def test_pointers_to_structs(pair: Any, record: Any) -> None:
    r, v = record(), make_pair(Value)(1, 2.0)
    codec = pointer(record.__samebytes_codec__, python=record)
    assert codec.pack(r) == struct.pack("<Q", r._address)
    assert codec.pack(v) is None
    codec.accept(type(v))
    assert codec.pack(v) is None  # a value never changes
    const = pointer(record.__samebytes_codec__, python=record, const=True)
    const.accept(type(v))
    assert const.pack(v) == struct.pack("<Q", v._address)


def test_strings() -> None:
    for text in ("grüße", b"bytes", "", b""):
        packed = TEXT.pack(text)
        assert packed is not None
        raw = text.encode() if isinstance(text, str) else text
        assert ctypes.string_at(int.from_bytes(packed, "little")) == raw
        assert TEXT.unpack(packed) == raw.decode()
    assert TEXT.pack(None) == bytes(8)
    assert TEXT.unpack(bytes(8)) is None
    for wrong in ("a\0b", b"a\0b", "\udc80", bytearray(b"x"), 5):
        assert TEXT.pack(wrong) is None
    raw = ctypes.c_char_p(b"\xff")
    assert TEXT.unpack(bytes(raw)) == "\udcff"
    assert Codec("string", size=8, align=8, nullable=False).pack(None) is None


def holder(base: Any) -> Any:
    return make_class(base, 16, {"p": (0, pointer()), "s": (8, TEXT)})


@pytest.mark.parametrize("base", [Value, Record])
def test_what_a_pointer_points_into_lives_on(base: Any) -> None:
    array = watched()
    alive = weakref.ref(array)
    h = holder(base)(array, "".join(["a", "b"]))
    assert h.p.address == array.ctypes.data
    del array
    assert alive() is not None
    p = h.p
    assert h in (p.owner, p.owner[0]) if base is Record else p.owner is h
    assert h.s == "ab"
    del h
    assert alive() is not None
    del p
    assert alive() is None


def test_a_replaced_target_is_let_go() -> None:
    h, array = holder(Record)(), watched()
    alive = weakref.ref(array)
    h.p = array
    h.p = None
    del array
    assert alive() is None
    assert h.p == Pointer()


def test_a_kept_bytearray_cannot_be_resized() -> None:
    cls = make_class(
        Record, 8, {"p": (0, Codec("pointer", size=8, align=8, element=number("uint8"), dl=(1, 8, 1)))}
    )
    r, data = cls(), bytearray(8)
    r.p = data
    assert r.p.address == ctypes.addressof(ctypes.c_char.from_buffer(data))
    with pytest.raises(BufferError):
        data.append(1)
    r.p = None
    data.append(1)


def test_copies_keep_what_the_original_kept() -> None:
    cls = holder(Record)
    outer = make_class(Record, 16, {"inner": (0, cls.__samebytes_codec__)})
    source, array = cls(), watched()
    alive = weakref.ref(array)
    source.p = array
    o = outer()
    o.inner = source
    source.p = None
    del array
    assert alive() is not None
    assert o.inner.p.address
    o.inner = cls()
    del source
    assert alive() is None


def test_nested_views_keep_through_their_root() -> None:
    outer = make_class(Record, 16, {"inner": (0, holder(Record).__samebytes_codec__)})
    o, array = outer(), watched()
    alive = weakref.ref(array)
    o.inner.p = array
    del array
    gc.collect()
    assert alive() is not None
    del o
    assert alive() is None


def test_cycles_are_collected() -> None:
    cls = make_class(Record, 8, {"next": (0, pointer(None))})
    cls.next.codec.accept(cls)
    r = cls()
    r.next = r
    assert r.next.address == r._address
    array = watched()
    alive = weakref.ref(array)
    box = [array]
    p = Pointer(1, box)
    box.append(p)
    made = weakref.ref(cls)
    del r, cls, array, box, p
    gc.collect()
    assert alive() is None
    assert made() is None


# --- building codecs ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        ("int33", {"size": 4, "align": 4}),
        ("int32", {"size": 8, "align": 4}),
        ("int32", {"size": 4, "align": 3}),
        ("int32", {"size": 4, "align": 0}),
        ("int32", {"size": 4, "align": 4, "scalar": object}),
        ("struct", {"size": 0, "align": 1}),
        ("struct", {"size": -8, "align": 1}),
        ("struct", {"size": 8, "align": 8, "fields": (("a", 4, INT64, 0, 0),)}),
        ("struct", {"size": 8, "align": 8, "fields": (("a", -1, INT64, 0, 0),)}),
        ("struct", {"size": 8, "align": 8, "fields": (("a", 0, FLOAT64, 0, 3),)}),
        ("struct", {"size": 8, "align": 8, "fields": (("a", 0, INT64, 60, 5),)}),
        ("struct", {"size": 8, "align": 8, "fields": (("a", 0, INT64, 0, 65),)}),
        ("struct", {"size": 8, "align": 8, "python": int}),
        ("carray", {"size": 8, "align": 4}),
        ("carray", {"size": 8, "align": 4, "element": INT32, "count": 3}),
        ("carray", {"size": 8, "align": 4, "element": INT32, "count": -1}),
        ("enum", {"size": 4, "align": 4}),
        ("enum", {"size": 4, "align": 4, "element": FLOAT64}),
        ("enum", {"size": 8, "align": 4, "element": INT32}),
        ("array", {"size": 24, "align": 8, "element": FLOAT64, "ndim": 2}),
        ("array", {"size": 24, "align": 8, "ndim": 1}),
    ],
)
def test_impossible_codecs_are_refused(kind: str, options: dict[str, Any]) -> None:
    with pytest.raises(ValueError):
        Codec(kind, **options)


@pytest.mark.parametrize(
    "options",
    [
        {"python": 3},
        {"scalar": "x"},
        {"fields": [("a",)]},
        {"fields": (3,)},
        {"fields": (("a", 0, 5, 0, 0),)},
        {"dl": 5},
        {"element": 5},
    ],
)
def test_wrong_types_in_codecs_are_refused(options: Any) -> None:
    with pytest.raises(TypeError):
        Codec("struct", size=8, align=8, **options)


def test_a_codec_says_what_it_is() -> None:
    codec = make_pair(Value).__samebytes_codec__
    assert (codec.kind, codec.size, codec.align, codec.count) == ("struct", 16, 8, 0)
    assert [f[0] for f in codec.fields] == ["a", "b"]
    assert codec.python is codec.type
    assert codec.element is None
    assert repr(INT32) == "Codec('int32', size=4, align=4, type='int32')"
    with pytest.raises(AttributeError):
        codec.size = 4


def test_tuples_may_be_refused() -> None:
    fields = (("a", 0, INT32, 0, 0), ("b", 8, FLOAT64, 0, 0))
    assert Codec("struct", size=16, align=8, fields=fields).pack((1, 2.0)) is not None
    codec = Codec("struct", size=16, align=8, fields=fields, tuples=False)
    assert codec.pack((1, 2.0)) is None
    assert codec.unpack(PAIR.pack(1, 2.0)) == (1, 2.0)


@pytest.mark.parametrize("dtype", ["O", [("a", "i4"), ("b", "O")]], ids=str)
def test_python_objects_are_no_elements(dtype: Any) -> None:
    anything = Codec("pointer", size=8, align=8)
    assert anything.pack(np.zeros(3, dtype)) is None
    for codec in (anything, pointer()):
        with pytest.raises(TypeError, match="Python objects"):
            codec.accept_dtype(np.dtype(dtype))
        assert codec.pack(np.zeros(3, dtype)) is None
