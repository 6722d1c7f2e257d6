"""What depends on a C++ object of Python's stops its end: however it came to depend, and whoever ends it."""

from __future__ import annotations

import gc
import random
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import samebytes as sb
from samebytes import _native

pytestmark = pytest.mark.full  # it takes long

SOURCE = r"""
#include <functional>
#include <memory>
#include <vector>
struct P { int x; };
struct X { int v = 7; int numbers[4] = {1, 2, 3, 4}; P p{3}; std::unique_ptr<P> far{new P{9}};
  virtual ~X() { v = -1; }
  int get() const { return v; } int* first() { return numbers; } P& at() { return *far; } };
struct Rec { X* x; int n; };
inline int use(const Rec& r) { return r.x->get(); }
inline X& pick(std::vector<std::reference_wrapper<X>> v) { return v.back(); }
inline int* inside(std::vector<std::reference_wrapper<X>> v) { return v.back().get().numbers; }
struct Refers { const X& x; explicit Refers(const X& x) : x(x) {} ~Refers() {} };
struct Box { int own[2] = {4, 5}; std::unique_ptr<X> child{new X}; std::shared_ptr<X> shared{new X}; ~Box() {}
  int* first() { return own; } };
struct Outer { int n = 1; Box box; P p{2}; ~Outer() {} };
inline Box& common() { static Box box; return box; }
inline int eat(std::unique_ptr<X> x) { return x->get(); }
inline int two(std::unique_ptr<X> a, std::unique_ptr<X> b) { return a->get() + b->get(); }
inline int given(std::function<std::unique_ptr<X>()> f) { return f()->get(); }
inline X* open() { return new X; }
inline void close(X* x) { delete x; }
inline double close(X* x, const double* a) { delete x; return a[3]; }
"""
INTENTS = {"open": {"return": sb.owned("close")}}


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(SOURCE, arg_intent=INTENTS)


def _assigned(lib: Any, x: Any) -> Any:
    made = lib.Rec(None, 1)
    made.x = x
    return made


def _again(lib: Any, x: Any) -> Any:
    pointer = sb.Pointer(0x10)
    pointer.__init__(0x20, owner=x)  # type: ignore[misc]
    return pointer


@pytest.fixture(autouse=True)
def _no_other_collections() -> Iterator[None]:
    gc.disable()
    yield
    gc.enable()


MAKES: dict[str, Callable[[Any, Any], Any]] = {
    "a member": lambda lib, x: x.p,
    "what it owns": lambda lib, x: x.at(),
    "a pointer": lambda lib, x: x.first(),
    "an array": lambda lib, x: x.numbers,
    "what shows an array": lambda lib, x: np.asarray(memoryview(x.numbers)[1:]),
    "what was made with it": lambda lib, x: lib.Refers(x),
    "a record's pointer": lambda lib, x: lib.Rec(x, 1),
    "a record's pointer, assigned": _assigned,
    "out of a list": lambda lib, x: lib.pick([x]),
    "a pointer out of a list": lambda lib, x: lib.inside([x]),
    "a pointer that owns it": lambda lib, x: sb.Pointer(0x10, owner=x),
    "a pointer that owns more": lambda lib, x: sb.Pointer(x.first(), owner=(1,)),
    "a pointer made anew": _again,
    "a pointer's part": lambda lib, x: x.first()[4],
}
ENDS: dict[str, Callable[[Any, Any], object]] = {
    "delete": lambda lib, x: sb.delete(x),
    "a smart pointer": lambda lib, x: lib.eat(x),
    "a callback's result": lambda lib, x: lib.given(lambda: x),
    "a deleter by hand": lambda lib, x: lib.close(x),
}
OWNED = {"delete": "X", "a smart pointer": "X", "a callback's result": "X", "a deleter by hand": "open"}


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("make", MAKES)
def test_it_stops_the_end(lib: Any, make: str, end: str) -> None:
    x = getattr(lib, OWNED[end])()
    made = MAKES[make](lib, x)
    for _ in range(2):
        with pytest.raises(sb.IntentError, match=r"objects that lie inside of it or refer to it \("):
            ENDS[end](lib, x)
    assert x.get() == 7
    del made
    ENDS[end](lib, x)
    with pytest.raises(sb.IntentError, match="It is gone"):
        x.get()


