"""Operators of a base that C++ does not find in a derived class: it declares the name itself, or two bases have it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import samebytes as sb

BASE = """#pragma once
#include <string>
struct B {
  int n = 0, v = 1;
  int operator()(int) const { return 1; } int operator[](int) const { return 1; } int operator+(int) const { return 1; }
  int operator-() const { return 1; } int operator<<(int) const { return 1; } bool operator<(int) const { return true; }
  bool operator==(int) const { return true; } B& operator+=(int) { n = 1; return *this; }
  int f(int) const { return 1; } virtual ~B() {}
};
struct Said { operator std::string() const { return "1"; } virtual ~Said() {} };
struct Number { void* operator new(std::size_t n) { return ::operator new(n); }
  void operator delete(void* p) { ::operator delete(p); }
  operator int() const { return 1; } operator bool() const { return true; } virtual ~Number() {} };
"""
DERIVED = """#pragma once
#include "base.hpp"
struct Unbound : B {
  int operator()(long double) const { return 2; } int operator[](long double) const { return 2; }
  int operator+(long double) const { return 2; } long double operator-() const { return 2; }
  int operator<<(long double) const { return 2; } bool operator<(long double) const { return false; }
  bool operator==(long double) const { return false; } Unbound& operator+=(long double) { return *this; }
  int f(long double) const { return 2; }
};
struct Below : Unbound {};
struct Deleted : B {
  int operator()(int) const = delete; int operator[](int) const = delete; int operator+(int) const = delete;
  int operator-() const = delete; int operator<<(int) const = delete; bool operator<(int) const = delete;
  bool operator==(int) const = delete; B& operator+=(int) = delete; int f(int) const = delete;
};
class Private : public B {
  int operator()(int) const { return 2; } int operator[](int) const { return 2; } int operator+(int) const { return 2; }
  int operator-() const { return 2; } int operator<<(int) const { return 2; } int f(int) const { return 2; }
  bool operator<(int) const { return false; } bool operator==(int) const { return false; }
  B& operator+=(int) { return *this; }
};
class Taken : public B {
  using B::operator(); using B::operator[]; using B::operator+; using B::operator-; using B::operator<<;
  using B::operator<; using B::operator==; using B::operator+=; using B::f;
};
struct C { int w = 0; int operator()(int) const { return 2; } int operator[](int) const { return 2; }
  int operator+(int) const { return 2; } int operator-() const { return 2; } int operator<<(int) const { return 2; }
  bool operator<(int) const { return false; } bool operator==(int) const { return false; }
  C& operator+=(int) { return *this; } int f(int) const { return 2; } };
struct Two : B, C {};
struct Plain : B {};
struct Placed : Number { void* operator new(std::size_t n) { return ::operator new(n); }
  void operator delete(void* p) { ::operator delete(p); } Placed& operator=(const Placed&) = default; };
struct SaidOtherwise : Said { operator std::string() const = delete; };
struct Other : Number { operator int() const = delete; };
struct Open : Unbound { using B::operator(); using B::operator[]; using B::f; };
"""
CODE = """
#include "derived.hpp"
inline Unbound unbound() { return {}; } inline Below below() { return {}; } inline Deleted deleted() { return {}; }
inline Private private_() { return {}; } inline Taken taken() { return {}; } inline Two two() { return {}; }
inline SaidOtherwise said() { return {}; }
inline Placed placed() { return {}; }
inline Other other() { return {}; }
inline Plain plain() { return {}; } inline Open open() { return {}; }
"""
USES = {
    "call": lambda x: x(1),
    "subscript": lambda x: x[1],
    "sum": lambda x: x + 1,
    "negation": lambda x: -x,
    "shift": lambda x: x << 1,
    "order": lambda x: int(x < 1),
    "equality": lambda x: int(x == 1),
    "in place": lambda x: x.__iadd__(1).n,
    "named": lambda x: x.f(1),
}


@pytest.fixture(
    scope="module",
    params=["*/base.hpp", pytest.param("*/*.hpp", marks=pytest.mark.full)],
    ids=["base exposed", "all exposed"],
)
def lib(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    home = Path(tmp_path_factory.mktemp("hidden"))
    (home / "base.hpp").write_text(BASE)
    (home / "derived.hpp").write_text(DERIVED)
    return sb.compile(CODE, include_dirs=home, expose=[request.param])


@pytest.mark.parametrize("use", USES.values(), ids=USES)
@pytest.mark.parametrize("made", ["unbound", "below", "deleted", "private_", "taken", "two"])
def test_they_do_not_answer(lib: Any, made: str, use: Any) -> None:
    with pytest.raises((TypeError, AttributeError), match=r"does not inherit|not bound|not exposed"):
        use(getattr(lib, made)())


@pytest.mark.parametrize("use", USES.values(), ids=USES)
def test_what_is_inherited_answers(lib: Any, use: Any) -> None:
    assert use(lib.plain()) == 1


def test_conversions(lib: Any) -> None:
    """What converts to one type hides what converts to that of the base, and no other."""
    assert bool(lib.other()) is True
    assert (int(lib.placed()), bool(lib.placed())) == (1, True)  # operators new are no conversions
    with pytest.raises(TypeError, match=r"does not inherit|not exposed|not bound|deleted"):
        int(lib.other())


def test_using_declarations_bring_them_back(lib: Any, request: pytest.FixtureRequest) -> None:
    def used() -> tuple[int, int, int]:
        return lib.open()(1), lib.open()[1], lib.open().f(1)

    if "base exposed" in request.node.name:  # nobody has read what Open declares
        with pytest.raises((TypeError, AttributeError), match=r"not exposed|does not inherit"):
            used()
    else:
        assert used() == (1, 1, 1)


def test_texts(lib: Any) -> None:
    with pytest.raises(TypeError, match=r"does not inherit|not exposed|not bound|deleted"):
        str(lib.said())


def test_templates_hide_them_too() -> None:
    lib = sb.compile(
        """
#include <type_traits>
struct B { int operator+(int) const { return 1; } virtual ~B() {} };
struct D : B { template <class T> typename std::enable_if<std::is_floating_point<T>::value, int>::type
  operator+(T) const { return 2; } };
struct E : D { using B::operator+; using D::operator+; };
"""
    )
    assert (lib.D() + 1.5, lib.E() + 1, lib.E() + 1.5) == (2, 1, 2)
    with pytest.raises(TypeError):
        lib.D() + 1
