"""What C++ gives as ``const T&`` of a record is a copy that is as const as C++'s object, and so is a const member."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from tests.tables import each

import samebytes as sb

SOURCE = """
#include <functional>
#include <memory>
#include <vector>
struct Part { int q = 1; void set(int x) { q = x; } int which() { return 1; } int which() const { return 2; } };
struct R {
  int v = 5; Part part; int a[2] = {1, 2};
  int which() { return 1; } int which() const { return 2; } void set(int x) { v = x; }
  int operator[](int) { return 1; } int operator[](int) const { return 2; }
  explicit operator bool() { return true; } explicit operator bool() const { return false; }
  R& operator+=(int x) { v += x; return *this; } const R& itself() const { return *this; }
};
inline R& shared() { static R r; return r; }
inline const R& by_reference() { return shared(); }
inline const R by_value() { return R(); }
inline int which(R&) { return 1; }
inline int which(const R&) { return 2; }
inline int read(R r) { return r.v; }
inline int write(R& r) { return ++r.v; }
inline int write_at(R* r) { return ++r->v; }
struct Hold {
  const R one; const R many[2]; R plain;
  const R& operator[](int) const { return plain; } static const R& common() { return shared(); }
};
struct Object { const R one; const R many[2]; R plain; ~Object() {} const R& get() const { return plain; } };
inline int call(const std::function<int(const R&)>& f) { return f(shared()); }
inline int call_at(const std::function<int(const R*)>& f) { return f(&shared()); }
inline int call_c(int (*f)(const R&)) { return f(shared()); }
inline std::function<const R&()> giver() { return []() -> const R& { return shared(); }; }
struct Row { std::vector<R> v{1}; const R* begin() const { return v.data(); }
  const R* end() const { return begin() + 1; }
  const R& at(int i) const { return v[i]; } };
inline std::shared_ptr<const R> keep() { static auto p = std::make_shared<const R>(); return p; }
inline std::unique_ptr<const R> give() { return std::unique_ptr<const R>(new R()); }
inline std::vector<std::shared_ptr<const R>> all() { return {keep()}; }
inline int take(std::shared_ptr<R> r) { return ++r->v; }
"""


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(SOURCE)


def given(call: Any) -> Any:
    """What a callback is given."""
    got: list[Any] = []
    call(lambda r: got.append(r) or 0)
    return got[0]


CONST = [
    lambda m: m.by_reference(),
    lambda m: m.by_value(),
    lambda m: m.R().itself(),
    lambda m: m.Hold().one,
    lambda m: m.Hold().many[1],
    lambda m: m.Hold()[0],
    lambda m: m.Hold.common(),
    lambda m: m.Object().one,
    lambda m: m.Object().many[1],
    lambda m: m.Object().get(),
    lambda m: given(m.call),
    lambda m: given(m.call_at),
    lambda m: given(m.call_c),
    lambda m: m.giver()(),
    lambda m: next(iter(m.Row())),
    lambda m: m.Row().at(0),
    lambda m: m.keep(),
    lambda m: m.give(),
    lambda m: m.all()[0],
]


def added(r: Any) -> None:
    r += 1


REFUSED = [
    (lambda m, r: r.set(9), sb.IntentError),
    (lambda m, r: r.part.set(9), sb.IntentError),
    (lambda m, r: m.write(r), sb.IntentError),
    (lambda m, r: m.write_at(r), sb.IntentError),
    (lambda m, r: added(r), sb.IntentError),
    (lambda m, r: setattr(r, "v", 9), AttributeError),
    (lambda m, r: setattr(r.part, "q", 9), AttributeError),
]


@each("give", CONST)
def test_it_is_const(lib: Any, give: Any) -> None:
    r = give(lib)
    found = (r.which(), r.part.which(), lib.which(r), r[0], bool(r))
    assert found == (2, 2, 2, 2, False)
    assert (r.v, lib.read(r), copy.copy(r).which()) == (5, 5, 1)


@each("give", CONST)
@each(("change", "error"), REFUSED)
def test_it_is_not_changed(lib: Any, give: Any, change: Any, error: Any) -> None:
    r = give(lib)
    with pytest.raises(error, match=r"C\+\+ gave it as const"):
        change(lib, r)
    assert (r.v, r.part.q) == (5, 1)


def test_nothing_takes_it_as_its_own(lib: Any) -> None:
    for r in (lib.keep(), lib.all()[0]):
        with pytest.raises(sb.IntentError, match=r"C\+\+ gave it as const"):
            lib.take(r)
    with pytest.raises(ValueError, match="read-only"):
        lib.by_reference().a[0] = 1


def test_others_are_ones_own(lib: Any) -> None:
    for r in (lib.R(), lib.Hold().plain, lib.shared(), copy.copy(lib.by_reference())):
        assert (r.which(), r.part.which(), r[0], bool(r)) == (1, 1, 1, True)
    r = copy.copy(lib.by_reference())
    r.set(7)
    assert (r.v, lib.by_reference().v) == (7, 5)