@pytest.mark.parametrize("end", ENDS)
def test_frozen_objects_count(lib: Any, end: str) -> None:
    """gc.freeze() hides objects from whoever asks the garbage collector, and hidden they stay."""
    x = getattr(lib, OWNED[end])()
    made = x.at()
    gc.freeze()
    frozen = gc.get_freeze_count()
    try:
        with pytest.raises(sb.IntentError, match=r"refer to it \(P\)"):
            ENDS[end](lib, x)
        assert gc.get_freeze_count() > frozen / 2
    finally:
        gc.unfreeze()
    del made
    ENDS[end](lib, x)


@pytest.mark.parametrize("end", ENDS)
def test_nobody_is_asked_which_objects_there_are(lib: Any, end: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: object) -> None:
        raise AssertionError("the garbage collector was asked")

    for name in ("get_objects", "get_referrers", "freeze", "unfreeze"):
        monkeypatch.setattr(gc, name, refuse)
    x = getattr(lib, OWNED[end])()
    made = x.at()
    with pytest.raises(sb.IntentError, match=r"refer to it \(P\)"):
        ENDS[end](lib, x)
    del made
    ENDS[end](lib, x)


def test_those_that_depend_are_those_that_live(lib: Any) -> None:
    """Objects of every sort come and go in any order, and owners of pointers are exchanged."""
    dice, one, other = random.Random(7), lib.X(), lib.X()
    sorts: list[Callable[[Any], Any]] = [
        lambda x: x.at(),
        lambda x: sb.Pointer(4096, x),
        lambda x: sb.Pointer(4096, (x, other)),
        lambda x: sb.Pointer(sb.Pointer(4096, x), owner=None)[8],
        lambda x: type(x).__samebytes_view__(x.__samebytes_address__, x),
    ]
    for made in sorts:
        assert _native.dependents(one) == []
        alive = made(one)
        assert alive in _native.dependents(one)
        del alive
    living: list[Any] = []
    for _ in range(2000):
        act = dice.randrange(3)
        if act == 0 and living:
            living.pop(dice.randrange(len(living)))
        elif act == 1 and living and type(pointer := dice.choice(living)) is sb.Pointer:
            pointer.__init__(4096, dice.choice([one, other, None]))  # it was given, or comes to be
        else:
            living.append(dice.choice(sorts)(one))
        pointer = None
    for x in (one, other):
        found = {id(d) for d in _native.dependents(x)}
        assert found == {id(d) for d in living if reaches(d, x)}
    assert _native.dependents(one)
    living.clear()
    assert not _native.dependents(one)
    assert not _native.dependents(other)
    sb.delete(one)
    sb.delete(other)


def reaches(dependent: Any, x: Any) -> bool:
    """Whether an object's owners lead to another one."""
    owner = (
        dependent.owner
        if isinstance(dependent, sb.Pointer)
        else getattr(dependent, "__samebytes_owner__", None)
    )
    owners = owner if isinstance(owner, tuple) else (owner,)
    return any(o is x or (o is not None and not isinstance(o, type(x)) and reaches(o, x)) for o in owners)


def _during_a_collection(act: Callable[[], object], call: Callable[[], object]) -> BaseException | None:
    """What `call` raises while the first garbage collection in it runs `act`, as another thread could."""
    ran: list[bool] = []

    def collects(phase: str, info: object) -> None:
        if phase == "start" and not ran:
            ran.append(True)
            act()

    gc.callbacks.append(collects)
    try:
        call()
    except sb.Error as error:
        return error
    finally:
        gc.callbacks.remove(collects)
        assert ran
    return None


@pytest.mark.parametrize("end", ENDS)
def test_two_that_end_it_at_once(lib: Any, end: str) -> None:
    """While one looks who depends on the object, the other must not take it that nobody does."""
    x = getattr(lib, OWNED[end])()
    made = x.at()
    refused: list[BaseException] = []

    def act() -> None:
        with pytest.raises(sb.IntentError) as found:
            ENDS[end](lib, x)
        refused.append(found.value)

    found = _during_a_collection(act, lambda: ENDS[end](lib, x))
    assert len(refused) == 1
    assert "lie inside of it" in str(found)
    assert made.x == 9


