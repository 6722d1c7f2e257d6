"""Records and objects given by ``T&`` where C++ gets a copy of them: what it writes there would be lost."""

from __future__ import annotations

from typing import Any

import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # to read and to compile it takes seconds

SOURCE = r"""
#include <array>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>
struct R { int a; double b; };
struct W { R r; int n; };
class H {
  int* p;
 public:
  H(int n) : p(new int(n)) {}
  H(const H& o) : p(new int(*o.p)) {}
  H& operator=(const H& o) { *p = *o.p; return *this; }
  ~H() { delete p; }
  int get() const { return *p; }
  void set(int n) { *p = n; }
};
inline void maybe(std::optional<R>& o) { if (o) o->a = 9; }
inline void maybe_object(std::optional<H>& o) { if (o) o->set(9); }
inline void maybe_at(std::optional<R>* o) { if (o && *o) (*o)->a = 9; }
inline void either(std::variant<int, R>& o) { if (o.index() == 1) std::get<1>(o).a = 9; }
inline void pair(std::pair<R, int>& o) { o.first.a = 9; }
inline void tuple(std::tuple<int, H>& o) { std::get<1>(o).set(9); }
inline void nested(std::pair<std::pair<int, R>, int>& o) { o.first.second.a = 9; }
inline void listed(std::vector<R>& o) { for (R& r : o) r.a = 9; }
inline void objects(std::vector<H>& o) { for (H& h : o) h.set(9); }
inline void array(std::array<R, 2>& o) { o[0].a = 9; }
inline void whole(W& o) { o.r.a = 9; }
inline void plain(R& o) { o.a = 9; }
inline void pointers(std::pair<R*, int>& o) { o.first->a = 9; }
inline void shared(std::pair<std::shared_ptr<R>, int>& o) { o.first->a = 9; }
inline void several(std::vector<R*>& o) { for (R* r : o) r->a = 9; }
inline void references(std::pair<std::reference_wrapper<R>, int>& o) { o.first.get().a = 9; }
inline int read(const std::optional<R>& a, const std::pair<R, int>& b, const std::vector<R>& c) {
  return a->a + b.first.a + c[0].a;
}
"""


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(SOURCE, name="copies_of_records", std="c++17")


@pytest.mark.parametrize(
    "call",
    [
        "maybe(r)", "maybe_object(h)", "maybe_at(r)", "either(r)", "pair((r, 1))", "tuple((1, h))",
        "listed([r])", "listed((r,))", "objects([h])", "objects((h,))", "array((r, r))", "array([r, r])",
        "nested(((1, r), 1))", "whole((r, 1))",
    ],
)  # fmt: skip
def test_what_would_be_lost_is_refused(lib: Any, call: str) -> None:
    r, h = lib.R(a=1, b=2.0), lib.H(1)
    with pytest.raises(sb.IntentError, match=r"C\+\+ may write there"):
        eval(f"lib.{call}", {"lib": lib, "r": r, "h": h})
    assert (r.a, h.get()) == (1, 1)


@pytest.mark.parametrize(
    "call",
    ["plain(r)", "pointers((r, 1))", "shared((r, 1))", "several((r,))", "references((r, 1))"],
)
def test_the_very_record_is_written_to(lib: Any, call: str) -> None:
    r = lib.R(a=1, b=2.0)
    eval(f"lib.{call}", {"lib": lib, "r": r})
    assert r.a == 9


def test_plain_values_and_what_is_only_read(lib: Any) -> None:
    r = lib.R(a=1, b=2.0)
    calls = (
        "maybe((1, 2.0))",
        "maybe(None)",
        "maybe(r.value)",
        "pair(((1, 2.0), 1))",
        "either(3)",
        "plain((1, 2.0))",
    )
    for call in calls:
        eval(f"lib.{call}", {"lib": lib, "r": r})
    assert lib.read(r, (r, 1), [r]) == 3


def test_what_the_words_advise() -> None:
    """``"in"`` says that what C++ writes is dropped."""
    made = sb.compile(SOURCE, name="copies_dropped", std="c++17", arg_intent={"pair": {"o": "in"}})
    r = made.R(a=1, b=2.0)
    made.pair((r, 1))
    assert r.a == 1
