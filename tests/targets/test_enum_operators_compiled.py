"""Operators of enumerations in compiled code: C++'s, or refused, and an enumerator comes back as one."""

from __future__ import annotations

import operator
from typing import Any

import pytest
from tests.tables import each

import samebytes as sb

numba = pytest.importorskip("numba")
pytestmark = pytest.mark.full  # Numba compiles each row
CODE = """
enum class E : int { a = 1, b = 2, c = 4 };
inline E operator+(E x, E y) { return E((int)x | (int)y); }
E operator-(E, E) = delete;
inline int operator*(E x, int y) { return (int)x * y + 100; }
enum F { f1 = 1, f2 = 2 };
F operator+(F, F) = delete;
inline F operator|(F x, F y) { return F((int)x | (int)y | 4); }
bool operator<(F, F) = delete;
F operator-(F) = delete;
F operator-(F, int) = delete;
inline F operator~(F x) { return f2; }
bool operator==(F, int) = delete;
enum P { p1 = 1, p2 = 2 };
"""


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(CODE, target="numba", name="enum_operators_compiled")


@pytest.fixture(scope="module")
def host() -> Any:
    return sb.compile(CODE, name="enum_operators_host")


def _answer(function: Any, *args: Any) -> str:
    try:
        return repr(function(*args))
    except (sb.Error, TypeError):
        return "refused"


@each(
    "function, operands, expected",
    [
        (operator.add, "E.a E.b", "<E: 3>"), (operator.sub, "E.a E.b", "refused"), (operator.mul, "E.a 3", "103"),
        (operator.add, "E.a 1", "refused"), (operator.eq, "E.a E.a", "True"), (operator.lt, "E.a E.b", "True"),
        (operator.add, "F.f1 F.f2", "refused"), (operator.or_, "F.f1 F.f2", "<F: 7>"), (operator.or_, "F.f1 8", "9"),
        (operator.lt, "F.f1 F.f2", "refused"), (operator.neg, "F.f1", "refused"),
        (operator.sub, "F.f1 1", "refused"), (operator.invert, "F.f1", "<F.f2: 2>"), (operator.add, "F.f1 1", "2"),
        (operator.eq, "F.f1 1", "refused"), (operator.eq, "F.f1 F.f1", "True"), (operator.mul, "F.f1 F.f2", "2"),
        (operator.add, "P.p1 P.p2", "3"), (operator.add, "P.p1 1", "2"), (operator.iadd, "F.f1 F.f2", "refused"),
    ],
)  # fmt: skip
def test_they_are_those_of_the_python_call(lib: Any, function: Any, operands: str, expected: str) -> None:
    given = [eval(one, {"E": lib.E, "F": lib.F, "P": lib.P}) for one in operands.split()]
    whole = f"lambda {', '.join('ab'[: len(given)])}: f({', '.join('ab'[: len(given)])})"
    compiled = numba.njit(eval(whole, {"f": function}))
    assert _answer(compiled, *given) == _answer(function, *given) == expected


def test_a_comparison_that_cxx_declares_the_other_way_round_is_the_built_in_one(lib: Any) -> None:
    assert numba.njit(lambda a, b: (a > b, b > a))(lib.F.f1, lib.F.f2) == (False, True)


@each("name", ["E.a", "F.f1", "P.p1"])
def test_an_enumerator_comes_back(lib: Any, host: Any, name: str) -> None:
    compiled = numba.njit(lambda x: (x, [x][0]))
    for one in (lib, host):
        enumerator = eval(name, {"E": one.E, "F": one.F, "P": one.P})
        assert all(found is enumerator for found in compiled(enumerator))


def test_what_is_not_compiled_is_not_computed(host: Any) -> None:
    with pytest.raises(sb.ArgumentError, match=r'operator\+ of E is C\+\+\'s: .* target="numba"'):
        numba.njit(lambda a, b: a + b)(host.E.a, host.E.b)
    assert numba.njit(lambda a, b: a + b)(host.P.p1, host.P.p2) == 3
