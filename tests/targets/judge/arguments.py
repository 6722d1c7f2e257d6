# ruff: noqa: E501  (a row of a table is a line)
"""The arguments: what each is, relative to a kind where it is an array or an object."""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from math import prod
from typing import Any

import ml_dtypes
import numpy as np

import samebytes as sb

from .kinds import Kind
from .sources import STRUCTS

GUARD, BYTE = 512, 0xA5  # bytes on each side of an array's elements, and what they hold


class Lacks(Exception):
    """There is no such argument: the words say why."""


def dtype(lib: Any, element: str) -> np.dtype[Any]:
    """The element type of a kind."""
    if element in STRUCTS:
        return np.dtype(getattr(lib, element).dtype)
    return np.dtype(getattr(ml_dtypes, element, None) or element)


@dataclass
class Case:
    """What an argument is made of.

    Attributes
    ----------
    kind : Kind
    lib, other : library
        That of the function; one with structs of the same names.
    put : callable
        Puts an array of NumPy's into the memory that is right (``True``) or into another.
    memory : callable
        The same, of the target's memory: what is passed by value comes from the host's.
    pointed : callable
        The same, of what a Pointer is made of.
    watched : list
        What C++ may write to: its bytes, or its fields, are compared after the call.
    """

    kind: Kind
    lib: Any
    other: Any
    put: Callable[[np.ndarray[Any, Any], np.ndarray[Any, Any], bool], Any]
    memory: Callable[[np.ndarray[Any, Any], np.ndarray[Any, Any], bool], Any]
    pointed: Callable[[np.ndarray[Any, Any], np.ndarray[Any, Any], bool], Any]
    watched: list[Any]

    @property
    def dtype(self) -> np.dtype[Any]:
        return dtype(self.lib, self.kind.element)

    def room(self, size: int, first: int = 0) -> tuple[np.ndarray[Any, Any], int]:
        """Bytes amid guards, the same in each process; and the index of the first."""
        base = np.full(2 * GUARD + size + 128, BYTE, "u1")
        start = GUARD - (base.ctypes.data + GUARD) % 64 + 64 + first
        self.watched.append(base[start - GUARD : start + size + GUARD])
        return base, start

    def array(self, shape: tuple[int, ...], kind: np.dtype[Any] | None = None, first: int = 0) -> Any:
        """A C-ordered array of numbers, or of bytes that count where an element is a struct."""
        kind = kind or self.dtype
        base, start = self.room(prod(shape) * kind.itemsize, first)
        found = base[start : start + prod(shape) * kind.itemsize]
        made = np.ndarray(shape, kind, found, 0)
        made[...] = numbers(prod(shape), kind).reshape(shape)
        self.base = base
        return made

    def own(self, array: np.ndarray[Any, Any]) -> Any:
        return self.put(array, self.base, True)


def numbers(count: int, kind: np.dtype[Any]) -> np.ndarray[Any, Any]:
    """Numbers that differ where the format tells them apart."""
    if kind.names:
        found = np.zeros(count, kind)
        _fill(found)
        return found
    return (np.arange(1, count + 1) % 100).astype("u1").astype(kind)


def _fill(array: np.ndarray[Any, Any]) -> None:
    """Small numbers in each field; pointers are null."""
    for i, name in enumerate(array.dtype.names or ()):
        part = array[name]
        if part.dtype.names:
            _fill(part)
        elif part.dtype.kind in "iuf" and part.dtype.itemsize <= 8:
            part[...] = i + 1


@dataclass(frozen=True)
class Argument:
    """One argument.

    Attributes
    ----------
    make : callable
        Of a :class:`Case`.
    cxx : str
        The same in C++, where it is a number that C++ can write.
    right : bool
        An array that is right: C++ reads its own copy at ``p``.
    number : bool
        A number, or an enumerator.
    """

    name: str
    make: Callable[[Case], Any]
    cxx: str = ""
    right: bool = False
    number: bool = False


def _is(value: Any, cxx: str = "", name: str = "") -> Argument:
    number = not isinstance(value, (str, bytes, type(None)))
    return Argument(name or repr(value), lambda case: value, cxx, number=number)


