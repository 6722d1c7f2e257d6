"""Numbers in the compiled core: every bit pattern against NumPy and ml_dtypes, every limit, every rounding."""

from __future__ import annotations

import math
import struct
from typing import Any

import numpy as np
import pytest
from native_codecs import SCALARS, number

pytestmark = pytest.mark.filterwarnings("ignore:invalid value encountered in cast")  # NaN patterns

SMALL = ["float16", "bfloat16", "float8e4m3", "float8e5m2"]
FP8 = ["float8e4m3", "float8e5m2"]
EXACT_BITS = {
    "float64": 53, "float32": 24, "float16": 11, "bfloat16": 8, "float8e4m3": 4, "float8e5m2": 3,
    "complex128": 53, "complex64": 24,
}  # fmt: skip
LARGEST = {"float16": 65504.0, "bfloat16": float.fromhex("0x1.fep127"), "float32": float(np.finfo("f").max)}


def every_pattern(kind: str) -> np.ndarray[Any, Any]:
    size = SCALARS[kind][1]
    return np.arange(2 ** (8 * size), dtype=f"u{size}")


@pytest.mark.parametrize("kind", SMALL)
def test_every_pattern_decodes(kind: str) -> None:
    codec, (scalar, size) = number(kind), SCALARS[kind]
    patterns = every_pattern(kind)
    expected = patterns.view(scalar).astype(np.float64)
    raw = patterns.tobytes()
    got = np.array([codec.unpack(raw, i * size) for i in range(len(patterns))])
    np.testing.assert_array_equal(got, expected)
    assert np.array_equal(np.signbit(got), np.signbit(expected))


@pytest.mark.parametrize("kind", SMALL)
def test_every_pattern_comes_back(kind: str) -> None:
    codec, (scalar, size) = number(kind), SCALARS[kind]
    for pattern in every_pattern(kind):
        value = float(np.array(pattern).view(scalar).astype(np.float64))
        if math.isnan(value) or (math.isinf(value) and kind in FP8):
            continue
        assert codec.pack(value) == int(pattern).to_bytes(size, "little")


