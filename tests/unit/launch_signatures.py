"""Kernel signatures, and arguments for them: what C++ says, what Python gives, without anything declared."""

import ctypes
from typing import Any, NamedTuple

import numpy as np

import samebytes as sb


class Bytes3(ctypes.Structure):
    _fields_ = (("c", ctypes.c_char * 3),)


class Bytes5(ctypes.Structure):
    _fields_ = (("c", ctypes.c_char * 5),)


class Bytes7(ctypes.Structure):
    _fields_ = (("c", ctypes.c_char * 7),)


class Floats3(ctypes.Structure):
    _fields_ = (("x", ctypes.c_float), ("y", ctypes.c_float), ("z", ctypes.c_float))


class Mixed(ctypes.Structure):
    _fields_ = (("c", ctypes.c_char), ("d", ctypes.c_double), ("s", ctypes.c_short))


class Packed5(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("c", ctypes.c_char), ("i", ctypes.c_int))


class Nested(ctypes.Structure):
    _fields_ = (("m", Mixed), ("b", Bytes3))


@sb.struct(align=32)
class Wide:
    x: sb.float32
    y: sb.float32


@sb.struct
class Point:
    x: int
    y: sb.float64
    v: sb.float32x3


record = np.dtype([("c", "i1"), ("d", "f8")], align=True)

# Every C++ name that the signatures use and C++ does not know.
PREAMBLE = """
struct Bytes3 { char c[3]; };
struct Bytes5 { char c[5]; };
struct Bytes7 { char c[7]; };
struct Floats3 { float x, y, z; };
struct Mixed { char c; double d; short s; };
struct __attribute__((packed)) Packed5 { char c; int i; };
struct Nested { Mixed m; Bytes3 b; };
struct alignas(32) Wide { float x, y; };
struct float3_ { float x, y, z; };
struct alignas(16) float4_ { float x, y, z, w; };
struct alignas(8) int2_ { int x, y; };
struct alignas(16) double2_ { double x, y; };
struct Point { int x; double y; float3_ v; };
struct Record { signed char c; double d; };
"""


class Case(NamedTuple):
    """A kernel's parameter types, and arguments for them."""

    cxx: tuple[str, ...]
    args: tuple[Any, ...]


i, f, d, c, q = ctypes.c_int, ctypes.c_float, ctypes.c_double, ctypes.c_char, ctypes.c_longlong
f4 = sb.float32x4(1, 2, 3, 4)
array = np.arange(4, dtype=np.float32)

CASES = (
    # The eight whose offsets HIP Python gets wrong, or that it cannot pack.
    Case(("char", "Bytes3"), (c(b"a"), Bytes3(b"xyz"))),
    Case(("int", "Floats3", "int"), (i(1), Floats3(1, 2, 3), i(2))),
    Case(("long long", "Bytes7"), (q(1), Bytes7(b"1234567"))),
    Case(("int", "float4_", "char"), (i(1), f4, c(b"z"))),
    Case(("long long", "long long", "Bytes5"), (q(-1), q(2), Bytes5(b"12345"))),
    Case(("float", "double"), (np.float32(1.5), np.float64(2.5))),
    Case(("char", "Record"), (c(b"a"), np.array([(1, 2.5)], record)[0])),
    Case(("bool", "double", "char"), (ctypes.c_bool(True), d(1.25), c(b"b"))),
    # Others.
    Case(("float*",), (array,)),
    Case(("float*", "int"), (array, i(4))),
    Case(("char", "float*"), (c(b"a"), array)),
    Case(("void*", "void*"), (None, sb.Pointer(4096))),
    Case(("char", "void*"), (c(b"a"), 64)),
    Case(("short", "char", "int"), (ctypes.c_short(-2), c(b"a"), i(7))),
    Case(("char", "short", "char", "long long"), (c(b"a"), ctypes.c_short(3), c(b"b"), q(5))),
    Case(("unsigned char", "unsigned short", "unsigned"), (np.uint8(255), np.uint16(65535), np.uint32(9))),
    Case(("signed char", "unsigned long long"), (np.int8(-1), np.uint64(2**64 - 1))),
    Case(("Mixed",), (Mixed(b"a", 1.5, 3),)),
    Case(("char", "Mixed", "char"), (c(b"a"), Mixed(b"b", 2.5, 4), c(b"c"))),
    Case(("char", "Packed5", "int"), (c(b"a"), Packed5(b"b", 77), i(5))),
    Case(("Nested", "int"), (Nested(Mixed(b"a", 1, 2), Bytes3(b"abc")), i(3))),
    Case(("char", "Wide"), (c(b"a"), Wide(1, 2))),
    Case(("Wide", "char", "Wide"), (Wide(1, 2), c(b"a"), Wide(3, 4))),
    Case(("Point",), (Point(1, 2.0, sb.float32x3(1, 2, 3)),)),
    Case(("char", "Point", "char"), (c(b"a"), Point(1, 2.0, sb.float32x3(1, 2, 3)), c(b"b"))),
    Case(("char", "float3_", "char"), (c(b"a"), sb.float32x3(1, 2, 3), c(b"b"))),
    Case(("char", "int2_", "char"), (c(b"a"), sb.int32x2(1, 2), c(b"b"))),
    Case(("float", "double2_"), (f(1), sb.float64x2(1, 2))),
    Case(("double2_", "float4_", "int2_"), (sb.float64x2(1, 2), f4, sb.int32x2(3, 4))),
    Case(("_Float16", "float"), (np.float16(1.5), f(2))),
    Case(("char", "_Float16", "char"), (c(b"a"), np.float16(1.5), c(b"b"))),
    Case(("int",) * 9, tuple(map(i, range(9)))),
    Case(("char", "double") * 4, (c(b"a"), d(1.5)) * 4),
    Case(("Bytes3",) * 3, (Bytes3(b"abc"), Bytes3(b"def"), Bytes3(b"ghi"))),
)
