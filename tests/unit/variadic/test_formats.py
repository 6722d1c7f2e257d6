"""Calls with formats: checked against what the format asks for, and printed as Python prints them."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.tables import each

import samebytes as sb

pytestmark = pytest.mark.filterwarnings("ignore::samebytes.BindWarning")
ROOM = 4096


@pytest.fixture(scope="module")
def stdio() -> Any:
    return sb.bind("stdio.h")


def printed(stdio: Any, format_: str | bytes, *args: Any) -> bytes:
    room = ctypes.create_string_buffer(ROOM)
    count = stdio.snprintf(room, ROOM, format_, *args)
    assert count == len(room.value)
    return room.value


# Conversions that C and Python write alike, with their values.
SIGNED = {"hh": 8, "h": 16, "": 32, "l": 64, "ll": 64, "j": 64, "z": 64}
FLAGS = st.sampled_from(["", "-", "+", " ", "0", "-+", "+0"])
WIDTH = st.sampled_from(["", "1", "7", "20"])
PRECISION = st.sampled_from(["", ".0", ".3", ".12"])


@st.composite
def conversions(draw: st.DrawFn) -> tuple[str, str, Any]:
    """A conversion of C, the same of Python, and a value."""
    around = draw(FLAGS) + draw(WIDTH)
    sign = draw(st.sampled_from("diuxXoeEfgGs%c"))
    if sign == "%":
        return "%%", "%%", None
    if sign == "s":
        plain = around.replace("0", "").replace("+", "")
        text = draw(st.text(st.characters(codec="ascii", exclude_characters="\0"), max_size=9))
        return f"%{plain}s", f"%{plain}s", text
    if sign == "c":
        return "%c", "%c", draw(st.integers(1, 127))
    if sign in "eEfgG":
        precision = draw(PRECISION)
        value = draw(st.floats(-1e30, 1e30))
        return f"%{around}{precision}{sign}", f"%{around}{precision}{sign}", value
    length = draw(st.sampled_from(sorted(SIGNED)))
    bits = SIGNED[length]
    low, high = (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if sign in "di" else (0, 2**bits - 1)
    plain = around if sign in "di" else around.replace("+", "").replace(" ", "")
    return f"%{plain}{length}{sign}", f"%{plain}{sign}", draw(st.integers(low, high))


@pytest.mark.parametrize("examples", [60, pytest.param(400, marks=pytest.mark.full)])
def test_as_python_prints(stdio: Any, examples: int) -> None:
    @settings(max_examples=examples, deadline=None)
    @given(st.lists(conversions(), max_size=12))
    def check(parts: list[tuple[str, str, Any]]) -> None:
        values = [value for _, _, value in parts if value is not None]
        found = printed(stdio, "|".join(c for c, _, _ in parts), *values)
        due = "|".join(p for _, p, _ in parts) % tuple(values)
        assert found.decode() == due

    check()


def test_stars_positions_and_long_doubles(stdio: Any) -> None:
    assert printed(stdio, "%*d|%-*.*f|", 5, 42, 8, 2, 1.239) == b"   42|1.24    |"
    assert printed(stdio, "%2$s %1$d %2$s", 7, "x") == b"x 7 x"
    assert printed(stdio, "%.21Lg", np.longdouble(1) / 3) == b"0.333333333333333333342"
    assert printed(stdio, "%Lf", ctypes.c_longdouble(2.5)) == b"2.500000"
    assert printed(stdio, "%p %p", None, sb.Pointer(0x1234)) == b"(nil) 0x1234"
    assert printed(stdio, "%.3s", np.frombuffer(b"abcdef", np.uint8).copy()) == b"abc"
    assert (
        printed(stdio, "%s %ls", ctypes.create_string_buffer(b"xy"), ctypes.c_wchar_p("wide")) == b"xy wide"
    )
    assert printed(stdio, sb.Pointer(ctypes.create_string_buffer(b"%d!")), 3) == b"3!"
    assert printed(stdio, "é%s".encode("latin-1"), "x") == b"\xe9x"
    assert printed(stdio, "100%%") == b"100%"


# Format, arguments, and what the error says.
REFUSED: list[tuple[str | bytes, tuple[Any, ...], type[Exception], str]] = [
    ("%d", (2.5,), sb.ArgumentError, r"argument 4: expected an integer .* for %d, got 2.5"),
    ("%d", (np.float32(2),), sb.ArgumentError, "for %d"),
    ("%d", ("x",), sb.ArgumentError, r"ord\(x\) is its code"),
    ("%d", (None,), sb.ArgumentError, "for %d"),
    ("%d", (2**31,), sb.RangeError, "%ld"),
    ("%hhd", (128,), sb.RangeError, "int8"),
    ("%u", (-1,), sb.RangeError, "uint32"),
    ("%lx", (-1,), sb.RangeError, "uint64"),
    ("%ld", (2**63,), sb.RangeError, "int64"),
    ("%lu", (2**64,), sb.RangeError, "at most 64 bits"),
    ("%f", (1,), sb.ArgumentError, r"expected a float for %f, got 1 \(int\). float\(x\) converts it"),
    ("%f", (np.longdouble(1),), sb.ArgumentError, "%Lf takes it"),
    ("%Lf", (1.0,), sb.ArgumentError, r"np.longdouble\(x\) makes one"),
    ("%s", (1,), sb.ArgumentError, r"argument 4: expected text for %s, got 1 \(int\). str\(x\)"),
    ("%s", (None,), sb.ArgumentError, "expected text for %s"),
    ("%s", (sb.Pointer(0),), sb.ArgumentError, "It is null"),
    ("%s", (np.zeros(3),), sb.ArgumentError, "an array of characters for %s"),
    ("%s", (np.full(3, 65, np.uint8),), sb.ArrayError, "No NUL ends it"),
    ("%s", ("a\0b",), sb.ArgumentError, "NUL"),
    ("%ls", ("x",), sb.ArgumentError, "%s takes str"),
    ("%p", (5,), sb.ArgumentError, r"sb.Pointer\(x\) is an address"),
    ("%n", (np.zeros(1, np.int32),), sb.ArgumentError, "%n writes to memory"),
    ("%d %d", (1,), sb.ArgumentError, "asks for 2 further arguments, got 1"),
    ("%d", (1, 2), sb.ArgumentError, "asks for 1 further argument, got 2"),
    ("plain", (1,), sb.ArgumentError, "asks for no further arguments, got 1"),
    ("%*d", (1.5, 3), sb.ArgumentError, "argument 4: .* for [*] of %[*]d"),
    ("%1$d %d", (1, 2), sb.ArgumentError, "mixed"),
    ("%2$d", (1, 2), sb.ArgumentError, "no conversion says what argument 1 is"),
    ("%1$d %1$s", (1,), sb.ArgumentError, "of different types"),
    ("%y", (1,), sb.ArgumentError, "'%y' is no conversion of C"),
    ("%", (), sb.ArgumentError, "is no conversion of C"),
    ("%c", ("€",), sb.ArgumentError, r"a character's code \(-128 to 255\) for %c, .*%s takes text"),
    ("%c", ("é",), sb.ArgumentError, "%s takes text"),
    ("%c", (b"ab",), sb.ArgumentError, "%s takes text"),
    ("%c", ("a",), sb.ArgumentError, r"ord\(x\) is its code"),
    ("%c", (ctypes.c_wchar("€"),), sb.RangeError, "a character's code"),
    ("%1$d %1$c", (300,), sb.RangeError, "a character's code"),
    ("%1$c %1$d", (300,), sb.RangeError, "a character's code"),
    ("%lc", (0x110000,), sb.RangeError, "a code point"),
    ("%*d", (-(2**31), 1), sb.RangeError, "a width or a precision"),
    ("%.*d", (2**31, 1), sb.RangeError, "a width or a precision"),
    ("%99999999999d", (1,), sb.ArgumentError, "is no int of C"),
    ("%.99999999999f", (1.0,), sb.ArgumentError, "is no int of C"),
    ("%qd", (1,), sb.ArgumentError, "%qd is no conversion of C: %lld is"),
    ("%hhx", (-1,), sb.RangeError, "%hhd takes negative numbers, x & 0xff has the bits for %hhx"),
    ("%hu", (70000,), sb.RangeError, "has room for more: %lu"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("format_", "args", "error", "words"), REFUSED, ids=[f"{n} {r[0]}" for n, r in enumerate(REFUSED)]
)
def test_refused(stdio: Any, format_: str, args: tuple[Any, ...], error: type[Exception], words: str) -> None:
    room = ctypes.create_string_buffer(b"untouched", ROOM)
    with pytest.raises(error, match=words):
        stdio.snprintf(room, ROOM, format_, *args)
    assert room.value == b"untouched"


BITS = {"hh": 8, "h": 16, "": 32, "l": 64, "ll": 64, "j": 64, "z": 64, "t": 64}


def _edges(conversion: str) -> tuple[int, int]:
    """The least and the greatest number that a conversion writes as it is, by C's types on this machine."""
    length, sign = conversion[1:-1], conversion[-1]
    if sign in "cC":
        return (-1, 0x10FFFF) if length or sign == "C" else (-128, 255)
    bits = BITS[length]
    return (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if sign in "di" else (0, 2**bits - 1)


@each(
    "conversion",
    [f"%{length}{sign}" for length in BITS for sign in "diouxX"] + ["%c", "%lc", "%C"],
)
def test_the_range_of_each_conversion(stdio: Any, conversion: str) -> None:
    low, high = _edges(conversion)
    for number in (low - 1, high + 1):
        with pytest.raises(sb.RangeError):
            stdio.snprintf(None, 0, conversion, number)
    python = "%" + conversion[-1].replace("i", "d")
    for number in (low, -1, 0, 1, high):
        if low <= number and conversion[-1] not in "cC":
            assert printed(stdio, conversion, number).decode() == python % number
    if conversion == "%c":
        assert [printed(stdio, "%c", n) for n in (-128, 65, 255)] == [b"\x80", b"A", b"\xff"]


def test_all_mismatches_are_told(stdio: Any) -> None:
    with pytest.raises(sb.ArgumentError) as caught:
        stdio.snprintf(None, 0, "%d %s %g", 1.5, 2, 2.5)
    assert [m.index for m in caught.value.mismatches] == [3, 4]


def test_the_format_itself(stdio: Any) -> None:
    with pytest.raises(sb.ArgumentError, match="argument 3 'format': expected a format, got null"):
        stdio.snprintf(None, 0, None)
    with pytest.raises(sb.ArgumentError, match="argument 3 'format'"):
        stdio.snprintf(None, 0, 5, 1)


def test_scanf(stdio: Any) -> None:
    i, long_, f = np.zeros(1, np.int32), np.zeros(1, np.int64), np.zeros(1, np.float32)
    d, text, c = ctypes.c_double(), ctypes.create_string_buffer(6), ctypes.c_char()
    count = stdio.sscanf(
        "12 -7 1.5 2.25 hello z", "%d %ld %f %lf %5s %c", i, long_, f, ctypes.byref(d), text, ctypes.byref(c)
    )
    assert count == 6
    assert (i[0], long_[0], f[0], d.value, text.value, c.value) == (12, -7, 1.5, 2.25, b"hello", b"z")
    assert stdio.sscanf("5 6", "%*d %d", i) == 1
    assert i[0] == 6


# Formats of scanf, places, and what the error says.
PLACES: list[tuple[str, tuple[Any, ...], str]] = [
    ("%d", (np.zeros(1, np.int64),), "an array of int32 for %d"),
    ("%ld", (np.zeros(1, np.int32),), "an array of int64 for %ld"),
    ("%f", (np.zeros(1),), "an array of float32 for %f"),
    ("%d", (ctypes.byref(ctypes.c_long()),), "an array of int32"),
    ("%d", (5,), "a place to write to"),
    ("%d", (None,), "a place to write to"),
    ("%s", (ctypes.create_string_buffer(9),), "%99s says how much at most"),
    ("%9s", (ctypes.create_string_buffer(9),), "room for 10 bytes for %9s"),
    ("%9[a-z]", (np.zeros(3, np.uint8),), "room for 10 bytes"),
    ("%u", (np.zeros(1, np.int32),), "an array of uint32"),
    ("%d", (), "asks for 1 further argument, got 0"),
]


@pytest.mark.parametrize(
    ("format_", "args", "words"), PLACES, ids=[f"{r[0]} {n}" for n, r in enumerate(PLACES)]
)
def test_places_are_refused(stdio: Any, format_: str, args: tuple[Any, ...], words: str) -> None:
    with pytest.raises(sb.Error, match=words):
        stdio.sscanf("1", format_, *args)


def test_read_only_places(stdio: Any) -> None:
    place = np.zeros(1, np.int32)
    place.flags.writeable = False
    with pytest.raises(sb.ArrayError, match=r"writable|read-only"):
        stdio.sscanf("1", "%d", place)
    assert place[0] == 0