def between(kind: str) -> list[float]:
    """Midpoints of neighbouring numbers and their neighbours in double: the ties and what is next to them."""
    values = every_pattern(kind).view(SCALARS[kind][0]).astype(np.float64)
    values = np.unique(values[np.isfinite(values)])
    middle = (values[:-1] + values[1:]) / 2
    if len(middle) > 20000:
        middle = middle[:: len(middle) // 20000]
    return [float(v) for m in middle for v in (m, np.nextafter(m, -np.inf), np.nextafter(m, np.inf))]


@pytest.mark.parametrize("kind", SMALL)
def test_ties_round_to_even_once(kind: str) -> None:
    codec, (scalar, _) = number(kind), SCALARS[kind]
    values = between(kind)
    grid = np.unique(every_pattern(kind).view(scalar).astype(np.float64))
    grid = grid[np.isfinite(grid)]
    above = np.searchsorted(grid, values)
    for value, i in zip(values, above, strict=True):
        low, high = grid[i - 1], grid[i]
        packed = codec.pack(value)
        assert packed is not None
        got = codec.unpack(packed)
        if value - low == high - value:
            assert packed[0] & 1 == 0  # the even one of the two
            assert got in (low, high)
        else:
            assert got == (low if value - low < high - value else high)


@pytest.mark.parametrize("kind", ["float16", "float32"])
def test_random_doubles_round_as_numpy_rounds(kind: str) -> None:
    rng = np.random.default_rng(1)
    values = rng.integers(0, 2**64, 20000, dtype=np.uint64).view(np.float64)
    values = np.concatenate([values, rng.standard_normal(20000) * 10.0 ** rng.integers(-10, 5, 20000)])
    codec, scalar = number(kind), SCALARS[kind][0]
    with np.errstate(over="ignore"):
        rounded = values.astype(scalar)
    for value, expected in zip(values.tolist(), rounded, strict=True):
        if math.isnan(value):
            continue
        if np.isinf(expected) and not math.isinf(value):
            assert codec.pack(value) is None
        else:
            assert codec.pack(value) == expected.tobytes()


@pytest.mark.parametrize("kind", LARGEST)
def test_finite_never_becomes_infinite(kind: str) -> None:
    codec, largest = number(kind), LARGEST[kind]
    below = {"float16": 16.0, "bfloat16": 2.0**119, "float32": 2.0**103}[kind]  # half of the last step
    assert codec.unpack(codec.pack(largest) or b"") == largest
    assert codec.unpack(codec.pack(math.nextafter(largest + below, 0)) or b"") == largest
    for value in (largest + below, -largest - below, 1e300, 1.7976931348623157e308):
        assert codec.pack(value) is None
    assert codec.unpack(codec.pack(-math.inf) or b"") == -math.inf


@pytest.mark.parametrize(("kind", "largest"), [("float8e4m3", 448.0), ("float8e5m2", 57344.0)])
def test_fp8_saturates(kind: str, largest: float) -> None:
    codec = number(kind)
    for value in (largest, largest * 1.1, 1e300, math.inf):
        for sign in (1, -1):
            assert codec.unpack(codec.pack(sign * value) or b"") == sign * largest


@pytest.mark.parametrize(
    ("kind", "pattern"),
    [
        ("float16", 0x7FFF),
        ("bfloat16", 0x7FFF),
        ("float8e4m3", 0x7F),
        ("float8e5m2", 0x7E),
        ("float32", 0x7FC00000),
    ],
)
def test_nan_stays_nan(kind: str, pattern: int) -> None:
    codec = number(kind)
    assert codec.pack(math.nan) == pattern.to_bytes(codec.size, "little")
    assert math.isnan(codec.unpack(codec.pack(math.nan) or b""))


@pytest.mark.parametrize("kind", EXACT_BITS)
def test_ints_into_floats_only_where_every_int_is_exact(kind: str) -> None:
    codec, limit = number(kind), 2 ** EXACT_BITS[kind]
    for value in (0, 1, -1, limit - 1, limit, -limit):
        assert codec.unpack(codec.pack(value) or b"") == value
    for value in (limit + 1, -limit - 1, 2**64, -(2**64), 10**30):
        assert codec.pack(value) is None


@pytest.mark.parametrize("kind", [k for k in SCALARS if "int" in k])
def test_integers_take_exactly_what_fits(kind: str) -> None:
    codec, info = number(kind), np.iinfo(SCALARS[kind][0])
    low, high = int(info.min), int(info.max)
    edges = {
        low,
        low + 1,
        -1,
        0,
        1,
        high - 1,
        high,
        *(2**k for k in range(64)),
        *(-(2**k) for k in range(64)),
    }
    for value in edges:
        if low <= value <= high:
            assert codec.pack(value) == value.to_bytes(codec.size, "little", signed=low < 0)
            assert codec.unpack(codec.pack(value) or b"") == value
        else:
            assert codec.pack(value) is None
    for value in (low - 1, high + 1, 2**64, -(2**64), 2**200):
        assert codec.pack(value) is None


class IntChild(int):
    pass


class FloatChild(float):
    pass


@pytest.mark.parametrize("kind", SCALARS)
def test_what_is_not_exactly_a_number_is_left_to_python(kind: str) -> None:
    codec = number(kind)
    for value in (None, "1", b"1", [1], FloatChild(1.0), object(), np.datetime64(1, "s")):
        assert codec.pack(value) is None
    assert codec.pack(IntChild(1)) == (
        codec.pack(1) if "int" in kind else None
    )  # members of enumerations, say
    assert (codec.pack(True) is not None) == (kind == "bool")
    assert (codec.pack(1.0) is not None) == (kind in EXACT_BITS)
    assert (codec.pack(1) is not None) == (kind != "bool")
    assert (codec.pack(1j) is not None) == kind.startswith("complex")


@pytest.mark.parametrize("kind", SCALARS)
def test_scalars_of_the_same_type_are_copied(kind: str) -> None:
    codec, (scalar, _) = number(kind), SCALARS[kind]
    for value in (0, 1):
        assert codec.pack(scalar(value)) == np.asarray(scalar(value)).tobytes()
    for other, (cls, _) in SCALARS.items():
        if other != kind:
            taken = "int" in kind and "int" in other  # NumPy's integers, as ints are
            assert codec.pack(cls(1)) == (codec.pack(1) if taken else None)


def test_nan_payloads_of_scalars_survive() -> None:
    value = np.frombuffer(struct.pack("<I", 0x7FABCDEF), "f4")[0]
    assert number("float32").pack(value) == struct.pack("<I", 0x7FABCDEF)


def test_complex_parts_are_rounded_and_checked() -> None:
    codec = number("complex64")
    assert codec.pack(0.1 - 2j) == np.complex64(0.1 - 2j).tobytes()
    assert codec.unpack(codec.pack(1 + 2j) or b"") == 1 + 2j
    assert codec.pack(complex(1, 1e300)) is None
    assert codec.pack(complex(1e300, 1)) is None
    assert codec.pack(complex(math.inf, 0)) is not None
    assert codec.pack(1e300) is None


def test_any_byte_but_zero_is_true() -> None:
    assert [number("bool").unpack(bytes([i])) for i in (0, 1, 2, 255)] == [False, True, True, True]
