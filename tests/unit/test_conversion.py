"""The table value × parameter kind, cell by cell, against NumPy and against exact arithmetic."""

import bisect
import itertools
import math
from fractions import Fraction
from functools import cache

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from samebytes import _native
from samebytes.conversion import convert, is_flags, pack, same_layout, type_of, unpack
from samebytes.errors import ArgumentError, ArrayError, Error, Mismatch, RangeError
from samebytes.types import (
    CHAR,
    SCALARS,
    VOID,
    CArray,
    Const,
    Enum,
    Extent,
    Field,
    Named,
    Pointer,
    Struct,
    Vector,
    as_type,
)
from samebytes.values.enum import enum_class
from samebytes.values.record import record_class
from samebytes.values.struct import struct
from samebytes.values.vector import vector

S = SCALARS
INTEGERS = [n for n in S if S[n].kind in ("int", "uint")]
FLOATS = [n for n in S if S[n].kind == "float"]
COMPLEX = ["complex64", "complex128"]
NUMBERS = [n for n in S if n != "char"]


def refusal(type_, value):
    """The Mismatch of a conversion that must fail, found out also through the public function."""
    with pytest.raises(Mismatch) as mismatch:
        convert(type_, value)
    with pytest.raises(Error) as error:
        pack(value, type_)
    assert type(error.value) is mismatch.value.error
    assert error.value.mismatches
    return mismatch.value


# --- integers ---


@pytest.mark.parametrize("name", INTEGERS)
@given(data=st.data())
def test_ints_that_fit(name, data):
    info = np.iinfo(S[name].numpy)
    value = data.draw(st.integers(int(info.min), int(info.max)))
    expected = np.array(value, S[name].dtype).tobytes()
    assert pack(value, S[name]) == expected
    assert unpack(expected, S[name]) == value
    for other in INTEGERS:
        limits = np.iinfo(S[other].numpy)
        if limits.min <= value <= limits.max:
            assert pack(S[other].numpy(value), S[name]) == expected


@pytest.mark.parametrize("name", INTEGERS)
@pytest.mark.parametrize("make", [int, np.longlong, lambda v: np.array(v), lambda v: np.array(v, ">i8")[()]])
def test_ints_that_do_not_fit(name, make):
    info = np.iinfo(S[name].numpy)
    for value in (int(info.min) - 1, int(info.max) + 1):
        if make is int or -(2**63) <= value < 2**63:
            found = refusal(S[name], make(value))
            assert found.error is RangeError
            assert f"({info.min} to {info.max})" in found.expected
            assert "sb." in found.advice or "No integer format" in found.advice


@pytest.mark.parametrize("name", INTEGERS)
@pytest.mark.parametrize(
    "value",
    [True, np.bool_(True), 1.0, math.nan, math.inf, np.float64(1), np.float32(1), 1j, np.complex64(1), None, "1",
     b"1", ml_dtypes.bfloat16(1), np.str_("1"), np.array([1]), [1], object(), np.datetime64(1, "s")],
    ids=repr,
)  # fmt: skip
def test_what_no_integer_takes(name, value):
    assert refusal(S[name], value).error is ArgumentError


# --- bool ---


@pytest.mark.parametrize("value", [True, False, np.bool_(True), np.bool_(False), np.array(True)], ids=repr)
def test_bools(value):
    assert pack(value, bool) == bytes([bool(value)])


@pytest.mark.parametrize("value", [0, 1, 1.0, np.int8(1), np.float32(0), None, "x", [True]], ids=repr)
def test_what_bool_refuses(value):
    assert refusal(S["bool"], value).error is ArgumentError


@pytest.mark.parametrize("name", FLOATS + COMPLEX)
@pytest.mark.parametrize(
    "value", [True, np.bool_(False), None, "1.0", [1.0], np.int32(1), np.uint64(0)], ids=repr
)
def test_what_no_float_takes(name, value):
    assert refusal(S[name], value).error is ArgumentError


# --- floats: rounded once, by exact arithmetic ---


@cache
def table(name):
    """All finite non-negative numbers of a format in order, with their bits."""
    dtype = S[name].dtype
    bits = np.arange(2 ** (8 * dtype.itemsize - 1), dtype=f"u{dtype.itemsize}")
    with np.errstate(invalid="ignore"):
        values = bits.view(dtype).astype(np.float64)
    return [(float(v), int(b)) for v, b in zip(values, bits, strict=True) if np.isfinite(v)]


