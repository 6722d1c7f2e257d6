"""Vectors in @njit are those of Python: replace, iteration, comparison, arithmetic in the format of promotion."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import samebytes as sb

numba = pytest.importorskip("numba", reason="Numba is not installed")
njit = numba.njit
pytestmark = pytest.mark.full


def run(expression: str, *arguments: Any) -> Any:
    scope: dict[str, Any] = {"sb": sb, "np": np}
    exec(f"def f({', '.join('vwn'[: len(arguments)])}):\n    return {expression}\n", scope)
    return njit(scope["f"])(*arguments)


# What compiled code says is what Python says, in the same format.
@pytest.mark.parametrize(
    "expression",
    [
        "v.replace(x=5)", "v.replace(y=2.5, x=n)", "[x for x in v]", "v == w", "v != w", "v == v", "v.size", "len(v)",
        "-v",
        "abs(-v)", "v[1]", "v / 2", "v * 2.5", "2 * v + w", "sb.int32x2(1, 2) + sb.int32x2(3, 4)",
        "sb.int8x2(100, 2) + sb.int8x2(100, 4)", "sb.int8x2(1, 2) + sb.uint8x2(3, 4)",
        "sb.uint32x2(1, 2) + sb.int32x2(3, 4)", "sb.float32x2(1, 2) + sb.float64x2(1, 2)",
        "sb.int32x2(7, 8) / sb.int32x2(2, 3)", "sb.int32x2(7, 8) + 1", "sb.uint8x2(250, 2) + 5",
        "sb.int16x2(-7, 8) % 3",
        "abs(sb.int32x2(-7, 8))", "sb.int32x3(1, 2, 3).replace(z=9)", "sb.float64x4(1, 2, 3, 4).replace(w=0)",
    ],
)  # fmt: skip
def test_as_in_python(expression: str) -> None:
    given = sb.float32x3(1, 2, 3), sb.float32x3(1, 2, 4), 7.5
    found = run(expression, *given)
    expected = eval(expression, {"sb": sb, "np": np, **dict(zip("vwn", given, strict=True))})
    assert np.array_equal(found, expected)
    if isinstance(expected, type(sb.float32x3(0, 0, 0)).__mro__[1]):
        assert type(found) is type(expected)


SMALL = ("float16", "bfloat16", "float8e4m3", "float8e5m2")


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_small_floats_are_rounded_as_in_python(name: str) -> None:
    """What Numba cannot compute with on CPUs: as float32, each result rounded to the format, to infinity or NaN too."""
    vector = getattr(sb, f"{name}x3")
    given = vector(1.5, 2, -3), vector(0.1, 400.0, 0.3), 0.1
    parts = (
        "v + w",
        "w * w * w",
        "0.1 * v",
        "v + 1",
        "v == w",
        "w.y",
        "v.replace(z=n)",
        f"-sb.{name}x2(n, 2)",
    )
    text = "(" + ", ".join(parts) + ")"
    names = {"sb": sb, "np": np, **dict(zip("vwn", given, strict=True))}
    for part, found, expected in zip(parts, run(text, *given), eval(text, names), strict=True):
        if hasattr(expected, "replace"):
            assert type(found) is type(expected), part
            found, expected = ([float(x) for x in both] for both in (found, expected))
        assert np.array_equal(np.float64(found), np.float64(expected), equal_nan=True), part


@pytest.mark.parametrize("name", SMALL)
def test_every_small_float_is_the_same(name: str) -> None:
    """The format's bits, taken apart and put together; infinity of 8 bits becomes the largest, as at crossings."""
    kind, size = getattr(sb, name), sb.sizeof(getattr(sb, name))
    vector, bits = (
        getattr(sb, f"{name}x1"),
        np.arange(1 << (8 * size), dtype=f"u{size}")[:: 1 if size == 1 else 61],
    )
    again = njit(lambda v: v.replace(x=v.x))
    for number, data in zip(bits.view(kind), bits, strict=True):
        if np.isfinite(float(number)) or (np.isinf(float(number)) and size == 2):
            assert bytes(again(vector(number))) == data.tobytes()
        elif np.isinf(float(number)):
            assert abs(float(again(vector(number)).x)) == 57344


def test_two_formats_of_small_floats() -> None:
    pairs = [
        ("float16", "float8e4m3"),
        ("float16", "bfloat16"),
        ("float8e4m3", "float8e5m2"),
        ("int8", "float16"),
    ]
    for one, other in pairs:
        given = getattr(sb, f"{one}x2")(3, 4), getattr(sb, f"{other}x2")(1, 2)
        found, expected = run("v * w", *given), given[0] * given[1]
        assert (type(found), found) == (type(expected), expected)
    with pytest.raises(
        numba.core.errors.TypingError, match="no result is defined for vectors of int32 and float8e4m3"
    ):
        run("v * w", sb.int32x2(1, 2), sb.float8e4m3x2(1, 2))


@sb.struct
class Small:
    a: sb.float8e4m3
    b: sb.float16x4
    c: sb.carray[sb.float8e5m2, 3]
    d: sb.bfloat16