def _enumerator(name: str, value: Callable[[Case], Any], cxx: str = "") -> Argument:
    return Argument(name, value, cxx, number=True)


def _array(name: str, make: Callable[[Case], Any], *, right: bool = False) -> Argument:
    return Argument(name, lambda case: case.own(make(case)), right=right)


def _last(shape: tuple[int, ...], by: int) -> tuple[int, ...]:
    return (*shape[:-1], shape[-1] + by)


def _other_dtype(case: Case) -> np.dtype[Any]:
    """Of the same size: the bytes are all that is wrong."""
    kind = case.dtype
    sized = {1: "u1", 2: "u2", 4: "u4", 8: "u8"}
    return np.dtype(
        "u1"
        if kind.names
        else "f4"
        if kind.kind == "u" and kind.itemsize == 4
        else sized.get(kind.itemsize, "f8")
    )


def _fortran(case: Case) -> Any:
    rows = case.kind.shape if len(case.kind.shape) > 1 else (2, case.kind.shape[0])
    made = case.array(rows[::-1])
    return made.T


def _transposed(case: Case) -> Any:
    rows = case.kind.shape if len(case.kind.shape) > 1 else (2, case.kind.shape[0])
    return case.array(rows).T


def _strided(case: Case) -> Any:
    return case.array(_last(case.kind.shape, case.kind.shape[-1]))[..., ::2]


def _overlapping(case: Case) -> Any:
    shape = case.kind.shape
    made = case.array(shape)
    return np.lib.stride_tricks.as_strided(made, shape, (0,) * len(shape))


def _read_only(case: Case) -> Any:
    made = case.array(case.kind.shape)
    made.flags.writeable = False
    return made


def _big_endian(case: Case) -> Any:
    kind = case.dtype
    turned = kind.newbyteorder(">")
    if turned == kind or kind.hasobject:
        raise Lacks("the element type has no byte order")
    return case.array(case.kind.shape, turned)


def _elsewhere(case: Case) -> Any:
    made = case.array(case.kind.shape)
    return case.put(made, case.base, False)


def _pointer(case: Case, *, readonly: bool = False) -> Any:
    made = case.array(case.kind.shape)
    return sb.Pointer(case.pointed(made, case.base, True), **({"readonly": True} if readonly else {}))


def _sequence(case: Case, of: Callable[[Any], Any], by: int = 0) -> Any:
    if case.dtype.names:
        raise Lacks("its elements are structs")
    made = numbers(prod(_last(case.kind.shape, by)), case.dtype).reshape(_last(case.kind.shape, by)).tolist()
    return of(made)


def _tuples(found: Any) -> Any:
    return tuple(map(_tuples, found)) if isinstance(found, list) else found


# Arguments that C++ itself cannot bear: the kind, a part of the argument's name, and what would happen.
_UNFAIR = (
    ("pc_Handle", "Pointer to", "C++ would read an array as an object"),
    ("pc_Handle", "read-only Pointer", "C++ would read an array as an object"),
    ("callback", "Pointer to", "C++ would call data"),
    ("callback", "read-only Pointer", "C++ would call data"),
    ("p_void", "handle", "C++ would write over an object"),
    ("p_void", "C function", "C++ would write over code"),
    ("pc_void", "handle", "the object holds an address"),
    ("pc_void", "C function", "the function holds an address"),
)


def unfair(kind: Kind, argument: Argument) -> str:
    """Why no target is asked; empty where each is."""
    if kind.many and argument.number:
        return "C++ reads more than one element"
    return next(
        (why for name, part, why in _UNFAIR if name == kind.name and argument.name.startswith(part)), ""
    )


# --- objects

