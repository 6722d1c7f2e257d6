"""Checked formats never let C write behind a place, nor read behind a text: every length, every kind of conversion."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import pytest
from tests.tables import each

import samebytes as sb

pytestmark = pytest.mark.full  # thousands of formats

LENGTHS = ("", "hh", "h", "l", "ll", "q", "j", "z", "Z", "t", "L")
# C11, 7.21.6: which lengths a conversion has.
WHOLE, REAL, CHARACTERS, PLAIN = set(LENGTHS) - {"L", "q"}, {"", "l", "L"}, {"", "l"}, {""}
PRINTED = dict.fromkeys("diouxX", WHOLE) | dict.fromkeys("fFeEgGaA", REAL) | dict.fromkeys("sc", CHARACTERS)
PRINTED |= dict.fromkeys("SCp", PLAIN)
SCANNED = (
    dict.fromkeys("diouxX", WHOLE)
    | dict.fromkeys("fFeEgGaA", REAL)
    | dict.fromkeys(("s", "c", "[a-z]"), CHARACTERS)
)
SCANNED |= {"p": PLAIN}
ROOM, INSIDE = 256, 77
DTYPES = (np.int8, np.int16, np.int32, np.uint32, np.int64, np.float32, np.float64, np.longdouble)


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(
        """
        #include <cstdarg>
        #include <cstdio>
        #include <cwchar>
        __attribute__((format(scanf, 2, 3))) inline int scan(const char* text, const char* format, ...) {
          va_list a; va_start(a, format); int n = vsscanf(text, format, a); va_end(a); return n; }
        __attribute__((format(printf, 3, 4))) inline int print(char* to, unsigned long n, const char* format, ...) {
          va_list a; va_start(a, format); int r = vsnprintf(to, n, format, a); va_end(a); return r; }
        inline int swscanf(const wchar_t* text, const wchar_t* format, ...) {
          va_list a; va_start(a, format); int n = vswscanf(text, format, a); va_end(a); return n; }
        """
    )


@each(
    "width, sign, length",
    [(width, sign, length) for width in ("", "3") for sign in SCANNED for length in LENGTHS],
)
def test_scanf_writes_into_its_place_alone(lib: Any, width: str, sign: str, length: str) -> None:
    """With places of each kind, from none to enough: refused, or written inside."""
    format_ = f"%{width}{length}{sign}"
    for dtype in DTYPES:
        for count in range(5):
            whole = np.full(ROOM, INSIDE, np.uint8)
            room = whole[: count * np.dtype(dtype).itemsize].view(dtype)
            try:
                lib.scan("123456" if sign not in ("s", "c", "[a-z]") else "abcdef", format_, room)
            except sb.Error:
                continue
            assert length in SCANNED[sign], (format_, dtype)
            assert (whole[room.nbytes :] == INSIDE).all(), (format_, dtype, count)


@each("sign, length", [(sign, length) for sign in PRINTED for length in LENGTHS])
def test_printf_has_the_lengths_of_c(lib: Any, sign: str, length: str) -> None:
    out = ctypes.create_string_buffer(ROOM)
    values: list[Any] = [1, 1.5, np.longdouble(1.5), "text", ctypes.c_wchar_p("wide")]
    taken = []
    for value in values:
        try:
            lib.print(out, ROOM, f"%{length}{sign}", value)
            taken.append(value)
        except sb.Error:
            pass
    assert bool(taken) == (length in PRINTED[sign])
    assert "text" not in taken or (sign, length) == ("s", "") or sign == "p"


# Format, what is given, and what the error says; of the arguments, the last is at fault.
NO_NUL = np.frombuffer(b"abcdef", np.int8).copy()
REFUSED: list[tuple[str, str, Any, str]] = [
    ("print", "%zs", "abcdefgh", "%zs is no conversion of C"),
    ("print", "%.3S", (ctypes.c_wchar * 2)("a", "b"), "No NUL ends it"),
    ("print", "%ls", (ctypes.c_wchar * 2)("a", "b"), "No NUL ends it"),
    ("print", "%ls", ctypes.c_wchar_p(None), "It is null"),
    ("print", "%ls", sb.Pointer(0), "It is null"),
    ("print", "%1$.2s%1$s", NO_NUL, "No NUL ends it"),
    ("print", "%1$s%1$.2s", NO_NUL, "No NUL ends it"),
    ("print", "%1$.2s%1$.9s", NO_NUL, "No NUL ends it"),
    ("print", "%s", ctypes.byref(ctypes.c_char(b"a")), "No NUL ends it"),
    ("print", "%s", ctypes.byref(ctypes.create_string_buffer(b"ab"), 3), "No NUL ends it"),
    ("print", "%s", ctypes.byref(ctypes.c_int(1)), "an array of characters"),
    ("print", "%s", ctypes.pointer(ctypes.c_int(1)), "an array of characters"),
    ("print", "%s", NO_NUL[::-1], "contiguous"),
    ("print", "%\u0663d", 5, "no conversion of C"),
    ("scan", "%\u0663s", np.zeros(9, np.int8), "no conversion of C"),
    ("scan", "%d", np.zeros(0, np.int32), "an array of int32"),
    ("scan", "%p", np.zeros(0, np.int64), "an array of"),
    ("scan", "%d", sb.Pointer(0), "It is null"),
    ("scan", "%d", ctypes.POINTER(ctypes.c_int)(), "It is null"),
    ("scan", "%d", ctypes.byref(ctypes.c_int(), 4), "an array of int32"),
    ("scan", "%lc", np.zeros(1, np.int8), "wide characters"),
    ("scan", "%3ls", np.zeros(3, np.int32), "room for 4 wide characters"),
    ("scan", "%Lf", np.zeros(2), "an array of np.longdouble"),
    ("scan", "%Lf", ctypes.byref(ctypes.c_double()), "an array of np.longdouble"),
    ("scan", "%llf", np.zeros(1), "%llf is no conversion of C"),
    ("scan", "%1$2s%1$5s", np.zeros(3, np.int8), "room for 6 bytes"),
    ("scan", "%md", np.zeros(1, np.int64), "%md is no conversion of C"),
    ("scan", "%as", np.zeros(1, np.float32), "older C libraries"),
    ("scan", "%4294967297s", sb.Pointer(64), "no int of C"),
    ("swscanf", "%3s", np.zeros(4, np.int8), "room for 65 bytes"),
]  # fmt: skip


@each("function, format_, value, words", REFUSED)
def test_what_c_would_read_or_write_elsewhere_is_refused(
    lib: Any, function: str, format_: str, value: Any, words: str
) -> None:
    before = (ctypes.create_string_buffer(ROOM), ROOM) if function == "print" else ("1 2",)
    with pytest.raises(sb.Error, match=words):
        getattr(lib, function)(*before, format_, value)


def test_what_has_room_is_taken(lib: Any) -> None:
    wide, real, address = np.zeros(4, np.int32), np.zeros(1, np.longdouble), np.zeros(1, np.int64)
    assert lib.scan("abcdef", "%3ls", wide) == 1
    assert wide.tolist() == [97, 98, 99, 0]
    assert lib.scan("1.5", "%Lf", real) == 1
    assert real[0] == 1.5
    held = ctypes.c_longdouble()
    assert lib.scan("2.5", "%Lf", ctypes.byref(held)) == 1
    assert held.value == 2.5
    assert lib.scan("0x10", "%p", address) == 1
    assert address[0] == 16
    out = ctypes.create_string_buffer(ROOM)
    for format_, value, due in (
        ("%ls", (ctypes.c_wchar * 3)("a", "b"), b"ab"),
        ("%.2ls", (ctypes.c_wchar * 2)("a", "b"), b"ab"),
        ("%s", ctypes.byref(ctypes.create_string_buffer(b"ab")), b"ab"),
        ("%1$.2s%1$.4s", NO_NUL, b"ababcd"),
        ("%lc", 97, b"a"),
    ):
        lib.print(out, ROOM, format_, value)
        assert out.value == due
    room = np.zeros(65, np.int8)
    assert lib.swscanf("abcdef", "%3s", room) == 1
    assert bytes(room[:4]) == b"abc\0"