def test_small_floats_in_structs() -> None:
    held = Small(0.3, sb.float16x4(1, 2, 3, 4), (1, 2, 3), 1.5)
    assert run("v.a, v.b.w, v.c, v.d", held) == (float(held.a), 4, (1, 2, 3), 1.5)
    changed = run("v.replace(a=1e9, b=v.b * 2, c=(0.1, 0.2, -1e9))", held)
    assert changed == held.replace(a=448, b=held.b * 2, c=(0.1, 0.2, -57344.0))
    with pytest.raises(sb.RangeError, match="bfloat16"):
        run("v.replace(d=1e300)", held)


def test_unpacks_and_loops() -> None:
    @njit
    def both(v):
        x, y, z = v
        total = 0.0
        for part in v:
            total += part
        return x, y, z, total

    assert both(sb.float32x3(1, 2, 3)) == (1, 2, 3, 6)

    @njit
    def two(v):
        x, y = v
        return x + y

    with pytest.raises(ValueError):
        two(sb.float32x3(1, 2, 3))


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ("v[0] = 1", r"float32x3 is immutable: v\.replace\(x=...\) makes a changed copy"),
        ("v.x = 1", r"float32x3 is immutable: v\.replace\(x=...\) makes a changed copy"),
        ("v.replace(w=1)", "float32x3.replace has no element 'w'"),
        ("v.replace(1)", "takes elements by name"),
        ("v.replace(x='text')", "expected float32, got unicode_type"),
    ],
)
def test_refused(statement: str, words: str) -> None:
    scope: dict[str, Any] = {"sb": sb}
    exec(f"def f(v):\n    {statement}\n    return 0\n", scope)
    with pytest.raises(numba.core.errors.TypingError, match=words):
        njit(scope["f"])(sb.float32x3(1, 2, 3))


def test_an_integer_that_the_format_has_not() -> None:
    """Beside a vector a number that is written there is of its format; others have their own, as in Python."""

    @njit
    def more(v, n):
        return v + n

    assert more(sb.uint8x2(1, 2), 5) == sb.int64x2(6, 7) == sb.uint8x2(1, 2) + np.int64(5)
    assert njit(lambda v: v + 5)(sb.uint8x2(1, 2)) == sb.uint8x2(6, 7)
    with pytest.raises(sb.RangeError, match=r"uint8x2 add x: expected uint8 \(0 to 255\)"):
        njit(lambda v: v + 300)(sb.uint8x2(1, 2))
    with pytest.raises(sb.RangeError, match="uint8x2 sub x"):
        njit(lambda v: v - -1)(sb.uint8x2(1, 2))
    with pytest.raises(OverflowError):
        sb.uint8x2(1, 2) + 300


# Operands at which Numba's own operators of numbers say something else than NumPy's, or nothing that is defined.
EDGES = [(5, 0), (0, 0), (-5, 0), (7, 70), (7, -3), (-5, 64), (-128, -1)]


@pytest.mark.parametrize("name", ["int8", "int64", "uint8", "float32", "float16"])
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_edges_of_arithmetic_are_those_of_python(name: str) -> None:
    vector, signs = getattr(sb, f"{name}x2"), ("/", "//", "%") + ("<<", ">>", "**") * ("int" in name)
    scope: dict[str, Any] = {}
    for i, sign in enumerate(signs):
        exec(f"def f{i}(v, w):\n    return v {sign} w\n", scope)
    plain = [scope[f"f{i}"] for i in range(len(signs))]
    compiled, edges = [njit(f) for f in plain], [e for e in EDGES if name != "uint8" or min(e) >= 0]
    edges += [(-(2**63), -1), (-(2**63), 64)] * (name == "int64")
    for x, y in edges:
        given = vector(x, 1), vector(y, 2)
        for sign, one, other in zip(signs, compiled, plain, strict=True):
            if sign == "**" and y < 0:
                with pytest.raises(ValueError, match=r"expected a power of 0 or more"):
                    one(*given)
                with pytest.raises(ValueError):
                    other(*given)
                continue
            found, expected = one(*given), other(*given)
            assert type(found) is type(expected)
            assert np.array_equal(np.float64(list(found)), np.float64(list(expected)), equal_nan=True), (
                x,
                sign,
                y,
            )


def test_in_arrays_and_as_tuples() -> None:
    array = np.zeros(3, sb.float32x3)

    @njit
    def fill(array, v):
        for i in range(array.size):
            array[i] = v * np.float32(i)
        return sb.float32x3(array[2]) + v, tuple(v), sb.float64x3(*tuple(v))

    v = sb.float32x3(1, 2, 3)
    assert fill(array, v) == (v * 3, (1.0, 2.0, 3.0), sb.float64x3(1, 2, 3))
    assert array.tolist() == [(0, 0, 0), (1, 2, 3), (2, 4, 6)]
    with pytest.raises(numba.core.errors.TypingError, match="setitem"):
        njit(fill.py_func)(array, sb.float64x3(1, 2, 3))
    with pytest.raises(numba.core.errors.TypingError, match=r"float32x3\(x, y, z\)"):
        njit(lambda array: sb.float32x3(array[0]))(np.zeros(2, sb.float32x2))


@pytest.mark.parametrize(
    ("expression", "words"),
    [
        ("str(v)", "float16x2 has no text in compiled code"),
        ("hash(v)", "float16x2 has no hash in compiled code"),
    ],
)
def test_what_compiled_code_has_not(expression: str, words: str) -> None:
    with pytest.raises(numba.core.errors.TypingError, match=words):
        run(expression, sb.float16x2(1, 2))
