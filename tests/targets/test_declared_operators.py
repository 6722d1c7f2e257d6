"""Operators that a class of Python's is written with mean in compiled code what they mean in Python."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

import samebytes as sb

numba = pytest.importorskip("numba", reason="Numba is not installed")
pytestmark = pytest.mark.full


@sb.struct
class Money:
    cents: sb.int64

    def __add__(self, other):
        return Money(self.cents + other.cents)

    def __mul__(self, count):
        return Money(self.cents * count)

    def __rmul__(self, count):
        return self * count

    def __isub__(self, other):
        return Money(self.cents - 2 * other.cents)

    def __sub__(self, other):
        return Money(self.cents - other.cents)

    def __floordiv__(self, count):
        return Money(self.cents // count)

    def __eq__(self, other):
        return self.cents // 100 == other.cents // 100

    __hash__ = None

    def __lt__(self, other):
        return self.cents < other.cents

    def __ge__(self, other):
        return self.cents >= other.cents

    def __getitem__(self, index):
        return self.cents // 10**index % 10

    def __contains__(self, digit):
        return self.cents % 10 == digit

    def __len__(self):
        return 3

    def __bool__(self):
        return self.cents != 0

    def __neg__(self):
        return Money(-self.cents)

    def __abs__(self):
        return Money(abs(self.cents))

    def __float__(self):
        return self.cents / 100

    def __int__(self):
        return self.cents // 100

    @sb.func
    def __xor__(self, other):
        return self.cents ^ other.cents


PARTS = (
    "a + b", "a * 3", "3 * a", "a - b", "a // 2", "a == b", "a != b", "a == a + b", "a < b", "a > b", "a >= b",
    "a <= b",
    "a[1]", "a[0]", "4 in a", "5 in a", "len(a)", "bool(a)", "1 if a - a else 2", "not a", "-a", "abs(-b)", "float(a)",
    "int(a)", "a ^ b", "less(a, b)", "added(a, b)",
)  # fmt: skip


def _less(a, b):
    a -= b
    return a


def _added(a, b):
    a += b
    return a


def test_as_in_python() -> None:
    given = Money(1234), Money(1250)
    text = f"def f(a, b):\n    return ({', '.join(PARTS)})\n"
    python: dict[str, Any] = {"less": _less, "added": _added}
    compiled: dict[str, Any] = {"less": numba.njit(_less), "added": numba.njit(_added)}
    exec(text, python)
    exec(text, compiled)
    found, expected = numba.njit(compiled["f"])(*given), python["f"](*given)
    for part, one, other in zip(PARTS, found, expected, strict=True):
        assert type(one) is type(other), part
        assert (one.cents, one) == (other.cents, other) if isinstance(other, Money) else one == other, part


def test_what_a_class_has_not() -> None:
    with pytest.raises(numba.core.errors.TypingError, match=r"pow\(Money, "):
        numba.njit(lambda a: a**2)(Money(1))
    with pytest.raises(numba.core.errors.TypingError, match="cents"):  # inside of the method
        numba.njit(lambda a: a + 1)(Money(1))


@sb.struct
class Pile:
    count: sb.int32

    def __len__(self):
        return self.count


def test_true_is_what_is_not_empty() -> None:
    asked = numba.njit(lambda pile: (bool(pile), not pile, 1 if pile else 2))
    assert asked(Pile(256)) == (True, False, 1)
    assert asked(Pile(0)) == (False, True, 2)


@sb.struct
class Counter:
    count: sb.Atomic(sb.int64)

    def __iadd__(self, more):
        self.count.add(more)
        return self


def test_of_what_threads_share() -> None:
    counter = Counter(1)

    @numba.njit
    def more(counter):
        counter += 5
        return counter.count.load()

    assert (more(counter), counter.count) == (6, 6)


FIRST = """
import samebytes as sb
import numba

@sb.struct
class Money:
    cents: sb.int64

assert numba.njit(lambda money: money.cents)(Money(1)) == 1

@numba.njit(numba.float64(sb.numba_type(Money), numba.float64))
def times(money, factor):
    return money.cents * factor

assert times(Money(2), 1.5) == 3

@numba.njit(numba.float32(sb.numba_type(sb.float32x2)))
def first(vector):
    return vector.x

assert first(sb.float32x2(1.5, 2)) == 1.5
"""


def test_the_first_thing_that_numba_sees() -> None:
    """A value in the first call of a process: Numba's dispatcher knows its type, and finds what is compiled for it."""
    done = subprocess.run([sys.executable, "-c", FIRST], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
