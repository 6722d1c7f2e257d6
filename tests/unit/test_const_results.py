"""What C++ returns by reference or pointer to const is const in Python, even where it is an argument of the call."""

from __future__ import annotations

import gc
from typing import Any

import pytest

import samebytes as sb

CODE = r"""
#include <string>
struct Part {
  static inline int alive = 0;
  std::string name{"part"};
  Part() { ++alive; }
  ~Part() { --alive; }
  std::string how() const { return "const"; }
  std::string how() { return "mutable"; }
  Part& rename(const std::string& n) { name = n; return *this; }
  const Part& fixed() const { return *this; }
  const Part* fixed_pointer() const { return this; }
  Part& itself() { return *this; }
  const Part& of(const Part& p) const { return p; }
};
inline const Part& same(const Part& p) { return p; }
inline const Part* same_pointer(const Part* p) { return p; }
inline Part& edited(Part& p) { return p; }
"""
CONST = {
    "a method's object": lambda lib, p: p.fixed(),
    "a pointer to a method's object": lambda lib, p: p.fixed_pointer(),
    "an argument": lambda lib, p: lib.same(p),
    "a pointer to an argument": lambda lib, p: lib.same_pointer(p),
    "another argument": lambda lib, p: lib.Part().of(p),
}


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(CODE)


@pytest.mark.parametrize("of", CONST.values(), ids=CONST)
def test_const_methods_alone_can_be_called(lib: Any, of: Any) -> None:
    p = lib.Part()
    fixed = of(lib, p)
    assert (fixed.how(), p.how(), fixed._address == p._address) == ("const", "mutable", True)
    with pytest.raises(sb.IntentError, match=r"C\+\+ gave it as const"):
        fixed.rename("x")
    p.rename("y")
    assert fixed.name == "y"
    assert fixed.fixed() is fixed


@pytest.mark.parametrize("of", CONST.values(), ids=CONST)
def test_it_keeps_the_object(lib: Any, of: Any) -> None:
    gc.collect()
    before = lib.Part.alive
    p = lib.Part().rename("kept")
    fixed = of(lib, p)
    del p
    gc.collect()
    assert fixed.name == "kept"
    del fixed
    gc.collect()
    assert lib.Part.alive == before


def test_what_is_not_const_is_the_very_argument(lib: Any) -> None:
    p = lib.Part()
    assert p.itself() is p.rename("z") is lib.edited(p) is p
