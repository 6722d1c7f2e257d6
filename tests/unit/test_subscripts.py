"""``a[i] = x`` is C++'s: assignment to what ``operator[]`` refers to, of numbers and of objects, else an error."""

from __future__ import annotations

from typing import Any

import pytest

import samebytes as sb

CODE = r"""
#include <string>
struct Copied {  // its assignment is no copy of bytes
  int v;
  Copied(int n) : v(n) {}
  Copied(const Copied& o) : v(o.v) {}
  Copied& operator=(const Copied& o) { v = o.v + 100; return *this; }
  ~Copied() {}
};
struct Point { int x, y; };
struct Fixed { const int x; int y; };
struct Unassigned { std::string s; Unassigned& operator=(const Unassigned&) = delete; Unassigned() {} };
template <class T> struct Of { T of; Of(T v) : of(v) {} T& operator[](int) { return of; } };
using OfCopied = Of<Copied>;
using OfPoint = Of<Point>;
struct OfUnassigned { Unassigned of; Unassigned& operator[](int) { return of; } };
struct OfFixed { Fixed of{1, 2}; Fixed& operator[](int) { return of; } };
struct ByValue { int a = 1, b = 2; int operator[](int i) const { return 10 * i; } };
struct ByConst { int a = 1, b = 2; const int& operator[](int) const { return b; } };
struct Fields { int a = 1, b = 2; };
// Proxies that C++ copies to no other, and that a number is assigned to.
struct Place { int* p; operator int() const { return *p; } };
#define PLACES(NAME, REST) struct NAME { int v[2] = {1, 2}; \
  struct Ref : Place { Ref(int* q) { p = q; } Ref(const Ref& o) : Place(o) {} \
    Ref& operator=(int n) { *p = n; return *this; } REST }; \
  Ref operator[](int i) { return Ref(v + i); } int at(int i) const { return v[i]; } };
PLACES(Deleted, Ref& operator=(const Ref&) = delete;)
PLACES(Private, private: Ref& operator=(const Ref& o) { return *this; })
PLACES(ByMember, const int fixed = 1;)
PLACES(OfObject, Ref& operator=(const Place&) = delete; Ref& operator=(const Ref& o) { *p = *o.p; return *this; })
"""


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(CODE)


def test_objects_are_assigned_as_cxx_assigns_them(lib: Any) -> None:
    made = lib.OfCopied(lib.Copied(1))
    made[0] = lib.Copied(5)
    assert made[0].v == 105
    made[0] = 7  # C++ makes a Copied of it
    assert made[0].v == 107
    with pytest.raises(sb.ArgumentError, match="expected an object of Copied, got 'x'"):
        made[0] = "x"


def test_records_are_assigned(lib: Any) -> None:
    made = lib.OfPoint(lib.Point(1, 2))
    made[0] = lib.Point(3, 4)
    assert (made[0].x, made.of.y) == (3, 4)


@pytest.mark.parametrize("name", ["OfUnassigned", "OfFixed", "ByValue", "ByConst"])
def test_what_cxx_cannot_assign_to(lib: Any, name: str) -> None:
    made = getattr(lib, name)()
    with pytest.raises(TypeError, match="does not support item assignment"):
        made[0] = 5


def test_only_without_an_operator_are_fields_meant(lib: Any) -> None:
    kept = lib.ByValue()
    with pytest.raises(TypeError, match=r"'ByValue' .* its operator\[\] gives nothing to assign to"):
        kept[0] = 5
    assert (kept.a, kept[1]) == (1, 10)
    plain = lib.Fields()
    plain[0] = 5
    assert plain.a == 5


@pytest.mark.parametrize("name", ["Deleted", "Private", "ByMember"])
def test_a_proxy_that_is_not_assigned_is_no_number(lib: Any, name: str) -> None:
    places = getattr(lib, name)()
    places[0] = 5
    with pytest.raises(TypeError, match=r"not bound: (it is deleted|it is private)"):
        places[1] = places[0]
    places[1] = int(places[0])
    assert (places.at(0), places.at(1)) == (5, 5)


def test_a_deleted_assignment_of_another_class_counts(lib: Any) -> None:
    places = lib.OfObject()
    with pytest.raises(TypeError, match="deleted"):
        places[1] = lib.Place()
    places[1] = places[0]
    assert places.at(1) == 1