_FIELDS: dict[str, Callable[[Case, Any], Any]] = {
    "R": lambda case, lib: lib.R(a=5, b=2.25),
    "Init": lambda case, lib: lib.Init(),
    "Ctor": lambda case, lib: lib.Ctor(4),
    "Wide": lambda case, lib: lib.Wide([1, 2, 3, 4]),
    "Bits": lambda case, lib: lib.Bits(a=5, b=-3, c=70000),
    "U": lambda case, lib: lib.U(f=1.5),
    "Packed": lambda case, lib: lib.Packed(c=b"c", i=-7),
    "Nested": lambda case, lib: lib.Nested(r=lib.R(a=1, b=2.0), v=[3, 4, 5]),
    "View": lambda case, lib: lib.View(case.memory(case.array((4,), np.dtype("f8")), case.base, True), 4),
}

# The same in C++.
CXX_STRUCTS = {
    "R": "R{5, 2.25}", "Init": "Init{}", "Ctor": "Ctor(4)", "Wide": "Wide{{1, 2, 3, 4}}", "Bits": "Bits{5, -3, 70000}",
    "U": "[] { U u; u.f = 1.5f; return u; }()", "Packed": "Packed{'c', -7}", "Nested": "Nested{R{1, 2.0}, {3, 4, 5}}",
}  # fmt: skip


def _record(name: str, which: str = "lib") -> Callable[[Case], Any]:
    def make(case: Case) -> Any:
        lib = getattr(case, which)
        if not hasattr(lib, name):
            raise Lacks(f"no {name}")
        made = _FIELDS[name](case, lib)
        case.watched.append(made)
        return made

    return make


def _own_struct(case: Case, which: str = "lib") -> Any:
    """The struct of the kind; R where it has none."""
    return _record(case.kind.element if case.kind.element in STRUCTS else "R", which)(case)


def _element(case: Case) -> Any:
    if not case.dtype.names:
        raise Lacks("its elements are no structs")
    return case.array((2,))[1]


def _handle(case: Case) -> Any:
    if not hasattr(case.lib, "Handle"):
        raise Lacks("no Handle")
    made = case.lib.Handle(6)
    case.watched.append(made)
    return made


def _nan(form: str, payload: int) -> Any:
    return struct.unpack(f"<{form}", payload.to_bytes(struct.calcsize(form), "little"))[0]


def doubled(x):  # type: ignore[no-untyped-def]
    return 2 * x


@cache
def _cfunc(signature: str) -> Any:
    from importlib import import_module

    return import_module("numba").cfunc(signature)(doubled)


def _cfunc_of(signature: str) -> Callable[[Case], Any]:
    def make(case: Case) -> Any:
        try:
            return _cfunc(signature)
        except ImportError:
            raise Lacks("Numba is not installed") from None

    return make


_C_INT = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int)(lambda x: 2 * x)

