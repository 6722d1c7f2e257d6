"""Conversions to numbers that Python has none for, as ``long double``: what C++ says of them, or a refusal in words."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import samebytes as sb

SOURCE = """
struct Long { long double v = 0.1L; Long() {} Long(const Long& o) : v(o.v) {}
  operator long double() const { return v; } };
struct Derived : Long { int w = 1; };
struct Two { operator long double() const { return 0.1L; } operator double() const { return 0.2; } };
struct Wide { operator __int128() const { return 3; } operator int() const { return 4; } };
struct Deleted { operator int() const { return 4; } operator double() const = delete; };
struct Explicit { explicit operator long double() const { return 0.1L; } operator int() const { return 4; } };
struct Chars { operator const char*() const { return nullptr; } };
struct Address { operator const void*() const { return nullptr; } };
struct Compared { bool operator==(long double o) const { return o == 0.1L; } bool operator==(int) const { return true; }
                  long double operator+(long double o) const { return o; } };
"""


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(SOURCE, name="unbound_conversions")


@pytest.mark.parametrize("name", ["Long", "Derived", "Two", "Wide", "Deleted"])
@pytest.mark.parametrize(
    "use", [operator.eq, operator.ne, operator.lt, operator.ge, operator.add, operator.mul]
)
def test_what_cxx_computes_with_them_is_refused(lib: Any, name: str, use: Callable[[Any, Any], Any]) -> None:
    cls = getattr(lib, name)
    for other in (3, 0.1, np.longdouble(1) / 3, cls()):
        for operands in ((cls(), other), (other, cls())):
            with pytest.raises(TypeError):
                use(*operands)


def test_truth_is_what_cxx_says(lib: Any) -> None:
    assert [bool(lib.Long()), bool(lib.Derived()), bool(lib.Explicit())] == [True, True, True]
    for name in ("Two", "Wide", "Deleted"):
        with pytest.raises(TypeError, match="C\\+\\+ does not say"):
            bool(getattr(lib, name)())


def test_an_explicit_conversion_is_none_of_operators(lib: Any) -> None:
    assert (lib.Explicit() + 1, lib.Explicit() == 4, -lib.Explicit()) == (5, True, -4)


def test_an_operator_that_takes_one_is_not_bound_and_counts(lib: Any) -> None:
    assert lib.Compared() == 3
    for operands in ((lib.Compared(), np.longdouble(1) / 3), (np.longdouble(1) / 3, lib.Compared())):
        with pytest.raises(TypeError, match="not bound"):
            operator.eq(*operands)
    with pytest.raises(TypeError, match="not bound"):
        lib.Compared() + 1


def test_addresses_of_characters_are_addresses(lib: Any) -> None:
    """C++ compares what two classes convert to; that of the same object is the same."""
    chars = lib.Chars()
    assert chars == chars
    for operands in ((chars, lib.Address()), (lib.Address(), chars), (chars, lib.Chars()), (chars, "text")):
        with pytest.raises(TypeError, match="C\\+\\+ compares"):
            operator.eq(*operands)
