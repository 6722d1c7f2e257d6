"""Overloads by ``T*`` and by ``T&`` in compiled code: an object means itself before its address, as on the host."""

from __future__ import annotations

from typing import Any

import pytest

import samebytes as sb

from ..hierarchies import CASES, arguments, source

numba = pytest.importorskip("numba")
pytestmark = pytest.mark.full  # each row is a compiled function

SOURCE = """
struct T { int a = 1; virtual ~T() {} };
struct D : T {};
struct P { int x; };
inline int f(T*) { return 1; } inline int f(T&) { return 2; }
inline int g(T*) { return 1; } inline int g(const T&) { return 2; }
inline int k(void*) { return 1; } inline int k(const T&) { return 2; }
inline int m(D*) { return 1; } inline int m(T&) { return 2; }
inline int n(T) { return 1; } inline int n(T*) { return 2; }
inline int r(P*) { return 1; } inline int r(P&) { return 2; }
inline int s(P*) { return 1; } inline int s(const P&) { return 2; }
inline int u(long) = delete; inline int u(double) { return 2; } inline int u(const char*) { return 3; }
inline int w(__int128) { return 1; } inline int w(double) { return 2; }
inline int d(long) { return 1; } inline int d(long, int = 3) { return 2; }
inline int c(const P&) { return 1; } inline int c(P) { return 2; }
"""


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(SOURCE, name="njit_addresses", target="numba")


@pytest.mark.parametrize(
    ("name", "cls", "expected"),
    [("f", "T", 2), ("f", "D", 2), ("g", "T", 2), ("k", "T", 2), ("m", "D", 2), ("n", "T", 1), ("r", "P", 2),
     ("s", "P", 2)],
)  # fmt: skip
def test_as_on_the_host(lib: Any, name: str, cls: str, expected: int) -> None:
    function, made = getattr(lib, name), getattr(lib, cls)()

    @numba.njit
    def call(x: Any) -> Any:
        return function(x)

    assert call(made) == function(made) == expected


@pytest.mark.filterwarnings("ignore::samebytes.BindWarning")
@pytest.mark.parametrize(
    ("name", "given", "expected"),
    [("u", 1, "which is declared in C.. and not bound: it is deleted"), ("u", 1.5, 2),
     ("w", 1, "__int128"), ("w", 1.5, 2), ("d", 1, "fit equally well"), ("c", None, "fit equally well")],
)  # fmt: skip
def test_what_is_not_bound_counts(lib: Any, name: str, given: float | None, expected: int | str) -> None:
    function, argument = getattr(lib, name), lib.P(1) if given is None else given

    @numba.njit
    def call(x: Any) -> Any:
        return function(x)

    if isinstance(expected, int):
        assert call(argument) == function(argument) == expected
        return
    with pytest.raises(sb.ArgumentError, match=r"fit equally well|not bound"):
        function(argument)
    with pytest.raises(numba.TypingError, match=expected):
        call(argument)


@pytest.fixture(scope="module")
def hierarchy() -> Any:
    return sb.compile(source(), name="njit_hierarchies", target="numba")


@pytest.mark.parametrize(("name", "given"), CASES)
def test_the_nearest_base(hierarchy: Any, name: str, given: str) -> None:
    expected, function = hierarchy.answer(CASES.index((name, given))), getattr(hierarchy, name)

    @numba.njit
    def call(*x: Any) -> Any:
        return function(*x)

    if expected == -1:
        with pytest.raises((sb.Error, numba.TypingError)):
            call(*arguments(hierarchy, given))
    else:
        assert call(*arguments(hierarchy, given)) == expected
