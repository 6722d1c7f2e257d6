"""Overloads by ``T*`` and by ``T&``: an object means itself before its address, as C++ has an operator for that."""

from __future__ import annotations

from typing import Any

import pytest

import samebytes as sb

SOURCE = """
struct T { int a = 1; virtual ~T() {} };
struct D : T {};
struct P { int x; };
struct W { W(const T&) {} };
inline int f(T*) { return 1; } inline int f(T&) { return 2; }
inline int g(T*) { return 1; } inline int g(const T&) { return 2; }
inline int h(const T*) { return 1; } inline int h(T*) { return 2; }
inline int k(void*) { return 1; } inline int k(const T&) { return 2; }
inline int m(D*) { return 1; } inline int m(T&) { return 2; }
inline int n(T) { return 1; } inline int n(T*) { return 2; }
inline int q(void*) { return 1; } inline int q(T*) { return 2; }
inline int r(P*) { return 1; } inline int r(P&) { return 2; }
inline int s(P*) { return 1; } inline int s(const P&) { return 2; }
inline int t(double*) { return 1; } inline int t(P*) { return 2; }
inline int u(W) { return 1; } inline int u(T*) { return 2; }
"""

ROWS = [
    ("f(t)", 2), ("f(d)", 2), ("f(None)", 1), ("f(sb.Pointer(0))", 1), ("g(t)", 2), ("h(t)", 2), ("k(t)", 2),
    ("m(d)", 2), ("n(t)", 1), ("q(t)", 2), ("r(p)", 2), ("s(p)", 2), ("t(p)", 2), ("u(t)", 1),
]  # fmt: skip


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(SOURCE, name="addresses")


@pytest.mark.parametrize(("call", "expected"), ROWS)
def test_overloads(lib: Any, call: str, expected: int) -> None:
    names = {"sb": sb, "lib": lib, "t": lib.T(), "d": lib.D(), "p": lib.P(1)}
    for _ in range(2):  # chosen, and remembered
        assert eval(f"lib.{call}", names) == expected


def test_a_class_that_names_no_module_is_named_in_errors(lib: Any) -> None:
    made: dict[str, Any] = {"__builtins__": {"__build_class__": __build_class__, "__name__": "gone"}}
    exec("class Odd: pass\n", made)
    with pytest.raises(sb.ArgumentError, match=r"s\(Odd\) has no overload that fits"):
        lib.s(made["Odd"]())
