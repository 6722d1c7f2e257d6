"""Objects that show memory of Python's, by a ``std::string_view`` or a pointer: it lives as long as they do."""

from __future__ import annotations

import copy
import gc
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import samebytes as sb

CODE = r"""
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>
struct R {  // trivially copyable
  std::string_view v;
  R(std::string_view s) : v(s) {}
  std::string text() const { return std::string(v); }
  R dup() const { return *this; }
};
struct H {  // not
  std::string_view v;
  H(std::string_view s) : v(s) {}
  ~H() {}
  std::string text() const { return std::string(v); }
  H dup() const { return *this; }
};
struct P { const char* v; P(const char* s) : v(s) {} std::string text() const { return v; } };
struct ByRef : H { ByRef(const std::string_view& s) : H(s) {} };
struct ByMaybe : H { ByMaybe(std::optional<std::string_view> s) : H(*s) {} };
struct ByList : H { ByList(std::vector<std::string_view> s) : H(s[0]) {} };
inline R make_r(std::string_view s) { return R(s); }
inline H make_h(std::string_view s) { return H(s); }
inline P make_p(const char* s) { return P(s); }
inline std::unique_ptr<H> make_unique_h(std::string_view s) { return std::make_unique<H>(s); }
inline R same_r(R r) { return r; }
inline R same_cr(const R& r) { return r; }
inline H same_h(H h) { return h; }
inline H same_ch(const H& h) { return h; }
inline H same_mh(H&& h) { return std::move(h); }
inline H other(R r) { return H(r.v); }
struct I { std::string_view v; I(std::string_view s) : v(s) {} ~I() {} };
inline H implied(const I& i) { return H(i.v); }
"""


@pytest.fixture(scope="module")
def lib() -> ModuleType:
    return sb.compile(CODE)


MAKERS: dict[str, Callable[[Any, str], Any]] = {
    "record": lambda lib, s: lib.R(s),
    "record by keyword": lambda lib, s: lib.R(s=s),
    "handle": lambda lib, s: lib.H(s),
    "record with a pointer": lambda lib, s: lib.P(s),
    "view by reference": lambda lib, s: lib.ByRef(s),
    "optional view": lambda lib, s: lib.ByMaybe(s),
    "list of views": lambda lib, s: lib.ByList([s]),
    "returned record": lambda lib, s: lib.make_r(s),
    "returned handle": lambda lib, s: lib.make_h(s),
    "returned record with a pointer": lambda lib, s: lib.make_p(s),
    "returned owner": lambda lib, s: lib.make_unique_h(s),
    "record through a function": lambda lib, s: lib.same_r(lib.R(s)),
    "record through a reference": lambda lib, s: lib.same_cr(lib.R(s)),
    "handle through a function": lambda lib, s: lib.same_h(lib.H(s)),
    "handle through a reference": lambda lib, s: lib.same_ch(lib.H(s)),
    "moved handle": lambda lib, s: lib.same_mh(lib.H(s)),
    "handle of a record": lambda lib, s: lib.other(lib.R(s)),
    "handle of an implied object": lambda lib, s: lib.implied(s),
    "copies": lambda lib, s: lib.R(lib.R(s)).dup(),
    "copies of handles": lambda lib, s: lib.H(lib.H(s)).dup(),
    "Python's copy": lambda lib, s: copy.copy(lib.R(s)),
}


@pytest.mark.parametrize("name", MAKERS)
@pytest.mark.parametrize("letter", ["a", "ℕ"])
def test_the_memory_that_an_object_shows_lives_on(lib: ModuleType, name: str, letter: str) -> None:
    objects = [MAKERS[name](lib, letter * 999 + str(i)) for i in range(10)]
    gc.collect()
    others = ["x" * (999 * len(letter.encode())) + str(i) for i in range(30)]
    assert [one.text()[-1] for one in objects] == list("0123456789")
    assert len(others) == 30


def test_a_plain_value_keeps_what_its_pointers_point_to() -> None:
    lib = sb.compile(
        """
struct P { int* p; int n; };
class H { P p_; public: H(P p) : p_(p) {} int first() const { return p_.p[0]; } };
"""
    )
    made = [lib.H((np.arange(1000, 1300, dtype=np.int32), 300)) for _ in range(20)]
    value = lib.P(np.arange(1000, 1300, dtype=np.int32), 300).value
    made.append(lib.H(value))
    del value
    others = [np.full(300, -5, np.int32) for _ in range(60)]
    assert [h.first() for h in made] == [1000] * 21
    del others
