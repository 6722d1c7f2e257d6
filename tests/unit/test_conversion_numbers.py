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
from tests.tables import each

from refusals import refusal
from samebytes.errors import ArgumentError, RangeError
from samebytes.types import (
    SCALARS,
)
from samebytes.values.conversion import pack, unpack

S = SCALARS
INTEGERS = [n for n in S if S[n].kind in ("int", "uint")]
FLOATS = [n for n in S if S[n].kind == "float"]
COMPLEX = ["complex64", "complex128"]


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
            assert "would hold it: declare it so" in found.advice or "No integer format" in found.advice


@pytest.mark.parametrize("name", INTEGERS)
@each(
    "value",
    [
        True,
        np.bool_(True),
        1.0,
        math.nan,
        math.inf,
        np.float64(1),
        np.float32(1),
        1j,
        np.complex64(1),
        None,
        "1",
        b"1",
        ml_dtypes.bfloat16(1),
        np.str_("1"),
        np.array([1]),
        [1],
        object(),
        np.datetime64(1, "s"),
    ],
)
def test_what_no_integer_takes(name, value):
    if name == "char" and isinstance(value, str | bytes):
        value *= 2  # one character is a char
    assert refusal(S[name], value).error is ArgumentError


@pytest.mark.parametrize("value", ["V", b"V", np.str_("V"), 86], ids=repr)
def test_one_character_is_a_char(value):
    assert pack(value, S["char"]) == b"V"


@pytest.mark.parametrize("value", ["", "VV", "ÿ", b"\xff"], ids=repr)
def test_other_texts_are_none(value):
    assert refusal(S["char"], value).error is ArgumentError


# --- bool ---


@pytest.mark.parametrize("value", [True, False, np.bool_(True), np.bool_(False), np.array(True)], ids=repr)
def test_bools(value):
    assert pack(value, bool) == bytes([bool(value)])


@pytest.mark.parametrize("value", [0, 1, 1.0, np.int8(1), np.float32(0), None, "x", [True]], ids=repr)
def test_what_bool_refuses(value):
    assert refusal(S["bool"], value).error is ArgumentError


@pytest.mark.parametrize("name", FLOATS + COMPLEX)
@each("value", [True, np.bool_(False), None, "1.0", [1.0], np.int32(1), np.uint64(0)])
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
@pytest.mark.parametrize("wrap", [lambda v: v, lambda v: np.array(v)], ids=["scalar", "0-d array"])
@each("target", FLOATS)
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
