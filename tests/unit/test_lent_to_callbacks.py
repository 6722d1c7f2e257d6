"""What C++ lends a callable by ``const T&`` is const; who keeps it keeps a copy, as it may be a temporary."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # large builds; test_callbacks.py is the quick one

CODE = r"""
#include <functional>
#include <optional>
#include <string>
#include <utility>
struct Inner { int n = 7; std::string text = "inner text that lies on the heap"; };
struct Event {
  static inline int alive = 0;
  std::string name; int code = 0; Inner inner; double xs[2] = {1, 2};
  Event(std::string n, int c) : name(std::move(n)), code(c) { ++alive; }
  Event(const Event& o) : name(o.name), code(o.code), inner(o.inner) { ++alive; }
  virtual ~Event() { name.assign(40, '-'); inner.n = code = -1; inner.text.assign(40, '-'); --alive; }
  void set(int c) { code = c; }
  virtual std::string kind() const { return "event"; }
};
struct Click : Event { int x = 5; using Event::Event; std::string kind() const override { return "click"; } };
struct Fixed { int n = 3; Fixed() = default; Fixed(const Fixed&) = delete; };
struct Point { int x = 1, y = 2; };
inline const char* long_text() { return "some long text that lies on the heap"; }
inline int given(const std::function<void(const Event&)>& f) { Event e{long_text(), 3}; f(e); return e.code; }
inline int twice(const std::function<void(const Event&)>& f) {
  Event e{long_text(), 3}; f(e); e.code = 4; f(e); return e.code; }
inline int derived(const std::function<void(const Event&)>& f) { Click e{long_text(), 3}; f(e); return e.code; }
inline int plain(void (*f)(const Event&)) { Event e{long_text(), 3}; f(e); return e.code; }
inline int pointed(const std::function<void(const Event*)>& f) { Event e{long_text(), 3}; f(&e); return e.code; }
inline int plain_pointed(void (*f)(const Event*)) { Event e{long_text(), 3}; f(&e); return e.code; }
inline int fixed(const std::function<void(const Fixed&)>& f) { static Fixed e; f(e); return e.n; }
inline int point(const std::function<void(const Point&)>& f) { Point p; f(p); int x = p.x; p.x = 99; return x; }
inline int plain_point(void (*f)(const Point&)) { Point p; f(p); int x = p.x; p.x = 99; return x; }
inline int changed(const std::function<void(Point&)>& f) { Point p; f(p); return p.x; }
struct Weight { int g; explicit Weight(int n) : g(n) {} };
struct Fast { const int n; };
inline int weighed(const std::function<int(const Weight&)>& f, int g) { return f(Weight(g)); }
inline int weighed_value(const std::function<int(Weight)>& f, int g) { return f(Weight(g)); }
inline int weighed_pair(const std::function<int(const std::pair<Weight, int>&)>& f, int g) { return f({Weight(g), 1}); }
inline int weighed_maybe(const std::function<int(std::optional<Weight>)>& f, int g) { return f(Weight(g)); }
inline int weighed_fast(const std::function<int(Fast)>& f, int g) { return f(Fast{g}); }
inline int moved(const std::function<void(Event&)>& f) { Event e{long_text(), 3}; f(e); return e.code; }
"""
LENT = ["given", "derived", "plain"]
CONST = [*LENT, "pointed", "plain_pointed"]
LONG = "some long text that lies on the heap"


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(CODE)


def kept(call: Callable[[Any], Any]) -> Any:
    """What a callable got, when the call is over."""
    found: list[Any] = []
    call(found.append)
    return found[0]


@pytest.mark.parametrize("name", LENT)
def test_who_keeps_it_keeps_a_copy(lib: Any, name: str) -> None:
    before = lib.Event.alive
    event = kept(getattr(lib, name))
    assert (event.name, event.code, event.inner.n, event.inner.text[:10]) == (LONG, 3, 7, "inner text")
    assert (type(event), event.kind()) == (
        (lib.Click, "click") if name == "derived" else (lib.Event, "event")
    )
    assert lib.Event.alive == before + 1
    del event
    assert lib.Event.alive == before


def test_each_call_has_its_own(lib: Any) -> None:
    found: list[Any] = []
    assert lib.twice(found.append) == 4
    assert [event.code for event in found] == [3, 4]


def test_who_does_not_keep_it_copies_nothing(lib: Any) -> None:
    counts: list[int] = []

    def see(event: Any) -> None:
        counts.append(lib.Event.alive)
        counts.append(len(event.name))

    before = lib.Event.alive
    lib.twice(see)
    assert counts == [before + 1, len(LONG)] * 2
    assert lib.Event.alive == before


def test_what_lies_inside_of_it_is_the_copys(lib: Any) -> None:
    found: list[Any] = []
    lib.given(lambda event: found.extend([event.inner, event]))
    inner, event = found
    assert (inner.n, inner.text[:10], inner.__samebytes_address__ - event.__samebytes_address__) == (
        7,
        "inner text",
        event.inner.__samebytes_address__ - event.__samebytes_address__,
    )
    only: list[Any] = []
    lib.given(lambda event: only.append(event.inner))
    assert (only[0].n, only[0].text[:10]) == (7, "inner text")


def test_an_error_keeps_it(lib: Any) -> None:
    with pytest.raises(ZeroDivisionError) as error:
        lib.given(lambda event: 1 // 0)
    frame = error.tb
    while frame.tb_next:
        frame = frame.tb_next
    assert frame.tb_frame.f_locals["event"].name == LONG


def test_what_cannot_be_copied_stays_c_plus_pluss(lib: Any) -> None:
    assert kept(lib.fixed).n == 3
    assert kept(lib.fixed).__samebytes_address__ == kept(lib.fixed).__samebytes_address__


@pytest.mark.parametrize("name", CONST)
def test_it_is_const(lib: Any, name: str) -> None:
    def assign(event: Any) -> None:
        event.code = 9

    with pytest.raises(AttributeError, match="gave the object as const"):
        getattr(lib, name)(assign)
    with pytest.raises(sb.IntentError, match="gave it as const"):
        getattr(lib, name)(lambda event: event.set(9))
    with pytest.raises(sb.IntentError, match="gave it as const"):
        kept(lib.given).set(9)
    own = copy.copy(kept(lib.given))
    own.set(9)
    assert own.code == 9


@pytest.mark.parametrize("name", ["point", "plain_point"])
def test_a_record_is_a_copy(lib: Any, name: str) -> None:
    point = kept(getattr(lib, name))
    assert (point.x, point.y) == (1, 2)


def test_what_is_not_const_is_c_plus_pluss_own(lib: Any) -> None:
    def assign(point: Any) -> None:
        point.x = 8

    assert lib.changed(assign) == 8
    assert lib.moved(lambda event: event.set(8)) == 8


@pytest.mark.parametrize(
    ("name", "see"),
    [
        ("weighed", lambda w: w.g),
        ("weighed_value", lambda w: w.g),
        ("weighed_pair", lambda p: p[0].g),
        ("weighed_maybe", lambda w: w.g),
        ("weighed_fast", lambda w: w.n),
    ],
)
def test_records_without_a_default_constructor(lib: Any, name: str, see: Callable[[Any], int]) -> None:
    assert getattr(lib, name)(see, 21) == 21
