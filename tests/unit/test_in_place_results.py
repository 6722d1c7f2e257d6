"""`a += b` gives `a`, whatever C++ returns: an object that Python never sees ends all the same."""

from __future__ import annotations

import gc
from typing import Any

import pytest

import samebytes as sb

SOURCE = """
#include <string>
#include <vector>
inline long& alive() { static long n = 0; return n; }
inline long count() { return alive(); }
struct H {
  std::string text; H() { ++alive(); } H(const H& o) : text(o.text) { ++alive(); } ~H() { --alive(); }
  H operator+=(int) { return *this; }
  H& operator-=(int) { return *this; }
  std::vector<H> operator*=(int n) { return std::vector<H>(n); }
  void operator&=(int) {}
};
inline H operator|=(H& h, int) { return h; }
inline H& operator^=(H& h, int) { return h; }
"""


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(SOURCE, name="in_place")


@pytest.mark.parametrize("sign", ["+=", "-=", "*=", "&=", "|=", "^="])
def test_what_it_returns_ends(lib: Any, sign: str) -> None:
    gc.collect()
    before = lib.count()
    space = {"h": lib.H()}
    first = space["h"]
    for _ in range(10):
        exec(f"h {sign} 3", space)
    assert space["h"] is first
    gc.collect()
    assert lib.count() == before + 1