def rounded(name, value):
    """The bits of the nearest number, ties to even; None where that is infinite. 8-bit formats saturate."""
    numbers = table(name)
    magnitude = abs(value)
    sign = (1 << (8 * S[name].size - 1)) if math.copysign(1, value) < 0 else 0
    at = bisect.bisect_left(numbers, (magnitude, -1))
    if at == len(numbers):
        largest, bits = numbers[-1]
        if S[name].size == 1:
            return sign | bits
        step = Fraction(largest) - Fraction(numbers[-2][0])
        return sign | bits if Fraction(magnitude) < Fraction(largest) + step / 2 else None
    candidates = numbers[max(at - 1, 0) : at + 1]
    best = min(candidates, key=lambda c: (abs(Fraction(c[0]) - Fraction(magnitude)), c[1] & 1))
    return sign | best[1]


SMALL = ["float16", "bfloat16", "float8e4m3", "float8e5m2"]


@pytest.mark.parametrize("name", SMALL)
@given(data=st.data())
def test_floats_round_once_to_small_formats(name, data):
    numbers = table(name)
    near = st.sampled_from(numbers).flatmap(
        lambda n: st.sampled_from(
            [n[0], math.nextafter(n[0], 9e9), n[0] * 1.0625, math.nextafter(n[0] * 1.0625, 0)]
        )
    )
    value = data.draw(
        st.one_of(near, near.map(lambda x: -x), st.floats(allow_nan=False, allow_infinity=False))
    )
    _check_rounding(name, value)


def _check_rounding(name, value):
    bits = rounded(name, value)
    if bits is None:
        assert refusal(S[name], value).error is RangeError
    else:
        assert pack(value, S[name]) == bits.to_bytes(S[name].size, "little")


@pytest.mark.parametrize("name", SMALL)
def test_every_tie_goes_to_even(name):
    numbers = table(name)
    for (low, _), (high, _) in itertools.pairwise(numbers[:400]):
        for value in (
            (low + high) / 2,
            math.nextafter((low + high) / 2, 0),
            math.nextafter((low + high) / 2, 9e9),
        ):
            _check_rounding(name, value)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_floats_into_float32_and_float64(value):
    assert pack(value, S["float64"]) == np.float64(value).tobytes()
    with np.errstate(over="ignore"):
        narrow = np.float32(value)
    if np.isinf(narrow):
        assert refusal(S["float32"], value).error is RangeError
    else:
        assert pack(value, S["float32"]) == narrow.tobytes()


@pytest.mark.parametrize("name", FLOATS)
def test_nan_and_infinity(name):
    assert math.isnan(unpack(pack(math.nan, S[name]), S[name]))
    largest = {"float8e4m3": 448.0, "float8e5m2": 57344.0}.get(name, math.inf)  # CUDA's constructors saturate
    assert unpack(pack(math.inf, S[name]), S[name]) == largest
    assert unpack(pack(-math.inf, S[name]), S[name]) == -largest


@pytest.mark.parametrize("name", FLOATS + COMPLEX)
@given(value=st.one_of(st.integers(-70000, 70000), st.integers(-(2**70), 2**70), st.sampled_from([10**400])))
def test_ints_into_floats_only_if_exact(name, value):
    part = {"complex64": "float32", "complex128": "float64"}.get(name, name)
    try:
        with np.errstate(over="ignore"):
            narrow = np.array(float(value)).astype(S[part].dtype)
        exact = int(float(value)) == value and np.isfinite(narrow) and int(float(narrow)) == value
    except OverflowError:
        exact = False
    if exact:
        assert unpack(pack(value, S[name]), S[name]) == value
    else:
        assert refusal(S[name], value).error is RangeError


# Exact by value: every number of the row's format is one of the column's.
WIDER = {
    "float8e4m3": {"float8e4m3", "float16", "bfloat16", "float32", "float64"},
    "float8e5m2": {"float8e5m2", "float16", "bfloat16", "float32", "float64"},
    "float16": {"float16", "float32", "float64"},
    "bfloat16": {"bfloat16", "float32", "float64"},
    "float32": {"float32", "float64"},
    "float64": {"float64"},
}


