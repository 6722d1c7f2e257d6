"""What the core takes beside plain ints and arrays: members of enumerations, NumPy's integers, ctypes' references."""

from __future__ import annotations

import ctypes
import enum
from typing import Any

import numpy as np
import pytest

import samebytes as sb

FORMATS = {
    "i8": "int8", "u8": "uint8", "i16": "int16", "u16": "uint16", "i32": "int32", "u32": "uint32", "i64": "int64",
    "u64": "uint64",
}  # fmt: skip
SOURCE = "#include <cstdint>\n" + "".join(
    f"inline {type_}_t {name}({type_}_t x) {{ return x; }}\n" for name, type_ in FORMATS.items()
)
SOURCE += """
inline int where(const void* p) { return p ? *static_cast<const int*>(p) : -1; }
inline void set(void* p, int x) { *static_cast<int*>(p) = x; }
inline int add(int* p) { return *p += 1; }
inline double twice(const double* p) { return *p * 2; }
inline int over(int) { return 1; }
inline int over(double) { return 2; }
inline int wide(unsigned long long) { return 1; }
inline int wide(double) { return 2; }
inline int small(double) { return 2; }
inline int small(unsigned char) { return 1; }
inline int single(unsigned) { return 1; }
inline int single(float) { return 2; }
"""


class Level(enum.IntEnum):
    LOW = -3
    HIGH = 200
    HUGE = 2**63


class Flags(enum.IntFlag):
    A = 1
    B = 2


class Said(int):
    """Its value is what a method says."""

    def __int__(self) -> int:
        return 7


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(SOURCE)


INTEGERS = [
    *Level, Flags.A, Flags.A | Flags.B, Said(9), True, np.True_, np.float32(1), np.longlong(-5), np.ulonglong(5),
    *(np.dtype(code).type(value) for code in "bhilqBHILQ" for value in (0, 1, 100)),
    *(np.dtype(code).type(-1) for code in "bhilq"),
    np.iinfo("i8").max, np.int64(2**40), np.uint64(2**64 - 1), np.uint8(255), np.array(7), np.array([7]),
]  # fmt: skip


@pytest.mark.parametrize("name", FORMATS)
def test_integers_as_python_converts_them(lib: Any, name: str) -> None:
    function = getattr(lib, name)
    for value in INTEGERS:
        made = function.__self__.fallback(0, 0, value)
        if made is None:
            for _ in range(2):
                with pytest.raises(sb.Error, match=f"{name}\\(\\) argument 1"):
                    function(value)
            continue
        found = {int(function(value)) for _ in range(2)}
        assert found == {int.from_bytes(made[0], "little", signed=name.startswith("i"))}, repr(value)


def test_overloads_see_them_as_they_did(lib: Any) -> None:
    for _ in range(2):
        assert [lib.over(x) for x in (np.int32(5), 5, np.uint8(5), 1.5)] == [1, 1, 1, 2]
        with pytest.raises(sb.ArgumentError, match="ambiguous"):  # as a long is, of int and of double
            lib.over(np.int64(5))


class TestReferences:
    def test_where_anything_fits(self, lib: Any) -> None:
        for _ in range(3):
            number, pair = ctypes.c_int(7), (ctypes.c_int * 2)(3, 4)
            references = (
                ctypes.byref(number),
                ctypes.pointer(number),
                ctypes.cast(ctypes.byref(number), ctypes.c_void_p),
            )
            assert [lib.where(r) for r in references] == [7, 7, 7]
            assert lib.where(ctypes.byref(pair, 4)) == 4
            lib.set(ctypes.byref(number), 9)
            assert number.value == 9
            assert lib.where(ctypes.c_void_p()) == lib.where(ctypes.POINTER(ctypes.c_double)()) == -1

    def test_of_the_type_that_is_due(self, lib: Any) -> None:
        for _ in range(3):
            number = ctypes.c_int(7)
            assert (lib.add(ctypes.byref(number)), lib.add(ctypes.pointer(number)), number.value) == (8, 9, 9)
            assert lib.twice(ctypes.byref(ctypes.c_double(1.5))) == 3
            for wrong in (ctypes.byref(ctypes.c_double(1)), ctypes.pointer(ctypes.c_float(1))):
                with pytest.raises(sb.ArgumentError, match=r"expected .*int32.*, got a pointer to float"):
                    lib.add(wrong)

    def test_what_is_none(self, lib: Any) -> None:
        for _ in range(2):
            with pytest.raises(sb.ArgumentError, match="It is what ctypes passes for an argument"):
                lib.where(ctypes.c_char_p.from_param(b"text"))
            with pytest.raises(sb.ArgumentError, match="It is what ctypes passes for an argument"):
                sb.Pointer(ctypes.c_char_p.from_param(b"text"))

    @pytest.mark.parametrize("make", [ctypes.byref, ctypes.pointer])
    def test_to_what_no_type_of_ours_is(self, lib: Any, make: Any) -> None:
        for _ in range(2):
            held = ctypes.py_object(lib)
            with pytest.raises(sb.ArgumentError, match=r"py_object.* has no machine representation"):
                lib.add(make(held))
            assert lib.where(make(held)) == ctypes.c_int.from_buffer(held).value
            with pytest.raises(sb.ArgumentError, match=r"C\+\+ may write through it"):
                lib.set(ctypes.c_char_p(b"text"), 1)

    @pytest.mark.parametrize(
        "obj",
        [ctypes.c_char_p(b"text"), ctypes.c_wchar_p("text"), ctypes.CFUNCTYPE(ctypes.c_int)(lambda: 3)],
        ids=lambda obj: type(obj).__name__,
    )
    def test_what_holds_an_address(self, lib: Any, obj: Any) -> None:
        for _ in range(2):
            address = ctypes.cast(obj, ctypes.c_void_p).value
            assert address is not None
            assert (
                lib.where(obj) == ctypes.c_int.from_address(address).value
            )  # not what the object itself holds
            with pytest.raises(sb.ArgumentError, match=r"expected .*int32"):
                lib.add(obj)

    def test_text_is_not_written_to(self, lib: Any) -> None:
        for text in (ctypes.c_char_p(b"text"), ctypes.c_wchar_p("text")):
            with pytest.raises(sb.ArgumentError, match=r"C\+\+ may write through it"):
                lib.set(text, 1)


@pytest.mark.parametrize("name", ["wide", "small", "single"])
def test_an_unsigned_parameter_is_an_integers_too(lib: Any, name: str) -> None:
    """An int is one, whatever the sign of the parameter; a floating-point number is the other."""
    function = getattr(lib, name)
    for _ in range(2):
        assert [function(x) for x in (0, 7, 255, 1.5)] == [1, 1, 1, 2]
