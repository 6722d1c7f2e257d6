"""Promotion in compiled code is the host's: vectors, their elements, typed numbers and literals."""

from __future__ import annotations

import operator
import random
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from tests.tables import each

import samebytes as sb
from samebytes.types import SCALARS
from samebytes.types.vector import ELEMENTS

numba = pytest.importorskip("numba", reason="Numba is not installed")
njit = numba.njit
pytestmark = [pytest.mark.full, pytest.mark.filterwarnings("ignore::RuntimeWarning")]

NARROW = ("float8e4m3", "float8e5m2", "float16", "bfloat16")
SIGNS: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "//": operator.floordiv,
    "%": operator.mod, "&": operator.and_, "|": operator.or_, "^": operator.xor, "<<": operator.lshift,
}  # fmt: skip


def numbers(name: str, count: int, seed: str) -> list[Any]:
    """Random ones of a format, its limits among them; small ones as operands of what overflows everywhere."""
    chance, scalar = random.Random(seed), SCALARS[name]
    if scalar.kind != "float":
        limits = np.iinfo(scalar.numpy)
        pool = [limits.min, limits.max, limits.max - 1, 0, 1, 3, chance.randint(limits.min, limits.max)]
        return [chance.choice(pool) for _ in range(count)]
    pool = [0.0, -0.0, 1.0, 0.1, -2.5, 200.0, float("nan"), chance.uniform(-9, 9)]
    return [scalar.numpy(chance.choice(pool)) for _ in range(count)]


def outcome(compute: Callable[..., Any], *operands: Any) -> Any:
    """The format and the bytes of a result; of one that is refused nothing but that. All NaNs are one here."""
    try:
        found = compute(*operands)
    except (TypeError, ValueError, OverflowError, numba.core.errors.NumbaError):
        return "refused"
    array = np.asarray(found)
    if array.dtype.kind == "b":
        return "bool", array.tolist()
    bits = [b"nan" if x != x else x.tobytes() for x in np.atleast_1d(array)]
    return array.dtype.name, bits


PAIRS = [(one, other) for one in ELEMENTS for other in ELEMENTS]


def compiled_outcomes(text: str, operands: list[tuple[Any, ...]]) -> tuple[list[Any], list[Any]]:
    scope: dict[str, Any] = {"sb": sb}
    exec(f"def f(v, w):\n    return {text}\n", scope)
    plain = scope["f"]
    fast = njit(plain)
    return [outcome(fast, *o) for o in operands], [outcome(plain, *o) for o in operands]


@pytest.mark.requirement("P.1")
@each(("one", "other"), PAIRS)
def test_vectors_of_two_formats(one: str, other: str) -> None:
    vector, second = getattr(sb, f"{one}x2"), getattr(sb, f"{other}x2")
    left, right = numbers(one, 6, f"{one} {other}"), numbers(other, 6, f"{other} {one} right")
    sign = random.Random(f"{one} {other}").choice(sorted(SIGNS))
    given = [(vector(*left[i : i + 2]), second(*right[i : i + 2])) for i in (0, 2, 4)]
    for chosen in {"+", sign}:
        found, expected = compiled_outcomes(f"v {chosen} w", given)
        assert found == expected, (chosen, given)


@pytest.mark.requirement("P.1")
@each(("one", "other"), PAIRS)
def test_a_vector_and_a_typed_number(one: str, other: str) -> None:
    """In both orders; the number comes out of an array, as those that have a type do."""
    vector, kind = getattr(sb, f"{one}x2"), getattr(sb, other)
    left, right = numbers(one, 2, f"{one}+{other}"), numbers(other, 2, f"{other}+{one}")
    array = np.array(right, kind)
    for text in ("v + w[0]", "w[1] * v"):
        found, expected = compiled_outcomes(text, [(vector(*left), array)])
        assert found == expected, (text, left, right)


@pytest.mark.requirement("P.3")
@each(("one", "other"), PAIRS)
def test_elements(one: str, other: str) -> None:
    """They are fixed-format numbers, with NumPy's arithmetic."""
    vector, second = getattr(sb, f"{one}x2"), getattr(sb, f"{other}x2")
    left, right = numbers(one, 2, f"{one}.{other}"), numbers(other, 2, f"{other}.{one}")
    if {one, other} & set(NARROW) and one != other:
        return  # of scalars of two formats ml_dtypes has rules of its own
    found, expected = compiled_outcomes("v.x + w[1]", [(vector(*left), second(*right))])
    assert found == expected, (left, right)