@pytest.mark.parametrize("source", FLOATS)
@pytest.mark.parametrize("target", FLOATS)
@pytest.mark.parametrize("wrap", [lambda v: v, lambda v: np.array(v)], ids=["scalar", "0-d array"])
def test_numpy_floats_only_widen(source, target, wrap):
    value = wrap(S[source].numpy(1.5))
    if target in WIDER[source]:
        assert unpack(pack(value, S[target]), S[target]) == 1.5
    else:
        found = refusal(S[target], value)
        assert found.error is ArgumentError
        assert f"sb.{target}(x)" in found.advice


@pytest.mark.parametrize("source", [n for n in FLOATS if S[n].size == 1])
@pytest.mark.parametrize("target", FLOATS)
def test_wider_means_every_number(source, target):
    if target in WIDER[source]:
        for value, _ in table(source):
            assert unpack(pack(S[source].numpy(value), S[target]), S[target]) == value


@pytest.mark.parametrize(
    ("value", "name", "expected"),
    [
        (1 + 2j, "complex64", np.complex64(1 + 2j)),
        (0.1, "complex64", np.complex64(0.1)),
        (0.1 + 0.2j, "complex128", np.complex128(0.1 + 0.2j)),
        (3, "complex64", np.complex64(3)),
        (np.float32(0.1), "complex64", np.complex64(np.float32(0.1))),
        (np.float64(0.1), "complex128", np.complex128(0.1)),
        (np.complex64(1j), "complex128", np.complex128(1j)),
        (np.complex64(1j), "complex64", np.complex64(1j)),
    ],
)
def test_complex(value, name, expected):
    assert pack(value, S[name]) == expected.tobytes()


@pytest.mark.parametrize(
    ("value", "name", "error"),
    [
        (1j, "float64", ArgumentError),
        (np.complex64(1), "float64", ArgumentError),
        (np.float64(0.1), "complex64", ArgumentError),
        (np.complex128(1), "complex64", ArgumentError),
        (np.longdouble(1), "float64", ArgumentError),
        (1e300, "complex64", RangeError),
        (complex(0, 1e300), "complex64", RangeError),
        (2**25 + 1, "complex64", RangeError),
        (1e39, "float32", RangeError),
        (70000.0, "float16", RangeError),
    ],
)
def test_what_complex_and_float_refuse(value, name, error):
    assert refusal(S[name], value).error is error


class Celsius(float):
    pass


class Count(int):
    pass


def test_subclasses_of_pythons_numbers_count_as_those():
    assert pack(Celsius(0.1), S["float32"]) == np.float32(0.1).tobytes()
    assert pack(Count(7), S["int8"]) == b"\x07"


def test_zero_dimensional_arrays_of_other_libraries():
    class OnHost:
        shape = ()

        def __dlpack_device__(self):
            return (1, 0)

        def __array__(self, dtype=None, copy=None):
            return np.array(2.5, np.float32)

    class OnDevice(OnHost):
        def __dlpack_device__(self):
            return (2, 0)

    assert pack(OnHost(), S["float64"]) == np.float64(2.5).tobytes()
    assert refusal(S["float64"], OnDevice()).error is ArgumentError


# --- pack without a type ---


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (True, b"\x01"),
        (-1, b"\xff\xff\xff\xff"),
        (0.1, np.float32(0.1).tobytes()),
        (1j, np.complex64(1j).tobytes()),
        (None, bytes(8)),
        (np.int64(5), np.int64(5).tobytes()),
        (ml_dtypes.bfloat16(1.5), ml_dtypes.bfloat16(1.5).tobytes()),
        ((1, 2.0, True), np.array([1], "i4").tobytes() + np.float32(2).tobytes() + b"\x01\0\0\0"),
        ((True, (1.0, np.int8(3))), b"\x01\0\0\0" + np.float32(1).tobytes() + b"\x03\0\0\0"),
    ],
    ids=repr,
)
def test_values_know_a_type_of_their_own(value, expected):
    assert pack(value) == expected


