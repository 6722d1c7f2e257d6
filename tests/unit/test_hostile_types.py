"""Types that no compiler takes, and types too large to look at one by one: refused in words, or quick."""

from __future__ import annotations

import time
from typing import Literal

import numpy as np
import pytest

import samebytes as sb


def nested(levels: int) -> object:
    kind: object = int
    for _ in range(levels):
        kind = tuple[kind]
    return kind


@sb.struct
class Digit:
    x: sb.uint8


def held(levels: int) -> object:
    value: object = 1
    for _ in range(levels):
        value = (value,)
    return value


REFUSED = [
    (lambda: sb.array("zz", 2), TypeError, "zz"),
    (lambda: sb.array(float, -3), TypeError, "number of dimensions"),
    (lambda: sb.pointer(3), TypeError, "no machine representation"),
    (lambda: sb.const(3), TypeError, "no machine representation"),
    (lambda: sb.array[float, Literal[2, 3]], TypeError, "number of dimensions"),
    (lambda: sb.declare(sb.as_type(np.dtype([("a b", "i4")]))), sb.LayoutError, "no name in C"),
    (lambda: sb.struct(16), TypeError, "align=16"),
    (lambda: sb.struct(sb.struct(type("P", (), {"__annotations__": {"x": int}}))), TypeError, "already"),
    (lambda: sb.layout(sb.as_type("int" + "*" * 5000)), sb.LayoutError, "too deeply"),
    (lambda: sb.as_type("std::complex<" * 3000), TypeError, "too deeply"),
    (lambda: sb.pack(held(5000)), sb.LayoutError, "pack(): the type is nested too deeply"),
    (lambda: sb.unpack(b"1234", nested(3000)), sb.LayoutError, "unpack(): the type is nested too deeply"),
    (lambda: sb.declare(nested(3000)), sb.LayoutError, "too deeply"),
    (lambda: sb.prove(nested(3000)), sb.LayoutError, "too deeply"),
    (lambda: sb.mirror(nested(3000)), sb.LayoutError, "too deeply"),
    (lambda: sb.result_type(nested(3000)), sb.LayoutError, "too deeply"),
    (lambda: sb.array[float, 10**9], TypeError, "from 0 to 64, got 1000000000"),
    (lambda: sb.carray[int, 3, -1], TypeError, "carray[int32, 3, -1]: each extent is a number of elements"),
    (lambda: sb.align(int, 3.0), ValueError, "align=3.0 is no power of two"),
    (lambda: sb.align(int, True), ValueError, "align=True"),
    (lambda: sb.layout(sb.carray[int, 2**62, 2**62]), sb.LayoutError, "at most"),
    (lambda: sb.unpack("s", int), sb.ArgumentError, "bytes-like"),
    (lambda: int(sb.uint8x2(0x31, 0x32)), TypeError, "no single number"),
    (lambda: int(Digit(0x31)), TypeError, "take a field"),
    (lambda: float(sb.uint8x2(0x31, 0x32)), TypeError, "no single number"),
]


@pytest.mark.parametrize(("make", "error", "words"), REFUSED)
def test_refused_in_words(make, error, words):
    with pytest.raises(error) as caught:
        make()
    assert words in str(caught.value)


def test_integers_of_numpy_are_integers():
    assert sb.align(int, np.int64(16)) == sb.align(int, 16)
    assert sb.array[float, np.int8(2)] == sb.array[float, 2]
    assert sb.carray[int, np.uint16(3)] == sb.carray[int, 3]
    assert sb.alignof(sb.struct(align=np.int64(16))(type("P", (), {"__annotations__": {"x": int}}))) == 16


def test_hints_in_constructors_are_types():
    assert sb.array(float, 2) == sb.array[float, 2]
    assert sb.carray(int, (3,)) == sb.carray[int, 3]
    assert sb.pointer(float) == sb.pointer[float]
    assert sb.const(float) == sb.const[float]


def test_large_arrays_inside_structs_are_quick():
    begun = time.process_time()

    @sb.struct
    class Large:
        x: sb.carray[int, 2**22]
        y: sb.carray[sb.float64, 2**10, 2**10]

    assert sb.sizeof(Large) == 2**24 + 2**23
    assert time.process_time() - begun < 1