@pytest.mark.parametrize("end", ENDS)
def test_a_view_that_comes_while_others_are_looked_for(lib: Any, end: str) -> None:
    """What was looked for and not found may be there a moment later."""
    x = getattr(lib, OWNED[end])()
    first, later = [x.at()], []

    def act() -> None:
        later.append(x.at())
        first.clear()

    found = _during_a_collection(act, lambda: ENDS[end](lib, x))
    assert "refer to it (P)" in str(found)
    assert later[0].x == 9


def test_a_view_between_two_conversions(lib: Any) -> None:
    """One object is converted already, and a view of it comes while Python looks at the other one."""
    one, other = lib.X(), lib.X()
    garbage: list[Any] = [other.at()]
    garbage.append(garbage)
    views: list[Any] = []
    del garbage
    found = _during_a_collection(lambda: views.append(one.at()), lambda: lib.two(one, other))
    assert "two() argument 1 'a'" in str(found)
    assert "refer to it (P)" in str(found)
    assert views[0].x == 9
    assert other.get() == 7


def test_an_array_that_moves_while_views_are_looked_for(lib: Any) -> None:
    """All Python code of a call runs before its arguments are settled."""
    x, array = lib.open(), np.ones(4)
    garbage: list[Any] = [x.at()]
    garbage.append(garbage)
    del garbage
    lib.close(lib.open(), array)
    grows = lambda: array.resize(1_000_000, refcheck=False)  # noqa: E731
    found = _during_a_collection(grows, lambda: lib.close(x, array))
    assert "its memory was moved" in str(found)


REPLACED: dict[str, Callable[[Any, Any], Any]] = {
    "a view": lambda lib, box: box.child,
    "what lies in it": lambda lib, box: box.child.p,
    "what it owns": lambda lib, box: box.child.at(),
    "a pointer": lambda lib, box: box.child.first(),
    "an array": lambda lib, box: box.child.numbers,
    "what was made with it": lambda lib, box: lib.Refers(box.child),
    "a record": lambda lib, box: lib.Rec(box.child, 1),
}
BOXES: dict[str, Callable[[Any], Any]] = {
    "an object": lambda lib: lib.Box(),
    "a part of one": lambda lib: lib.Outer().box,
    "C++'s own": lambda lib: lib.common(),
}


@pytest.mark.parametrize("box", BOXES)
@pytest.mark.parametrize("what", REPLACED)
def test_a_member_is_not_replaced_under_a_view(lib: Any, what: str, box: str) -> None:
    """A std::unique_ptr member ends what it owned when another object is assigned to it."""
    owner = BOXES[box](lib)
    if owner.child is None:
        owner.child = lib.X()
    made = REPLACED[what](lib, owner)
    for value in (None, lib.X()):
        with pytest.raises(sb.IntentError, match="may lie inside of the object that it would replace"):
            owner.child = value
    assert owner.child.get() == 7
    del made
    owner.child = lib.X()
    owner.child = None
    assert owner.child is None


def test_what_lies_elsewhere_stops_no_assignment(lib: Any) -> None:
    outer = lib.Outer()
    box, alone = outer.box, lib.Box()
    kept = [outer.p, box.own, box.first(), box.shared, alone.own, alone.shared, lib.common().shared]
    box.child = alone.child = None
    assert box.child is alone.child is None
    assert kept[0].x == 2
    assert kept[3].get() == 7


def test_a_view_of_cxx_s_own_counts_when_other_objects_of_cxx_s_keep_some(lib: Any) -> None:
    """What is replaced lives on for results of C++'s own objects: that is no owner of theirs."""
    other: Any = sb.compile(
        "struct Q { int x = 1; ~Q() {} }; struct R { Q* q = nullptr; ~R() {} };"
        "inline R& common_r() { static R r; return r; }"
    )
    other.common_r().q = other.Q()  # the ledger has an entry of C++'s own object from now on
    box = lib.common()
    if box.child is None:
        box.child = lib.X()
    view = box.child
    with pytest.raises(sb.IntentError, match="may lie inside of the object that it would replace"):
        box.child = None
    assert view.get() == 7
    other.common_r().q = None
