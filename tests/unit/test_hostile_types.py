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
    (lambda: sb.layout(sb.carray[int, 2**62, 2**62]), sb.LayoutError, "at most"),
    (lambda: sb.unpack("s", int), sb.ArgumentError, "bytes-like"),
    (lambda: int(sb.uint8x2(0x31, 0x32)), TypeError, "no single number"),
    (lambda: float(sb.uint8x2(0x31, 0x32)), TypeError, "no single number"),
]


@pytest.mark.parametrize(("make", "error", "words"), REFUSED)
def test_refused_in_words(make, error, words):
    with pytest.raises(error) as caught:
        make()
    assert words in str(caught.value)


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
