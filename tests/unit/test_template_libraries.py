"""Five headers as template libraries have them, used as their users would: everything is built on first use."""

from __future__ import annotations

import gc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import samebytes as sb

HERE = Path(__file__).parent / "template_libraries"
pytestmark = [pytest.mark.full, pytest.mark.filterwarnings("ignore::samebytes.BindWarning")]


@pytest.fixture(scope="module")
def header() -> Callable[[str], Any]:
    return lambda name: sb.bind(HERE / f"{name}.hpp", std="c++20")


def test_matrix(header: Callable[[str], Any]) -> None:
    la = header("matrix").la
    m = la.Matrix[float, 2, 3](data=(1, 2, 3, 4, 5, 6))
    turned = m.transposed()
    assert (m(1, 2), m.rows, m.cols) == (6.0, 2, 3)
    assert type(turned) is la.Matrix[float, 3, 2]
    assert (turned(2, 1), list(turned.data)) == (6.0, [1, 4, 2, 5, 3, 6])
    product = m * turned
    assert list(product.data) == [14, 32, 32, 77]
    assert (product(0, 0), la.trace(product)) == (14.0, 91.0)
    total = m + m
    total += m
    assert list(total.data) == [3, 6, 9, 12, 15, 18]
    assert m == m
    assert m != total
    assert m != total
    assert list((-m).data) == [-1, -2, -3, -4, -5, -6]
    assert list((total - m).data) == [2, 4, 6, 8, 10, 12]
    assert list(m.cast[int]().data) == [1, 2, 3, 4, 5, 6]
    for wrong in (lambda: m * m, lambda: m + 3, lambda: 2.0 * m):
        with pytest.raises(TypeError, match="unsupported operand"):
            wrong()
    assert m != 3


def test_expressions(header: Callable[[str], Any]) -> None:
    ex = header("expressions").ex
    vector = ex.Vec["double"]
    a, b = vector(3, 2.0), vector(3, 1.0)
    b[1] = 5.0
    summed = a + b
    assert (a.at(1), summed.at(1), summed.size()) == (2.0, 7.0, 3)
    scaled = (a + b) * 2.0
    del a, b, summed
    gc.collect()
    filled = [vector(3, 9.0) for _ in range(50)]
    assert (scaled.at(1), ex.total(scaled)) == (14.0, 26.0)
    assert vector(scaled)[1] == 14.0
    assert filled[0].at(0) == 9.0


def test_small_vector(header: Callable[[str], Any]) -> None:
    ex = header("small_vector").ex
    made = ex.small_vector["std::string", 2]()
    made.push_back("ab")
    assert made.emplace_back("cd") == "cd"
    assert (made.size(), made[1], made.capacity, made.count("cd")) == (2, "cd", 2, 1)
    with pytest.raises(RuntimeError, match="full"):
        made.push_back("x")
    with pytest.raises(IndexError):
        made[2]
    assert ex.Pairs[int, float].capacity == 4
    made.clear()
    assert made.size() == 0


def test_maybe(header: Callable[[str], Any]) -> None:
    ex = header("maybe").ex
    some, none = ex.maybe[int](3), ex.maybe[int]()
    assert (bool(some), bool(none)) == (True, False)
    assert (some.value_or(2.5), none.value_or(2.5)) == (3, 2)
    assert some == 3
    assert some != 4
    with pytest.raises(sb.ArgumentError, match=r"maybe\(const char \*\): C.. refuses it"):
        ex.maybe[int]("text")


def test_policies(header: Callable[[str], Any]) -> None:
    ex = header("policies").ex
    host = ex.Host[int, "ex::Plain", "ex::Loud"]()
    host.set(4)
    assert (host.get(), host.greet(), host.say("yo")) == (4, "hi!", "yo!")
    assert ex.Host[int, "ex::Plain"]().greet() == "hi."
    assert (ex.half(3), ex.half(3.0), ex.addall(1, 2, 3.5)) == (1, 1.5, 6.5)
    assert (ex.tau["double"], ex.tau[int]) == (6.28, 6)
    assert ex.Num[int](v=3).inc() == 4
    assert not hasattr(ex.Num["char"](v=3), "inc")
    assert ex.Plain["long"](held=3).held == 3
    with pytest.raises(sb.ArgumentError, match="does not satisfy 'Number'"):
        ex.half("x")
    with pytest.raises(sb.ArgumentError, match="does not satisfy 'Number'"):
        ex.Num["std::string"]