_NUMBERS = (
    *(
        _is(value, cxx)
    for value, cxx in (
        (0, "0"), (1, "1"), (-1, "-1"), (127, "127"), (128, "128"), (-128, "-128"), (-129, "-129"), (255, "255"), (256, "256"),
        (32767, "32767"), (32768, "32768"), (65535, "65535"), (65536, "65536"), (2**31 - 1, "2147483647"), (2**31, "2147483648ll"),
        (-(2**31), "-2147483648ll"), (2**32 - 1, "4294967295ll"), (2**32, "4294967296ll"), (2**53 + 1, "9007199254740993ll"),
        (2**63 - 1, "9223372036854775807ll"), (2**63, "9223372036854775808ull"), (2**64 - 1, "18446744073709551615ull"), (2**64, ""),
        (0.1, "0.1"), (1.5, "1.5"), (-0.0, "-0.0"), (2.0, "2.0"), (449.0, "449.0"), (65520.0, "65520.0"), (1e39, "1e39"), (float("inf"), "__builtin_inf()"),
        (1 + 2j, "std::complex<double>(1, 2)"), (True, "true"), (None, ""), ("a", ""), (b"a", ""), ("text", ""),
    )
    ),
    _is(_nan("d", 0x7FF8_0000_0000_BEEF), '__builtin_nan("0xbeef")', "NaN with a payload"),
    _is(_nan("d", 0xFFF8_0000_0000_0000), '-__builtin_nan("")', "-NaN"),
)  # fmt: skip
_SCALARS = (
    *(
        _is(value, cxx, f"{value.dtype.name}({value!s})")
    for value, cxx in (
        (np.int8(-1), "(signed char)-1"), (np.uint8(200), "(unsigned char)200"), (np.int16(300), "(short)300"),
        (np.uint32(2**31), "2147483648u"), (np.int64(5), "5ll"), (np.uint64(2**63), "9223372036854775808ull"), (np.float16(1.5), ""),
        (np.float32(0.1), "0.1f"), (np.float64(0.1), "0.1"), (np.complex64(1 + 2j), "std::complex<float>(1, 2)"),
        (np.bool_(True), "true"), (ml_dtypes.bfloat16(1.5), ""),
    )
    ),
    _is(np.frombuffer(b"\xef\xbe\xc0\x7f", "f4")[0], '__builtin_nanf("0x40beef")', "float32 NaN with a payload"),
)  # fmt: skip
_ARRAYS = (
    _array("array", lambda c: c.array(c.kind.shape), right=True),
    _array("of another type", lambda c: c.array(c.kind.shape, _other_dtype(c))),
    _array("of float32", lambda c: c.array(c.kind.shape, np.dtype("f4"))),
    _array("of int32", lambda c: c.array(c.kind.shape, np.dtype("i4"))),
    _array("a dimension more", lambda c: c.array((1, *c.kind.shape)), right=True),
    _array("flat", lambda c: c.array((prod(c.kind.shape),)), right=True),
    _array("Fortran order", _fortran),
    _array("transposed", _transposed),
    _array("strided", _strided),
    _array("backwards", lambda c: c.array(c.kind.shape)[..., ::-1]),
    _array("too short", lambda c: c.array(_last(c.kind.shape, -1))),
    _array("too long", lambda c: c.array(_last(c.kind.shape, 1))),
    _array("misaligned", lambda c: c.array(c.kind.shape, first=1)),
    _array("big-endian", _big_endian),
    _array("read-only", _read_only, right=True),
    _array("overlapping", _overlapping),
    _array("empty", lambda c: c.array(c.kind.shape)[:0]),
    _array("0-d", lambda c: c.array(())),
    Argument("in other memory", _elsewhere),
)
_OBJECTS = (
    Argument("Pointer to an array", _pointer),
    Argument("read-only Pointer", lambda c: _pointer(c, readonly=True)),
    Argument("null Pointer", lambda c: sb.Pointer(None)),
    Argument("list", lambda c: _sequence(c, list)),
    Argument("tuple", lambda c: _sequence(c, _tuples)),
    Argument("longer tuple", lambda c: _sequence(c, _tuples, 1)),
    Argument("empty tuple", lambda c: ()),
    Argument("list of an array", lambda c: [c.own(c.array(c.kind.shape))]),
    Argument("struct", _own_struct),
    Argument("struct of another library", lambda c: _own_struct(c, "other")),
    Argument("other struct", lambda c: _record("Packed" if c.kind.element == "R" else "R")(c)),
    Argument("fields as a tuple", lambda c: (5, 2.25)),
    Argument("element of an array", _element),
    Argument("handle", _handle),
    Argument("float32x4", lambda c: sb.float32x4(1, 2, 3, 4)),
    Argument("int32x2", lambda c: sb.int32x2(1, -2)),
    Argument("float64x2", lambda c: sb.float64x2(1, 2)),
    _enumerator("Col.blue", lambda c: c.lib.Col.blue, "Col::blue"),
    _enumerator("many", lambda c: c.lib.many, "many"),
    _enumerator("Way.on", lambda c: c.lib.Way.on, "Way::on"),
    _enumerator("Col of another library", lambda c: c.other.Col.green),
    Argument("Python function", lambda c: doubled),
    Argument("C function of ctypes", lambda c: _C_INT),
    Argument("C function of Numba", _cfunc_of("int32(int32)")),
    Argument("C function of another type", _cfunc_of("float64(float64)")),
    Argument("object", lambda c: object()),
)

ARGUMENTS = {a.name: a for a in (*_NUMBERS, *_SCALARS, *_ARRAYS, *_OBJECTS)}
assert len(ARGUMENTS) == len((*_NUMBERS, *_SCALARS, *_ARRAYS, *_OBJECTS))
