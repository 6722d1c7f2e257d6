"""Whether an object is true is what C++ says, and what it is as text; what it subscripts is not iterated."""

from __future__ import annotations

import operator
from typing import Any

import pytest

import samebytes as sb

SOURCE = """
#include <string>
#include <string_view>
struct Address { int v; operator const void*() const { return v ? this : nullptr; } };
struct Safe { int v; typedef void (Safe::*flag)() const; void on() const {}
              operator flag() const { return v ? &Safe::on : nullptr; } };
struct Not { int v; bool operator!() const { return !v; } };
struct Number { int v; operator int() const { return v; } };
struct Explicit { int v; explicit operator bool() const { return v; } };
struct Changing { int v; operator void*() { return v ? this : nullptr; } };
struct Class { std::string s; int v; explicit Class(int x) : v(x) {}
               operator const void*() const { return v ? this : nullptr; } };
struct ClassNot { std::string s; int v; explicit ClassNot(int x) : v(x) {} bool operator!() const { return !v; } };
struct IntNot { int v; int operator!() const { return v ? 0 : 8; } };
struct FreeNot { int v; };
inline bool operator!(const FreeNot& f) { return !f.v; }
struct FreeIntNot { std::string s; int v; explicit FreeIntNot(int x) : v(x) {}
                    friend int operator!(const FreeIntNot& f) { return f.v ? 0 : 8; } };
struct Derived : Class { explicit Derived(int x) : Class(x) {} };
struct Sized { int v; int size() const { return 0; } };
struct Private { int v; private: operator const void*() const { return v ? this : nullptr; } };
struct Text { int v; operator const char*() const { return "hi"; } };
struct Viewed { int v; explicit operator std::string_view() const { return "seen"; } };
struct Row { int a, b; int operator[](int i) const { return i ? b : a; } };
struct Fields { int a, b; int begin; };
struct Closed : protected Address { int w = 1; };  // of what C++ lets nobody use
class NotClosed : Not { public: int w = 1; };
struct NotDeleted { int w = 1; bool operator!() const = delete; };
struct Real { operator double() const { return 0; } };
struct Zero { operator int() const { return 0; } };
struct Two : Zero, Real { int w = 1; };  // of several, which C++ finds equally good
struct Added : Zero { operator double() const { return 1; } };
struct Further : Added { int w = 1; };
struct Says : Two { explicit operator bool() const { return true; } };
struct Never { bool operator!() const { return true; } };
struct Contrary : Never { int v; explicit Contrary(int x) : v(x) {} operator int() const { return v; } };
inline int of_flag(bool b) { return b; }
"""

TRUTHS = [
    "Address", "Safe", "Not", "Number", "Explicit", "Changing", "Class", "ClassNot", "Derived",
    "IntNot", "FreeNot", "FreeIntNot",
]  # fmt: skip


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(SOURCE, name="truth", std="c++17")


@pytest.mark.parametrize("name", TRUTHS)
def test_truth_is_the_conversion_of_cxx(lib: Any, name: str) -> None:
    cls = getattr(lib, name)
    assert [bool(cls(0)), bool(cls(3))] == [False, True]
    assert [1 if cls(n) else 0 for n in (0, 3)] == [0, 1]


@pytest.mark.parametrize("name", ["Sized", "Text"])
def test_else_an_object_is_true(lib: Any, name: str) -> None:
    assert [bool(getattr(lib, name)(n)) for n in (0, 3)] == [True, True]


@pytest.mark.parametrize("name", ["Private", "Closed", "NotClosed", "NotDeleted", "Two", "Added", "Further"])
def test_what_cxx_refuses_is_not_true_for_that(lib: Any, name: str) -> None:
    for ask in (bool, operator.not_):
        with pytest.raises(TypeError, match=r"does not say|not bound|fit equally well"):
            ask(getattr(lib, name)())
    assert lib.Says()


def test_a_not_that_contradicts_the_conversion_is_refused(lib: Any) -> None:
    assert not lib.Contrary(0)
    with pytest.raises(sb.ArgumentError, match="operator!"):
        operator.not_(lib.Contrary(1))


def test_an_object_is_no_bool_for_that(lib: Any) -> None:
    with pytest.raises(sb.ArgumentError, match="expected bool"):
        lib.of_flag(lib.Explicit(1))


def test_text(lib: Any) -> None:
    assert (str(lib.Text(1)), str(lib.Viewed(1)), f"{lib.Text(1)}") == ("hi", "seen", "hi")


def test_what_is_subscripted_is_not_iterated_by_its_fields(lib: Any) -> None:
    row = lib.Row(1, 2)
    for use in (list, tuple, lambda x: [*x], lambda x: dict.fromkeys(x)):
        with pytest.raises(TypeError, match="is not iterable: in C\\+\\+ it has"):
            use(row)
    assert row.keys() == ("a", "b")


def test_others_are(lib: Any) -> None:
    assert list(lib.Fields(1, 2, 3)) == [1, 2, 3]
