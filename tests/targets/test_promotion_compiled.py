"""Promotion in compiled code is the host's: vectors, their elements, typed numbers and literals."""

from __future__ import annotations

import operator
import random
import re
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
Row = tuple[str, tuple[Any, ...]]


def function(arguments: str, text: str) -> Callable[..., Any]:
    scope: dict[str, Any] = {"sb": sb}
    exec(f"def f({arguments}):\n    return {text}\n", scope)
    return scope["f"]  # type: ignore[no-any-return]


def compiled_outcomes(text: str, operands: list[tuple[Any, ...]]) -> tuple[list[Any], list[Any]]:
    plain = function("v, w", text)
    fast = njit(plain)
    return [outcome(fast, *o) for o in operands], [outcome(plain, *o) for o in operands]


def differences(rows: list[Row]) -> list[Any]:
    """Of expressions of ``v`` and ``w``, those whose compiled results are not the host's.

    What the host takes is one compiled function, as to compile each alone takes most of the time; what it refuses is
    compiled alone, and so is each of a function that is refused.
    """
    expected = [outcome(function("v, w", text), *operands) for text, operands in rows]
    taken = [row for row, said in zip(rows, expected, strict=True) if said != "refused"]
    names = [f"v{i}, w{i}" for i in range(len(taken))]
    parts = [re.sub(r"\b([vw])\b", rf"\g<1>{i}", text) for i, (text, _) in enumerate(taken)]
    found: list[Any] = []
    try:
        if taken:
            together = njit(function(", ".join(names), f"({', '.join(parts)},)"))
            found = [outcome(lambda x=x: x) for x in together(*(o for _, given in taken for o in given))]
    except numba.core.errors.NumbaError:
        found = [outcome(njit(function("v, w", text)), *given) for text, given in taken]
    of_taken = iter(found)
    given = [
        outcome(njit(function("v, w", text)), *operands) if said == "refused" else next(of_taken)
        for (text, operands), said in zip(rows, expected, strict=True)
    ]
    return [(row, got, said) for row, got, said in zip(rows, given, expected, strict=True) if got != said]


@pytest.mark.requirement("P.1")
@each("one", ELEMENTS)
def test_vectors_of_two_formats(one: str) -> None:
    rows: list[Row] = []
    for other in ELEMENTS:
        vector, second = getattr(sb, f"{one}x2"), getattr(sb, f"{other}x2")
        left, right = numbers(one, 6, f"{one} {other}"), numbers(other, 6, f"{other} {one} right")
        sign = random.Random(f"{one} {other}").choice(sorted(SIGNS))
        given = [(vector(*left[i : i + 2]), second(*right[i : i + 2])) for i in (0, 2, 4)]
        rows += [(f"v {chosen} w", operands) for chosen in sorted({"+", sign}) for operands in given]
    assert not differences(rows)


@pytest.mark.requirement("P.1")
@each("one", ELEMENTS)
def test_a_vector_and_a_typed_number(one: str) -> None:
    """In both orders; the number comes out of an array, as those that have a type do."""
    rows: list[Row] = []
    for other in ELEMENTS:
        left, right = numbers(one, 2, f"{one}+{other}"), numbers(other, 2, f"{other}+{one}")
        given = (getattr(sb, f"{one}x2")(*left), np.array(right, getattr(sb, other)))
        rows += [("v + w[0]", given), ("w[1] * v", given)]
    assert not differences(rows)


@pytest.mark.requirement("P.3")
@each("one", ELEMENTS)
def test_elements(one: str) -> None:
    """They are fixed-format numbers, with NumPy's arithmetic."""
    rows: list[Row] = []
    for other in ELEMENTS:
        if {one, other} & set(NARROW) and one != other:
            continue  # of scalars of two formats ml_dtypes has rules of its own
        left, right = numbers(one, 2, f"{one}.{other}"), numbers(other, 2, f"{other}.{one}")
        rows.append(("v.x + w[1]", (getattr(sb, f"{one}x2")(*left), getattr(sb, f"{other}x2")(*right))))
    assert not differences(rows)


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