def test_int_is_int32_and_never_widened():
    with pytest.raises(
        RangeError, match=r"expected int32 \(-2147483648 to 2147483647\), got 3000000000.*sb\.uint32"
    ):
        pack(3_000_000_000)
    with pytest.raises(RangeError, match="finite and would become infinite"):
        pack(1e300)


def test_tuples_come_back_as_tuples():
    value = (1, (2.0, True), 3j)
    assert unpack(pack(value), type_of(value)) == value


def test_arrays_are_described_by_what_they_are():
    array = np.zeros((2, 3), np.int16)
    assert str(type_of(array)) == "array[int16, 2]"
    array.flags.writeable = False
    assert str(type_of(array)) == "array[const[int16], 2]"


@pytest.mark.parametrize("value", ["text", object(), [1, 2], {1: 2}, (), Ellipsis], ids=repr)
def test_values_without_a_type(value):
    with pytest.raises(TypeError, match="has no machine representation"):
        pack(value)


@pytest.mark.parametrize("data", [b"", b"123", b"12345"])
def test_unpack_wants_exactly_the_bytes(data):
    with pytest.raises(ArrayError, match=f"expected 4 bytes of int32, got {len(data)} bytes"):
        unpack(data, int)


def test_unpack_none():
    assert unpack(bytes(8), None) is None
    assert refusal(VOID, 1).error is ArgumentError


# --- enumerations ---

COLOR = enum_class(
    Enum("ns::Color", S["int16"], (("red", 0), ("green", 1), ("blue", -5)), scoped=True), "lib"
)
FLAGS = enum_class(Enum("Flags", S["uint32"], (("a", 1), ("b", 2), ("c", 8))), "lib")
OTHER = enum_class(Enum("Other", S["int16"], (("x", 1),)), "lib")


def test_enum_members_and_ints():
    kind = as_type(COLOR)
    assert pack(COLOR.blue, kind) == pack(-5, kind) == pack(np.int8(-5), kind) == np.int16(-5).tobytes()
    assert unpack(pack(1, kind), kind) is COLOR.green
    assert unpack(np.int16(77).tobytes(), kind) == 77


@pytest.mark.parametrize(
    ("value", "error"),
    [
        (2, RangeError),
        (True, ArgumentError),
        (OTHER.x, ArgumentError),
        ("red", ArgumentError),
        (1.0, ArgumentError),
    ],
    ids=repr,
)
def test_what_an_enum_refuses(value, error):
    found = refusal(as_type(COLOR), value)
    assert found.error is error
    assert "ns::Color (red, green, blue)" in found.expected


def test_flags_take_unions():
    kind = as_type(FLAGS)
    assert pack(FLAGS.a | FLAGS.c, kind) == np.uint32(9).tobytes()
    assert refusal(kind, 2**32).error is RangeError


@pytest.mark.parametrize(
    ("values", "scoped", "expected"),
    [
        ((1, 2, 4), False, True),
        ((0, 1, 2, 4, 7), False, True),
        ((0, 1, 2, 3, 4), False, False),
        ((1, 2), False, False),
        ((0, 5, 9), False, False),
        ((1, 2, 4), True, False),
        ((16,), False, False),
        ((), False, False),
        ((-1, 1, 2, 8), False, False),
    ],
)
def test_what_looks_like_flags(values, scoped, expected):
    assert is_flags(Enum("E", S["int32"], tuple((f"m{v}", v) for v in values), scoped=scoped)) is expected


# --- structs ---


@struct
class Inner:
    a: np.int16
    b: np.float64


@struct
class Outer:
    x: int
    inner: Inner
    v: vector(np.float32, 2)


@struct
class Twin:
    x: int
    inner: Inner
    v: vector(np.float32, 2)


@struct
class Shifted:
    x: int
    inner: Inner
    v: vector(np.int32, 2)


OUTER = as_type(Outer)
INSTANCE = Outer(1, Inner(2, 3.5), (4, 5))
RECORD = record_class(OUTER, "lib")
DTYPE = np.dtype(
    [("x", "i4"), ("inner", np.dtype([("a", "i2"), ("b", "f8")], align=True)), ("v", "f4", 2)], align=True
)