def test_elements_wrap_and_round_as_in_python() -> None:
    for text in (
        "v.x + v.x",
        "v.x * 3",
        "2 * v.y - v.x",
        "-v.x",
        "abs(v[1])",
        "v.x / v.y",
        "v.x // v.y",
        "v.x * 0.1",
    ):
        for v in (sb.uint8x2(200, 1), sb.int32x2(2**31 - 1, 0), sb.float32x2(0.1, 3), sb.float16x2(0.1, 0)):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                found, expected = compiled_outcomes(text, [(v, None)])
            assert found == expected, (text, v)


CONSTANT, TYPED = 0.1, np.float64(0.1)


def local(v: Any) -> Any:
    factor = 0.3
    return v * factor


def in_place(v: Any) -> Any:
    v *= 0.5
    v -= 1
    return v


LITERALS: list[Callable[[Any], Any]] = [
    lambda v: v * 0.1, lambda v: 0.1 * v, lambda v: v * -0.5, lambda v: v * CONSTANT, lambda v: v * TYPED,
    lambda v: v + 3, lambda v: 1 - v, lambda v: 2.5 // v, lambda v: 1 / v, lambda v: v**2, lambda v: v % 2,
    lambda v: v + (1 + 2.0**-11 + 2.0**-40), local, in_place,
]  # fmt: skip


@pytest.mark.requirement("P.2")
@pytest.mark.parametrize(
    "name", ["int8", "uint64", "float8e5m2", "float16", "bfloat16", "float32", "float64"]
)
def test_literals_take_the_vectors_format(name: str) -> None:
    v = getattr(sb, f"{name}x2")(3, 4)
    for function in LITERALS:
        assert outcome(njit(function), v) == outcome(function, v), function.__code__.co_firstlineno


def test_numbers_of_arrays_are_fused_as_before() -> None:
    """Literals beside arrays, in functions that have vectors, too."""
    array = np.arange(5.0)
    assert njit(lambda a, v: (a * 0.5 + 1.5) * v.x)(array, sb.float32x2(2, 3)).tolist() == [3, 4, 5, 6, 7]


@pytest.mark.parametrize("name", NARROW)
def test_every_bit_pattern_stays(name: str) -> None:
    """NaNs, too: a vector that goes through is the same bytes."""
    kind, size = getattr(sb, name), sb.sizeof(getattr(sb, name))
    vector = getattr(sb, f"{name}x1")
    through = njit(lambda v: v)
    for bits in range(0, 1 << (8 * size), 1 if size == 1 else 13):
        data = bits.to_bytes(size, "little")
        assert bytes(through(sb.unpack(data, vector))) == data
    made = njit(lambda x: vector(x))
    for number in (float("nan"), -float("nan"), 0.1, -0.0):
        assert bytes(made(number)) == bytes(vector(number))
    assert kind(float(through(vector(1.5)).x)) == kind(1.5)


# Of an array, and of the class of its elements.
EXPRESSIONS = (
    "a[0] + a[1] * a[2]", "kind(1.3)", "kind(5) * kind(2.5)", "float(a[0]) * 0.1", "int(a[2])", "a[0] < a[1]",
    "abs(-a[0])", "a[0] / (a[1] - a[1])", "a + a", "-a", "a * kind(2.5)", "np.zeros(3, a.dtype)", "a.copy()[::-1]",
    "np.ones(2, np.float32) * a[1]", "a > 2",
)  # fmt: skip


@pytest.mark.parametrize("name", NARROW)
def test_scalars_and_arrays(name: str) -> None:
    """NumPy's and ml_dtypes' numbers, which Numba lacks."""
    kind = getattr(sb, name)
    array = np.array([1.5, 2, 3], kind)
    for text in EXPRESSIONS:
        scope: dict[str, Any] = {"kind": kind, "np": np}
        exec(f"def f(a):\n    return {text}\n", scope)
        assert outcome(njit(scope["f"]), array) == outcome(scope["f"], array), text

    @njit
    def store(a, x):
        a[1] = x
        return a[1]

    assert outcome(store, array, 2.7) == outcome(kind, 2.7)
    assert array[1] == kind(2.7)


def test_what_no_format_is_defined_for() -> None:
    with pytest.raises(numba.core.errors.TypingError, match="no result is defined for vectors of int32"):
        njit(lambda v, a: v + a[0])(sb.int32x2(1, 2), np.ones(1, sb.float8e4m3))
    with pytest.raises(numba.core.errors.TypingError, match="of an array of float16: a loop computes"):
        njit(lambda a: abs(a))(np.ones(1, np.float16))
