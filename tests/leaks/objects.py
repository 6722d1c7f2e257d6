"""Cycles of records and C++ objects: each function makes and drops what its name says."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
from shared import BUFFER_VIEW, F, X, plus, refused


def records(lib: Any) -> dict[str, Callable[[], Any]]:
    """Records: own memory, views, parts, pointers inside."""
    Point, Nested, Refs, Outer = lib.Point, lib.Nested, lib.Refs, lib.Outer  # noqa: N806
    shared = SimpleNamespace(nested=Nested(), refs=Refs(), outer=Outer(), room=bytearray(64))
    point, value = Point(1, 2.0), Point(1, 2.0).value
    dumped = pickle.dumps(point)

    def nested() -> None:
        made = Nested()
        made.p.x = 3
        made.many = (point, (2, 2.5), point)
        made.many[2].y = 1.5
        made.numbers[:] = (1, 2, 3, 4)

    def slices() -> None:
        made = Nested()
        part = made.numbers[1:3]
        part[0] = 7
        memoryview(part).release()
        del made
        part[1] = 8

    def from_object() -> None:
        seen = Point.fromObj(shared.room)
        seen.x = 5
        inner = Nested.fromObj(memoryview(bytearray(Nested.c_sizeof()))).many
        inner[0].x = 1

    def pointers() -> None:
        made = Refs(X, X, None, "text")
        made.p = BUFFER_VIEW
        made.q = None
        other = Outer(1, made)
        other.refs.text = "other text"
        made.p = other.refs.p
        shared.outer.refs = made
        shared.outer.refs = Refs()

    def twice() -> None:
        made = Refs(X, None, None, None)
        made.__init__()  # as what derives from two classes may
        try:
            Point(1, 2).__init__(3, 4)
        except TypeError:
            return
        raise AssertionError("made twice")

    def closing() -> None:
        made = Refs()
        made.f = lambda x: made.f is None  # a cycle, for the garbage collector

    def views() -> None:
        made = memoryview(Point(1, 2.0))
        made.release()
        np.asarray(Point(1, 2.0))
        np.frombuffer(Point(1, 2.0), "u1")

    return {
        "record": lambda: Point(1, 2.0),
        "record by name": lambda: Point(x=1, y=2.0),
        "nested records": nested,
        "arrays of records": lambda: list(shared.nested.many),
        "slices": slices,
        "fromObj": from_object,
        "union": lambda: lib.Either(d=1.5).p.x,
        "bit-fields": lambda: setattr(lib.Bits(1, -2, True), "b", 3),
        "pointers inside": pointers,
        "init twice": twice,
        "value and back": lambda: Point(*point.value),
        "copies": lambda: (copy.copy(point), copy.deepcopy(point), point.replace(x=3)),
        "pickle": lambda: (pickle.loads(dumped), pickle.dumps(point)),
        "buffers of records": views,
        "a cycle through a callback": closing,
        "refused fields": lambda: (
            refused(Point, "x", 1),
            refused(Point, 1, 2, 3, error=TypeError),
            refused(setattr, point, "x", 2**40),
            refused(setattr, shared.refs, "p", F),
            refused(Point.fromObj, b"short"),
            refused(hash, point, error=TypeError),
            value == point,
        ),
    }


def handles(lib: Any) -> dict[str, Callable[[], Any]]:
    """C++ objects, and views of them."""
    item, box = lib.Item("shared"), lib.Box()

    class Sub(lib.Item):  # type: ignore[misc,name-defined]
        __slots__ = ()

    ashes: list[Any] = []

    class Phoenix(lib.Item):  # type: ignore[misc,name-defined]
        __slots__ = ()

        def __del__(self) -> None:
            ashes.append(self)

    def rising() -> None:
        Phoenix("risen")
        assert ashes.pop().size() == 5

    return {
        "handle": lambda: lib.Item("x"),
        "handles by value": lambda: (item.copy(), lib.make("ab"), lib.by_value(item)),
        "a reference to itself": lambda: lib.Item("x").itself().size(),
        "a part of a box": lambda: (lib.Box().get().size(), box.get()),
        "a constructor that throws": lambda: refused(lib.Item, "", error=ValueError),
        "a refused constructor": lambda: (refused(lib.Item, 1), refused(lib.Item, b"\xff\x00", 1)),
        "a plain object": lambda: lib.Plain(1),
        "a subclass": lambda: Sub("abc").copy(),
        "resurrection": rising,
        "init of a handle": lambda: item.__init__(),
        "a destructor that calls back": lambda: lib.Last(plus),
    }


def overriding(lib: Any) -> dict[str, Callable[[], Any]]:
    """Objects whose class overrides virtual functions, which C++ calls."""

    class Mine(lib.Asked):  # type: ignore[misc,name-defined]
        __slots__ = ()

        def ask(self, x: int) -> int:
            return 10 * super().ask(x)

        def say(self, words: str) -> str:
            return words * 2

    class Wrong(lib.Asked):  # type: ignore[misc,name-defined]
        __slots__ = ()

        def ask(self, x: int) -> Any:
            return "no" if x else {}[x]

    def alone() -> None:
        keeper = lib.Keeper(Mine(1))
        assert keeper.run(2) == 21
        assert type(keeper.get()) is Mine

    def again() -> None:
        mine = Mine(1)
        keeper = lib.Keeper(mine)
        assert keeper.get() is mine
        del mine
        lib.Keeper(keeper.get()).run(3)

    return {
        "a class that overrides": lambda: lib.asked(Mine(3), 4),
        "a text of one": lambda: lib.says(Mine(3), "some text that lies on the heap"),
        "one that raises": lambda: refused(lib.asked, Wrong(3), 0, error=KeyError),
        "one that gives what C++ does not take": lambda: refused(lib.asked, Wrong(3), 1),
        "one that C++ alone has": alone,
        "one that comes back": again,
    }