EQUAL = [
    INSTANCE,
    Twin(1, Inner(2, 3.5), (4, 5)),
    RECORD(1, (2, 3.5), (4, 5)),
    RECORD(1, (2, 3.5), (4, 5)).value,
    (1, (2, 3.5), (4, 5)),
    [1, [2, 3.5], [4.0, 5.0]],
    (1, Inner(2, 3.5), vector(np.float32, 2)(4, 5)),
    (np.uint8(1), (np.int64(2), np.float32(3.5)), np.array([4, 5], np.float32)),
    np.array((1, (2, 3.5), (4, 5)), DTYPE),
    np.array([(1, (2, 3.5), (4, 5))], DTYPE)[0],
]


@pytest.mark.parametrize("value", EQUAL, ids=lambda v: type(v).__name__)
def test_whatever_means_the_same_struct(value):
    for _ in range(2):  # the second time, the class is known
        assert unpack(pack(value, Outer), Outer) == INSTANCE


def test_a_checked_class_is_taken_by_the_core():
    fresh = record_class(OUTER, "lib")
    codec = Outer.__samebytes_codec__
    made = fresh(1, (2, 3.5), (4, 5))
    assert codec.pack(made) is None
    convert(OUTER, made)
    assert codec.pack(made) == bytes(memoryview(made))


@pytest.mark.parametrize(
    ("value", "error", "path", "says"),
    [
        ((1, (2, "x"), (4, 5)), ArgumentError, ".inner.b", "float64"),
        ((1, (2**15, 0), (4, 5)), RangeError, ".inner.a", "int16"),
        ((1, (2, 3.5), (4, 1e300)), RangeError, ".v.y", "float32"),
        ((1, (2, 3.5), (4, 5, 6)), ArgumentError, ".v", "float32x2"),
        ((1, (2, 3.5)), ArgumentError, "", "3 fields"),
        (Shifted(1, Inner(2, 3.5), (4, 5)), ArgumentError, "", "Outer"),
        (7, ArgumentError, "", "Outer (x, inner, v)"),
        ({"x": 1}, ArgumentError, "", "Outer (x, inner, v)"),
        (np.zeros((), np.dtype([("x", "i4"), ("inner", "f8"), ("v", "f4", 2)])), ArgumentError, "", "Outer"),
        (np.zeros(1, DTYPE), ArgumentError, "", "Outer"),
        (None, ArgumentError, "", "Outer"),
    ],
    ids=lambda v: str(v)[:40],
)
def test_what_a_struct_refuses(value, error, path, says):
    found = refusal(OUTER, value)
    assert (found.error, found.path) == (error, path)
    assert says in found.expected


def test_advice_on_structs():
    assert ".v is int32x2, expected float32x2" in refusal(OUTER, Shifted(1, (2, 3.5), (4, 5))).advice
    assert "Outer(**x)" in refusal(OUTER, {"x": 1}).advice
    packed = np.zeros((), np.dtype([("x", "i4"), ("inner", [("a", "i2"), ("b", "f8")]), ("v", "f4", 2)]))
    assert "align=True" in refusal(OUTER, packed).advice


def test_named_tuples_must_have_the_same_names():
    from collections import namedtuple

    same = namedtuple("Same", "a b")(2, 3.5)
    other = namedtuple("Other", "b a")(3.5, 2)
    assert pack(same, Inner) == pack((2, 3.5), Inner)
    assert "tuple(x)" in refusal(as_type(Inner), other).advice


def test_incomplete_structs_travel_whole():
    hidden = Struct("H", (Field("a", S["int32"], 0),), fixed=Extent(8, 4), complete=False)
    cls = record_class(hidden, "lib")
    kind = as_type(cls)
    assert pack(cls._from_buffer(b"abcdefgh"), kind) == b"abcdefgh"
    assert "only C++ can make one" in refusal(kind, (1,)).advice
    assert cls.__samebytes_codec__.pack((1,)) is None
    with pytest.raises(ArgumentError, match="members that Python does not see"):
        cls(1)


def test_padding_is_zero_whatever_it_was():
    dirty = Inner._from_buffer(np.int16(1).tobytes() + b"garbage"[:6] + np.float64(2).tobytes())
    for value in ((1, 2.0), Inner(1, 2.0), dirty):
        assert pack(value, Inner) == np.int16(1).tobytes() + bytes(6) + np.float64(2).tobytes()
    assert dirty == Inner(1, 2.0)
    assert hash(dirty) == hash(Inner(1, 2.0))


