"""Classes that a call gave, whose members are bound on first use: C++'s names go first, and absence is said."""

from __future__ import annotations

from typing import Any

import pytest

import samebytes as sb

SOURCE = r"""
template <class T> struct View {
  T at;
  int value() const { return 7; }
  int keys() const { return 8; }
  int replace(int x) const { return x; }
  int last() const { return 9; }
};
template <class T> struct Broken { T at = 1; int last() const { return 9; } };
template <class T> struct Other {
  View<T*> one() const { return {nullptr}; }
  View<T**> two() const { return {nullptr}; }
  View<T***> three() const { return {nullptr}; }
  Broken<T*>* none() const { static char room[64]; return reinterpret_cast<Broken<T*>*>(room); }
};
struct Mine : Other<double> {};
"""


@pytest.fixture(scope="module")
def mine() -> Any:
    return sb.compile(SOURCE).Mine()


def test_members_with_the_names_of_those_of_records(mine: Any) -> None:
    """Each is the first that is asked of its class."""
    assert mine.one().value() == 7
    assert mine.two().keys() == 8
    assert mine.three().replace(3) == 3
    assert (mine.one().keys(), mine.one().last()) == (8, 9)


def test_a_class_of_which_no_object_can_be_made_has_them(mine: Any) -> None:
    """What does not compile of it is its initial value alone."""
    assert mine.none().last() == 9
    with pytest.raises(sb.ArgumentError, match="lacks arguments"):
        type(mine.none())()


def test_a_record_without_such_members_has_its_own() -> None:
    lib = sb.compile(r"""
    template <class T> struct View { T at; int last() const { return 9; } };
    template <class T> struct Other { View<T*> one() const { return {nullptr}; } };
    struct Mine : Other<double> {};
    """)
    view = lib.Mine().one()
    assert view.keys() == ("at",)
    assert not view.value.at
    assert view.last() == 9
    assert view.keys() == ("at",)
