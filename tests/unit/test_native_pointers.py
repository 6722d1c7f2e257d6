"""Pointers of the compiled core: what they are made of, and what they keep alive."""

from __future__ import annotations

import ctypes
import gc
import struct
import weakref
from typing import Any

import numpy as np
import pytest
from native_codecs import (
    TEXT,
    make_class,
    make_pair,
    number,
    pointer,
)

import samebytes as sb
from samebytes import Pointer
from samebytes._native import Codec, Record, Value


def watched(n: int = 3) -> Any:
    return np.zeros(n)


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
    assert codec.pack(r) == struct.pack("<Q", r.__samebytes_address__)
    assert codec.pack(v) is None
    codec.accept(type(v))
    assert codec.pack(v) is None  # a value never changes
    const = pointer(record.__samebytes_codec__, python=record, const=True)
    const.accept(type(v))
    assert const.pack(v) == struct.pack("<Q", v.__samebytes_address__)


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
    assert r.next.address == r.__samebytes_address__
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


@pytest.mark.parametrize("through", [lambda array: array, Pointer], ids=["array", "pointer"])
def test_an_owner_of_its_own_is_kept_beside_what_it_points_into(through: Any) -> None:
    class Owner: ...

    array, owner = np.arange(3), Owner()
    seen = [weakref.ref(array), weakref.ref(owner)]
    pointer = sb.Pointer(through(array), owner=owner)
    del array, owner
    gc.collect()
    assert all(one() is not None for one in seen)
    del pointer
    gc.collect()
    assert all(one() is None for one in seen)
