"""A std::unique_ptr& or && argument: C++ may take the object, and what it leaves in place stays Python's."""

from __future__ import annotations

import gc
from typing import Any

import pytest
from tests.tables import warns_at_first

import samebytes as sb

SOURCE = r"""
#include <memory>
#include <stdexcept>
inline int& alive() { static int n = 0; return n; }
inline int count() { return alive(); }
struct T { int v = 7; T() { ++alive(); } virtual ~T() { --alive(); v = -1; } int get() const { return v; } };
struct D : T {};
struct M { int k; explicit M(std::unique_ptr<T>& t) : k(t ? t->get() : 0) {} ~M() {}
  int look(std::unique_ptr<T>& t) { return t ? t->get() : -1; } };
inline int look(std::unique_ptr<T>& t) { return t ? t->get() : -1; }
inline int look_right(std::unique_ptr<T>&& t) { return t ? t->get() : -1; }
inline int fail(std::unique_ptr<T>& t) { throw std::runtime_error("no luck"); }
inline int put_back(std::unique_ptr<T>& t) { auto mine = std::move(t); t = std::move(mine); return t->get(); }
inline T* peek(std::unique_ptr<T>& t) { return t.get(); }
inline int take(std::unique_ptr<T>& t) { auto mine = std::move(t); return mine->get(); }
inline int take_right(std::unique_ptr<T>&& t) { auto mine = std::move(t); return mine->get(); }
inline int replace(std::unique_ptr<T>& t) { t.reset(new T); return t->get(); }
inline int take_and_fail(std::unique_ptr<T>& t) { t.reset(); throw std::runtime_error("no luck"); }
inline int two(std::unique_ptr<T>& a, std::unique_ptr<T>& b) { return a->get() + b->get(); }
inline std::unique_ptr<T> make() { return std::make_unique<D>(); }
inline int open(T** out, bool fails) { *out = new D; if (fails) throw std::runtime_error("no luck"); return 1; }
inline int open_two(T*& out, T** other, int fails) {
  if (fails == 1) throw std::runtime_error("no luck");
  out = new T;
  if (fails == 2) throw std::runtime_error("no luck");
  *other = new D;
  if (fails == 3) throw std::runtime_error("no luck");
  return 1;
}
inline void close(T* t) { delete t; }
"""
INTENTS = {"open": {"out": "owned"}, "open_two": {"out": sb.owned("close"), "other": "owned"}}


@pytest.fixture(scope="module")
def lib() -> Any:
    with warns_at_first(sb.BindWarning, match="is discarded"):
        return sb.compile(SOURCE, arg_intent=INTENTS)


MADE = ["T", "D", "make"]
STAYS = {
    "a reference": lambda lib, o: lib.look(o) == 7,
    "an rvalue": lambda lib, o: lib.look_right(o) == 7,
    "a constructor": lambda lib, o: lib.M(o).k == 7,
    "a method": lambda lib, o: lib.M(None).look(o) == 7,
    "moved and back": lambda lib, o: lib.put_back(o) == 7,
    "a result of it": lambda lib, o: lib.peek(o).__samebytes_address__ == o.__samebytes_address__,
    "null": lambda lib, o: lib.look(None) == lib.look_right(None) == -1,
}
GOES = {"taken": "take", "taken from an rvalue": "take_right", "replaced": "replace"}


@pytest.mark.parametrize("made", MADE)
@pytest.mark.parametrize("how", STAYS)
def test_what_stays_in_place_stays_pythons(lib: Any, how: str, made: str) -> None:
    before = lib.count()
    one = getattr(lib, made)()
    for _ in range(2):
        assert STAYS[how](lib, one)
        assert one.get() == 7
    assert lib.count() == before + 1
    gc.collect()
    sb.delete(one)
    assert lib.count() == before


@pytest.mark.parametrize("made", MADE)
@pytest.mark.parametrize("how", GOES)
def test_what_is_taken_is_gone(lib: Any, how: str, made: str) -> None:
    before = lib.count()
    one = getattr(lib, made)()
    assert getattr(lib, GOES[how])(one) == 7
    assert lib.count() == before
    with pytest.raises(sb.IntentError, match="It is gone"):
        one.get()
    del one
    assert lib.count() == before


@pytest.mark.parametrize("made", MADE)
def test_where_it_raises(lib: Any, made: str) -> None:
    before = lib.count()
    one = getattr(lib, made)()
    with pytest.raises(RuntimeError, match="no luck"):
        lib.fail(one)
    assert one.get() == 7
    with pytest.raises(RuntimeError, match="no luck") as raised:
        lib.take_and_fail(one)
    assert "T" in raised.value.__notes__[0] or "D" in raised.value.__notes__[0]
    with pytest.raises(sb.IntentError, match=r"given to take_and_fail\(\)"):
        one.get()
    assert lib.count() == before


def test_one_object_for_two(lib: Any) -> None:
    one = lib.T()
    with pytest.raises(sb.IntentError, match="Another argument of this call"):
        lib.two(one, one)
    assert lib.two(one, lib.T()) == 14
    assert one.get() == 7


def test_what_is_put_in_a_place_before_a_call_raises(lib: Any) -> None:
    """The intent "owned" says whose it is from the moment that it lies there."""
    before = lib.count()
    with pytest.raises(RuntimeError, match="no luck"):
        lib.open(True)
    for fails in (1, 2, 3):
        with pytest.raises(RuntimeError, match="no luck"):
            lib.open_two(fails)
    assert lib.count() == before
    made = lib.open(False), lib.open_two(0)
    assert lib.count() == before + 3
    del made
    assert lib.count() == before
