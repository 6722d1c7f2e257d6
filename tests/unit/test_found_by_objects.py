"""A friend that only its class declares is found by objects of that class; methods of bases count with their const."""

from __future__ import annotations

from typing import Any

import pytest

import samebytes as sb

SOURCE = """
struct K0 { int n = 1; int m(int) { return 1; } int m(int) const { return 2; } };
struct K1 : K0 { int m(int) const { return 3; } using K0::m; };
struct K2 : K0 {
  K2() {} K2(bool) {}
  friend int operator+(const K2&, const K0&) { return 4; }
  friend bool operator<(const K0&, const K2&) { return true; }
};
struct Short { int operator*(short) const { return 6; } operator long() const { return 7; } };
struct Number { operator int() const { return 8; } };
"""


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(SOURCE)


def test_a_friend_is_found_by_its_class_alone(lib: Any) -> None:
    k0, k2 = lib.K0(), lib.K2()
    assert (k2 + k0, k2 + k2, k0 < k2) == (4, 4, True)
    for refused in (lambda: True + k0, lambda: k0 + k0, lambda: k0 < k0, lambda: k0 < True):
        with pytest.raises(TypeError):
            refused()


def test_what_differs_by_const_is_no_overload_that_hides(lib: Any) -> None:
    assert (lib.K0().m(1), lib.K1().m(1)) == (1, 1)  # of an object that is not const


def test_a_declared_operator_and_a_built_in_one_may_be_equally_good(lib: Any) -> None:
    with pytest.raises(sb.ArgumentError, match="fit equally well"):
        lib.Short() * lib.Number()