def test_same_layout():
    assert same_layout(OUTER, as_type(Twin))
    assert not same_layout(OUTER, as_type(Shifted))


# --- C arrays, text, addresses ---

MATRIX = CArray(S["int16"], (2, 3))


@pytest.mark.parametrize(
    "value",
    [
        ((1, 2, 3), (4, 5, 6)),
        [[1, 2, 3], (4, 5, 6)],
        np.array([[1, 2, 3], [4, 5, 6]], np.int16),
        np.array([[1, 2, 3], [4, 5, 6]], np.int64),
        np.array([[1, 2, 3], [4, 5, 6]], ">i2"),
        np.array([[1, 4], [2, 5], [3, 6]], np.int16).T,
        [np.array([1, 2, 3]), (4, 5, 6)],
    ],
    ids=lambda v: f"{type(v).__name__} {getattr(v, 'dtype', '')}",
)
def test_carrays(value):
    assert pack(value, MATRIX) == np.arange(1, 7, dtype=np.int16).tobytes()
    assert unpack(pack(value, MATRIX), MATRIX) == ((1, 2, 3), (4, 5, 6))


@pytest.mark.parametrize(
    ("value", "error", "path"),
    [
        ([[1, 2, 3]], ArgumentError, ""),
        ([[1, 2, 3], [4, 5]], ArgumentError, "[1]"),
        ([[1, 2, 3], [4, 5, 99999]], RangeError, "[1][2]"),
        ([[1, 2, 3], [4, 5.0, 6]], ArgumentError, "[1][1]"),
        (np.zeros((2, 3)), ArgumentError, "[0][0]"),
        (np.zeros((3, 2), np.int16), ArrayError, ""),
        (np.zeros((2, 3, 1), np.int16), ArrayError, ""),
        (np.full((2, 3), 70000), RangeError, "[0][0]"),
        (5, ArgumentError, ""),
        ({1, 2}, ArgumentError, ""),
        (None, ArgumentError, ""),
    ],
    ids=lambda v: str(v)[:30],
)
def test_what_a_carray_refuses(value, error, path):
    found = refusal(MATRIX, value)
    assert (found.error, found.path) == (error, path)


def test_carrays_of_vectors_and_structs():
    f2 = CArray(Vector(S["float32"], 2), (2,))
    expected = np.array([[1, 2], [3, 4]], np.float32)
    assert pack(expected, f2) == pack([(1, 2), vector(np.float32, 2)(3, 4)], f2) == expected.tobytes()
    pair = CArray(as_type(Inner), (2,))
    assert pack([(1, 2.0), Inner(3, 4)], pair) == pack((1, 2), Inner) + pack((3, 4), Inner)
    records = np.array([(1, 2.0), (3, 4.0)], np.dtype([("a", "i2"), ("b", "f8")], align=True))
    assert pack(records, pair) == pack([(1, 2.0), (3, 4.0)], pair)


@pytest.mark.parametrize(
    ("value", "expected"),
    [("hé", b"h\xc3\xa9\0"), (b"abcd", b"abcd"), (b"", bytes(4)), ([1, 2, 3, 4], bytes([1, 2, 3, 4]))],
)
def test_text_into_char_arrays(value, expected):
    assert pack(value, CArray(CHAR, (4,))) == expected


def test_text_that_is_too_long():
    assert refusal(CArray(CHAR, (4,)), "héhé").error is RangeError
    assert pack(b"\xff\x01", CArray(S["uint8"], (2,))) == b"\xff\x01"


def test_addresses():
    kind = Pointer(S["float32"])
    assert pack(None, kind) == bytes(8)
    assert pack(_native.Pointer(0x1234), kind) == (0x1234).to_bytes(8, "little")
    assert unpack(pack(_native.Pointer(0x1234), kind), kind) == _native.Pointer(0x1234)
    assert refusal(kind, 0x1234).error is ArgumentError
    assert refusal(Named("Node"), 1).error is ArgumentError


def test_const_changes_nothing_by_value():
    assert pack(5, Const(S["int8"])) == b"\x05"
    assert unpack(b"\x05", Const(S["int8"])) == 5
