"""``std::unique_ptr`` of classes that have no copies in C++, and yet count there as trivially copyable."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # to read and to compile it takes seconds

SOURCE = r"""
#include <memory>
#include <utility>
struct NoCopy { int v; NoCopy(int n = 3) : v(n) {} NoCopy(const NoCopy&) = delete; void operator=(NoCopy&) = delete; };
struct MoveOnly { int v; MoveOnly(int n = 3) : v(n) {} MoveOnly(MoveOnly&&) = default; };
struct Here { int v; Here* self; Here(int n = 3) : v(n), self(this) {} Here(const Here&) = delete;
  bool is_here() const { return self == this; } };
struct Plain { int v; };
template <class T> struct Holder { std::unique_ptr<T> p; int get() const { return p ? p->v : -1; } };
template <class T> int take(std::unique_ptr<T> p) { return p ? p->v : -1; }
template <class T> int look(const std::unique_ptr<T>& p) { return p ? p->v : -1; }
template <class T> int offer(std::unique_ptr<T>&& p) { auto q = std::move(p); return q ? q->v : -1; }
#define OF(T) \
  inline std::unique_ptr<T> give_##T(int n) { return std::unique_ptr<T>(new T{n}); } \
  inline int take_##T(std::unique_ptr<T> p) { return take<T>(std::move(p)); } \
  inline int look_##T(const std::unique_ptr<T>& p) { return look<T>(p); } \
  inline int offer_##T(std::unique_ptr<T>&& p) { return offer<T>(std::move(p)); } \
  struct Of##T : Holder<T> { std::unique_ptr<T> more; int own() const { return more ? more->v : -1; } };
OF(NoCopy) OF(MoveOnly) OF(Here) OF(Plain)
inline bool is_here(std::unique_ptr<Here> p) { return p->is_here(); }
"""
CLASSES = ["NoCopy", "MoveOnly", "Here", "Plain"]
OBJECTS: dict[str, Callable[[Any, str], Any]] = {
    "made": lambda lib, name: getattr(lib, name)(7),
    "given": lambda lib, name: getattr(lib, f"give_{name}")(7),
}


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(SOURCE, name="without_copies")


@pytest.mark.parametrize("source", OBJECTS)
@pytest.mark.parametrize("use", ["take", "look", "offer", "member"])
@pytest.mark.parametrize("name", CLASSES)
def test_cxx_takes_the_object(lib: Any, name: str, use: str, source: str) -> None:
    given = OBJECTS[source](lib, name)
    if use == "member":
        holder = getattr(lib, f"Of{name}")()
        holder.more = given
        assert (holder.own(), holder.more.v) == (7, 7)
        holder.more = None
        assert (holder.own(), holder.more) == (-1, None)
    else:
        assert getattr(lib, f"{use}_{name}")(given) == 7
        assert getattr(lib, f"{use}_{name}")(None) == -1
    if use in ("take", "offer") and name in ("NoCopy", "Here"):  # the others are records, which are copied
        with pytest.raises(sb.IntentError, match="took it over"):
            getattr(lib, f"take_{name}")(given)


def test_the_object_itself_is_taken(lib: Any) -> None:
    assert lib.is_here(lib.Here(1)) is True


KEPT = r"""
#include <memory>
struct End { void operator()(int* p) const { delete p; } };
struct Part { int v = 1; ~Part() {} };
struct PartEnd { void operator()(Part* p) const { delete p; } };
struct Placed { int v = 2; static void* operator new(std::size_t) = delete; };
struct Room { std::unique_ptr<Placed> p; };
struct Whole { const std::unique_ptr<Part> fixed{new Part}; std::unique_ptr<Part, PartEnd> ended{new Part}; };
"""


@pytest.mark.parametrize("member", ["fixed", "ended"])
def test_what_is_const_or_has_a_deleter_says_so(member: str) -> None:
    whole = sb.compile(KEPT, name="kept_members").Whole()
    with pytest.raises(AttributeError, match="is const in C\\+\\+, or has a deleter of its own"):
        setattr(whole, member, None)
    assert getattr(whole, member).v == 1


def test_what_cxx_refuses_to_set_says_so() -> None:
    room = sb.compile(KEPT, name="kept_members").Room()
    assert room.p is None
    with pytest.raises(AttributeError, match=r"Room\.p cannot be set: C\+\+ refuses it: .*operator new"):
        room.p = None
