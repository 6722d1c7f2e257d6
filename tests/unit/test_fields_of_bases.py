"""Fields of bases that a class hides, or that somebody names by the base: objects hold bases where C++ says."""

from __future__ import annotations

from typing import Any

import pytest

import samebytes as sb

SOURCE = """
#include <string>
struct X { int a = 1; };
struct Y { int a = 2, more = 3; int pair[2] = {7, 8}; X x; int get_a() const { return a; } };
struct Z : X, Y { int z = 4; };
struct Deeper : Z { int a = 9; };
struct HX { int a = 11; virtual ~HX() {} };
struct HY {
  int a = 12, pair[2] = {5, 6};
  X x;
  std::string s = "y";
  virtual ~HY() {}
  int get_a() const { return a; }
};
struct HZ : HX, HY { int a = 30; std::string s = "z"; };
inline const HZ& fixed() { static const HZ z; return z; }
struct V { int v = 21; virtual ~V() {} int get_v() const { return v; } };
struct VA : virtual V { int va = 22; };
struct VB : virtual V { int vb = 23; };
struct VC : VA, VB { int v = 50; };
struct Twice1 : X { int q = 1; };
struct Twice2 : X {};
struct Twice : Twice1, Twice2 {};
struct Stranger { long u[8] = {}; };
"""


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(SOURCE)


@pytest.mark.parametrize(
    ("base", "field", "cls", "value"),
    [
        ("X", "a", "Z", 1),
        ("Y", "a", "Z", 2),
        ("Y", "more", "Z", 3),
        ("Y", "a", "Deeper", 2),
        ("Y", "a", "Y", 2),
        ("HX", "a", "HZ", 11),
        ("HY", "a", "HZ", 12),
        ("HY", "s", "HZ", "y"),
        ("VB", "vb", "VC", 23),
        ("V", "v", "VC", 21),
        ("V", "v", "VB", 21),
    ],
)
def test_a_base_s_field_is_read_where_the_object_holds_the_base(
    lib: Any, base: str, field: str, cls: str, value: Any
) -> None:
    named = getattr(lib, base)
    obj = getattr(lib, cls)()
    assert getattr(named, field).__get__(obj) == value
    made = type("Mine", (getattr(lib, cls),), {})  # and so of a class of Python's
    assert getattr(named, field).__get__(made()) == value


def test_what_is_written_is_what_cxx_reads(lib: Any) -> None:
    z, hz, vc = lib.Z(), lib.HZ(), lib.VC()
    lib.Y.a.__set__(z, 20)
    assert (lib.Y.get_a(z), z.z, lib.X.a.__get__(z)) == (20, 4, 1)
    lib.HY.a.__set__(hz, 120)
    assert (lib.HY.get_a(hz), hz.a, lib.HX.a.__get__(hz)) == (120, 30, 11)
    lib.V.v.__set__(vc, 210)
    assert (lib.V.get_v(vc), vc.v) == (210, 50)


def test_super_and_fields_that_are_no_numbers(lib: Any) -> None:
    z, hz = lib.Z(), lib.HZ()
    assert super(lib.X, z).a == 2
    assert super(lib.HX, hz).a == 12
    assert list(super(lib.X, z).pair) == [7, 8]
    assert list(super(lib.HX, hz).pair) == [5, 6]
    x = super(lib.HX, hz).x
    x.a = 77
    assert super(lib.HX, hz).x.a == 77  # the very part of the object


def test_what_has_no_such_part_or_only_a_const_one_says_so(lib: Any) -> None:
    with pytest.raises(TypeError, match="field 'a' does not belong to 'Stranger' objects"):
        lib.Y.a.__get__(lib.Stranger())
    with pytest.raises(AttributeError, match="X is an ambiguous base of Twice"):
        lib.X.a.__get__(lib.Twice())
    with pytest.raises(AttributeError, match="C\\+\\+ gave the object as const"):
        lib.HY.a.__set__(lib.fixed(), 3)
    hz = lib.HZ()
    sb.delete(hz)
    with pytest.raises(ValueError, match="is gone"):
        lib.HY.a.__get__(hz)
    assert repr(lib.Y.a) == "Field('a', offset=0)"
    assert lib.Y.more.offset == 4
