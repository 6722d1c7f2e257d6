"""Bad input, one table: each case raises the promised class with the promised words, and nothing crashes."""

import numpy as np
import pytest

import samebytes as sb
from samebytes.types import SCALARS, Enum, Field, Named, Struct


@sb.struct
class Point:
    x: int
    v: sb.float32x3 = (1, 2, 3)


def declared(annotations, **members):
    return lambda: sb.struct(
        type("Bad", (), {"__annotations__": annotations, "__module__": __name__, **members})
    )


COLOR = Enum("Color", SCALARS["uint8"], (("red", 0), ("green", 7)))
POINT = Point(1)
A, R, T, V, Y = sb.ArgumentError, sb.RangeError, TypeError, ValueError, sb.ArrayError
L = sb.LayoutError

CASES = [
    # numbers into formats
    (lambda: sb.pack(True, int), A, r"expected int32 .*True \(bool\)"),
    (lambda: sb.pack(1, bool), A, "expected bool"),
    (lambda: sb.pack(2**31, int), R, r"int32 \(-2147483648 to 2147483647\).*uint32 would hold it"),
    (lambda: sb.pack(-1, sb.uint8), R, r"uint8 \(0 to 255\)"),
    (lambda: sb.pack(2**64, sb.uint64), R, "No integer format holds it"),
    (lambda: sb.pack(1.5, int), A, r"int\(x\) converts it"),
    (lambda: sb.pack(float("nan"), int), A, "NaN and infinity are no integers"),
    (lambda: sb.pack(1e300, float), R, "finite and would become infinite"),
    (lambda: sb.pack(65520.0, sb.float16), R, "float16"),
    (lambda: sb.pack(2**24 + 1, float), R, r"float\(x\) rounds it"),
    (lambda: sb.pack(1j, float), A, "x.real"),
    (lambda: sb.pack("1", float), A, "expected float32"),
    (lambda: sb.pack(None, float), A, "expected float32, got None"),
    (lambda: sb.pack(np.float64(1), sb.float32), A, r"sb.float32\(x\) rounds it"),
    (lambda: sb.pack(np.array([1, 2]), int), A, "expected int32"),
    (lambda: sb.pack(10**400, sb.float64), R, "float64"),
    # values without a type
    (lambda: sb.pack("text"), T, "no machine representation"),
    (lambda: sb.pack(()), T, "an empty tuple"),
    (lambda: sb.pack((1, object())), T, "no machine representation"),
    (lambda: sb.pack({"a": 1}), T, "no machine representation"),
    (lambda: sb.pack(1, "no_such_type"), T, "no type is called"),
    (lambda: sb.pack(1, dialect="cobol"), L, "no dialect 'cobol': there are"),
    # vectors
    (lambda: sb.float32x3(1, 2), A, r"got 2 arguments; it takes\n  float32x3\(x, y, z\)"),
    (lambda: sb.float32x3(1, 2, 3, 4), A, "got 4 arguments"),
    (lambda: sb.float32x2("a", 1), A, "argument 1 'x': expected float32"),
    (lambda: sb.int8x2(1, 300), R, "argument 2 'y': expected int8"),
    (lambda: sb.float32x2(x=1, y=2), A, "by position"),
    (lambda: sb.float32x2(1, 2)[2], IndexError, "not in 0 to 1"),
    (lambda: sb.float32x2(1, 2)[-1], IndexError, "not in 0 to 1"),
    (lambda: sb.float32x2(1, 2)["x"], T, "str"),
    (lambda: sb.float32x2(1, 2).__setitem__(1, 3), T, r"v.replace\(y=...\)"),
    (lambda: sb.float32x2(1, 2).replace(z=3), A, "no element 'z'"),
    (lambda: setattr(sb.float32x2(1, 2), "x", 3), AttributeError, "immutable"),
    (lambda: setattr(sb.float32x2(1, 2), "q", 3), AttributeError, "q"),
    (lambda: sb.vector(sb.complex64, 2), T, "no vector of 2 × complex64"),
    (lambda: sb.vector(sb.float32, 5), T, "sizes 1 to 4"),
    (lambda: sb.pack((1, 2), sb.float32x3), A, r"sb.float32x3\(x, y, z\) builds one"),
    # tuples, C arrays, enumerations, None
    (lambda: sb.pack((1,), tuple[int, int]), A, "2 fields"),
    (lambda: sb.pack((1, (2, "x")), tuple[int, tuple[int, int]]), A, "__1.__1: expected int32"),
    (lambda: sb.pack(5, tuple[int]), A, r"expected tuple\[int32\]"),
    (lambda: sb.pack((0,), tuple[None]), A, "__0: expected None, got 0"),
    (lambda: sb.pack((1, 2), sb.carray[int, 3]), A, "3 elements"),
    (lambda: sb.pack([[1, 2], [3]], sb.carray[int, 2, 2]), A, r"\[1\]: expected 2 elements"),
    (lambda: sb.pack(np.zeros((3, 2)), sb.carray[sb.float64, 2, 3]), Y, r"of shape \[2, 3\]"),
    (lambda: sb.pack("too long", sb.carray[SCALARS["char"], 4]), R, "at most 4 bytes of text"),
    (lambda: sb.pack(256, COLOR), R, "Its numbers are 0 to 255"),
    (lambda: sb.pack("red", COLOR), A, "Pass a member of Color"),
    # arrays and pointers
    (lambda: sb.pack([1, 2], sb.array[sb.float32, 1]), A, r"numpy.array\(x, dtype=\"float32\"\)"),
    (lambda: sb.pack(np.zeros(2), sb.array[sb.float32, 1]), Y, r"x.astype\(\"float32\"\)"),
    (lambda: sb.pack(np.zeros((2, 2), np.float32), sb.array[sb.float32, 1]), Y, "1 dimension, not 2"),
    (lambda: sb.pack(np.float32([1]).data.toreadonly(), sb.array[sb.float32, 1]), Y, "read-only"),
    (lambda: sb.pack(4096, sb.pointer[int]), A, r"sb.Pointer\(address\)"),
    (lambda: sb.pack(POINT, sb.pointer[Point]), A, "immutable"),
    # structs
    (lambda: Point(), A, "lacks 'x'"),
    (lambda: Point(1, (1, 2, 3), 4), A, "got 3 arguments"),
    (lambda: Point(1, y=2), A, "no field 'y'; its fields are x, v"),
    (lambda: Point(1, x=2), A, "got 'x' twice"),
    (lambda: Point("a", (1, 2)), A, r"argument 1 'x'.*\n  also argument 2 'v'"),
    (lambda: POINT.replace(y=1), A, "no field 'y'"),
    (lambda: POINT.replace(x=2**40), R, "x: expected int32"),
    (lambda: setattr(POINT, "x", 1), AttributeError, r"\.replace\(x=\.\.\.\)"),
    (lambda: setattr(POINT, "new", 1), AttributeError, "new"),
    (lambda: delattr(POINT, "x"), AttributeError, "immutable"),
    (lambda: sb.pack({"x": 1}, Point), A, r"Point\(\*\*x\) builds one"),
    (lambda: sb.unpack(bytes(15), Point), Y, "16 bytes of Point, got 15 bytes"),
    (lambda: sb.unpack("text", Point), T, "bytes-like"),
    # declarations of structs
    (declared({"x": str}), T, "struct Bad, field 'x': <class 'str'> has no machine representation"),
    (declared({"x": "Later"}), T, "field 'x': cannot evaluate the annotation 'Later'"),
    (declared({"x": "float4"}), T, "field 'x': cannot evaluate the annotation"),
    (declared({"x": list[int]}), T, "field 'x': list"),
    (declared({"x": tuple[int, ...]}), T, "field 'x': .*each element's type"),
    (declared({"x": Named("Node")}), T, "Node is known by name only"),
    (declared({}), T, "struct Bad: Bad has no fields"),
    (declared({"x": int, "y": int}, x=1), T, "field 'y': it has no default and follows one that has"),
    (declared({"x": int}, x=2**40), T, "field 'x': the default does not fit"),
    (declared({"x": int}, __init__=lambda self: None), T, "defines __init__"),
    (lambda: sb.struct(align=3), V, "align=3 is no power of two"),
    (lambda: sb.align(int, 0), V, "align=0 is no power of two"),
    (lambda: sb.align(str, 8), T, "no machine representation"),
    (lambda: sb.Atomic(None), T, "void cannot be atomic"),
    # types
    (lambda: sb.array[int], T, r"write array\[dtype, ndim\]"),
    (lambda: sb.array[int, -1], T, "number of dimensions"),
    (lambda: sb.array[int, True], T, "number of dimensions"),
    (lambda: sb.array[None, 1], T, "no arrays of None"),
    (lambda: sb.carray[int], T, r"write carray\[type, extent, ...\]"),
    (lambda: sb.carray[None, 2], T, "no arrays of None"),
    (lambda: sb.sizeof(Named("Node")), L, "known by name only"),
    (lambda: sb.layout(Struct("Empty", ())), L, "no fields"),
    (lambda: sb.declare(Struct("S", (Field("class", SCALARS["int8"]),))), L, "'class' is a C\\+\\+ keyword"),
    (lambda: sb.mirror(int, "pandas"), L, "no mirror 'pandas'"),
    (lambda: sb.mirror(sb.pointer[int], "numpy"), L, "NumPy has no pointers"),
    (lambda: sb.mirror(sb.bfloat16, "ctypes"), L, "ctypes has no such number"),
    (lambda: sb.mirror(Point, "torch"), L, "PyTorch's dtypes are numbers"),
]


def test_there_are_enough():
    assert len(CASES) >= 60


@pytest.mark.parametrize(
    ("case", "error", "says"), CASES, ids=[f"{i}-{c[2][:30]}" for i, c in enumerate(CASES)]
)
def test_refused_in_these_words(case, error, says):
    with pytest.raises(error, match=says):
        case()
