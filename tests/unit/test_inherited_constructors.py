"""Constructors that a class takes over from a base by a using-declaration, of records, handles and templates."""

from __future__ import annotations

from types import ModuleType

import pytest

import samebytes as sb

CODE = """
struct Root { int m; Root(int n = 13) : m(n) {} virtual ~Root() {} };
struct Leaf : Root { using Root::Root; };
struct Own : Root { using Root::Root; Own() : Root(99) {} };
struct Plain { int m; Plain(int n = 13) : m(n) {} };
struct PlainLeaf : Plain { using Plain::Plain; };
struct Two { int m; Two(int n, int k = 2) : m(n + k) {} Two(const char*) : m(0) {} virtual ~Two() {} };
struct TwoLeaf : Two { using Two::Two; int own = 7; };
struct Both { int m; Both() : m(4) {} Both(double d) : m(static_cast<int>(d)) {} virtual ~Both() {} };
struct BothLeaf : Both { using Both::Both; };
struct Last : BothLeaf { using BothLeaf::BothLeaf; };
template <class T> struct Over { T m; Over(T t = 3) : m(t) {} virtual ~Over() {} };
struct OverInt : Over<int> { using Over<int>::Over; };
template <class T> struct Upper : Over<T> { using Over<T>::Over; };
using UpperInt = Upper<int>;
"""
MADE = {
    "Leaf(10)": 10, "Leaf(n=10)": 10, "Leaf()": 13, "Own(3)": 3, "Own()": 99, "PlainLeaf(10)": 10, "PlainLeaf()": 13,
    "TwoLeaf(1)": 3, "TwoLeaf(1, 5)": 6, "TwoLeaf('a')": 0, "BothLeaf()": 4, "BothLeaf(2.0)": 2, "Last()": 4,
    "Last(2.0)": 2, "OverInt(5)": 5, "OverInt()": 3, "UpperInt(5)": 5, "UpperInt()": 3, "Upper['double'](2.5)": 2.5,
}  # fmt: skip


@pytest.fixture(scope="module")
def lib() -> ModuleType:
    return sb.compile(CODE)


@pytest.mark.parametrize("call", MADE)
def test_what_it_makes(lib: ModuleType, call: str) -> None:
    assert eval(f"lib.{call}.m", {"lib": lib}) == MADE[call]


def test_copies_are_its_own(lib: ModuleType) -> None:
    with pytest.raises(sb.ArgumentError):
        lib.Leaf(lib.Root(5))
    assert lib.Leaf(lib.Leaf(5)).m == 5
