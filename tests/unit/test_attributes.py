"""Attributes of Python's: of objects of classes that Python derives from C++'s, beside the C++ object."""

from __future__ import annotations

import copy
import gc
import pickle
import weakref
from typing import Any

import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # each class that overrides is compiled

SOURCE = r"""
#include <functional>
#include <memory>
#include <string>
struct Listener {
  static inline int alive = 0;
  int number; std::string text = "cxx"; std::function<int(int)> then;
  explicit Listener(int n = 1) : number(n) { ++alive; }
  Listener(const Listener& o) : number(o.number), text(o.text) { ++alive; }
  virtual ~Listener() { --alive; }
  virtual int heard(int x) { return -x; }
  virtual Listener* self() { return this; }
  int hears(int x) { return heard(x); }
  Listener* itself() { return this; }
  template <class T> T kept(T t) { return t; }
  int variadic(int, ...) { return 0; }
};
struct Plain { Plain() {} ~Plain() {} int n = 3; int m() { return n; } };
struct Bytes { int n; };
inline int told(Listener& l, int x) { return l.heard(x); }
struct Keeper { std::shared_ptr<Listener> held; int tell(int x) { return held->heard(x); }
  std::shared_ptr<Listener> get() { return held; } };
"""


@pytest.fixture(scope="module")
def lib() -> Any:
    with pytest.warns(sb.BindWarning, match="variadic"):
        return sb.compile(SOURCE, name="attributed", std="c++17")


@pytest.fixture
def counting(lib: Any) -> Any:
    class Counting(lib.Listener):  # type: ignore[misc, name-defined]
        step = 1

        def __init__(self, number: int) -> None:
            super().__init__()
            self.heard_so_far: list[int] = []
            self.step = number

        def heard(self, x: int) -> int:
            self.heard_so_far.append(x)
            self.total = sum(self.heard_so_far)
            return self.total * self.step

    return Counting


def test_an_object_remembers(lib: Any, counting: Any) -> None:
    one, other = counting(10), counting(1)
    assert [one.hears(2), lib.told(one, 3), other.hears(4)] == [20, 50, 4]
    assert (one.heard_so_far, other.heard_so_far, one.total) == ([2, 3], [4], 5)
    assert vars(one) == {"heard_so_far": [2, 3], "step": 10, "total": 5}
    assert {"heard_so_far", "total", "number"} <= {*dir(one)}
    assert one.itself() is one.self() is one


def test_what_is_cxx_s_stays_cxx_s(lib: Any, counting: Any) -> None:
    one = counting(1)
    one.number, one.text = 7, "python"
    assert (one.number, one.text, "number" in vars(one)) == (7, "python", False)
    with pytest.raises(sb.ArgumentError):
        one.number = "text"
    with pytest.raises(AttributeError, match=r"variadic.* not bound"):
        one.variadic = 3
    for plain in (lib.Listener(), lib.Plain(), lib.Bytes(1), type("Mine", (lib.Bytes,), {})(1)):
        with pytest.raises(AttributeError, match="extra"):
            plain.extra = 1
        assert not hasattr(plain, "__dict__")


def test_classes_without_overrides_have_them_too(lib: Any) -> None:
    class Mine(lib.Plain):  # type: ignore[misc, name-defined]
        shared = "class"

        @property
        def double(self) -> int:
            return 2 * self.n  # type: ignore[no-any-return]

        def __getattr__(self, name: str) -> str:
            if name.startswith("made_"):
                return name
            raise AttributeError(name)

    class More(Mine):
        pass

    one, more = Mine(), More()
    one.shared = "object"
    more.n = 5
    assert (one.shared, Mine.shared, more.shared, one.made_up, more.double, one.m()) == (
        "object", "class", "class", "made_up", 10, 3,
    )  # fmt: skip
    one.made_up = "set"
    assert one.made_up == "set"
    del one.made_up, one.shared
    assert (one.made_up, one.shared) == ("made_up", "class")
    with pytest.raises(AttributeError, match="double"):
        one.double = 3
    with pytest.raises(AttributeError):
        del one.absent
    one.__dict__ = {"given": 1}
    assert (one.given, vars(one)) == (1, {"given": 1})
    with pytest.raises(TypeError):
        one.__dict__ = 3


def test_a_setattr_of_python_s(lib: Any) -> None:
    class Positive:
        __slots__ = ()

        def __setattr__(self, name: str, value: Any) -> None:
            if isinstance(value, int) and value < 0:
                raise ValueError(name)
            super().__setattr__(name, value)

    class Mine(Positive, lib.Plain):  # type: ignore[misc, name-defined]
        pass

    one = Mine()
    one.n, one.own = 4, 5
    assert (one.n, one.own) == (4, 5)
    for name in ("n", "own"):
        with pytest.raises(ValueError, match=name):
            setattr(one, name, -1)


def test_slots(lib: Any) -> None:
    class Mine(lib.Listener):  # type: ignore[misc, name-defined]
        __slots__ = ("__hidden", "count")

        def __init__(self) -> None:
            self.count, self.__hidden = 0, 5

        def heard(self, x: int) -> int:
            self.count += x
            return self.count + self.__hidden

    class Free(Mine):
        pass

    one = Mine()
    assert [one.hears(2), one.hears(3), one.count] == [7, 10, 5]
    with pytest.raises(AttributeError, match="other"):
        one.other = 1
    del one.count
    for _ in range(2):
        with pytest.raises(AttributeError, match="no attribute 'count'"):
            one.count  # noqa: B018
    with pytest.raises(AttributeError, match="no attribute 'count'"):
        del one.count
    free = Free()
    free.other = free.hears(4)
    assert (free.other, free.count) == (9, 4)
    with pytest.raises(ValueError, match="conflicts with class variable"):
        type("Mine", (lib.Plain,), {"__slots__": ("n",), "n": 3})
    named = type("Mine", (lib.Plain,), {"__slots__": "__weakref__"})()
    assert weakref.ref(named)() is named
    with pytest.raises(TypeError, match=r"__slots__ extra: its instances are C.*no room"):
        type("Mine", (lib.Bytes,), {"__slots__": "extra"})


def test_cxx_keeps_the_object_with_them(lib: Any, counting: Any) -> None:
    keeper = lib.Keeper()
    keeper.held = counting(3)
    gc.collect()
    assert [keeper.tell(1), keeper.tell(2)] == [3, 9]
    assert keeper.get().heard_so_far == [1, 2]


@pytest.mark.parametrize("cycle", ["itself", "method", "list", "callback"])
def test_cycles_end(lib: Any, counting: Any, cycle: str) -> None:
    gc.collect()
    before = lib.Listener.alive
    one = counting(1)
    if cycle == "itself":
        one.me = one
    elif cycle == "method":
        one.bound = one.heard
    elif cycle == "list":
        one.all = [[one], {"one": one}]
    else:
        one.then = lambda x, one=None: x
        one.me = one
    del one
    gc.collect()
    assert lib.Listener.alive == before


def test_many_in_a_row_end_without_recursion(lib: Any, counting: Any) -> None:
    before = lib.Listener.alive
    first = counting(1)
    for _ in range(100_000):
        after = counting(1)
        after.before = first
        first = after
    del first, after
    assert lib.Listener.alive == before


def test_copies(counting: Any, lib: Any) -> None:
    class Mine(lib.Listener):  # type: ignore[misc, name-defined]
        def heard(self, x: int) -> int:
            return x

    one = Mine(5)
    one.list, one.me = [1], one
    shallow, deep = copy.copy(one), copy.deepcopy(one)
    assert (shallow.number, shallow.list is one.list, shallow.me is one) == (5, True, True)
    assert (deep.number, deep.list, deep.list is one.list, deep.me is deep) == (5, [1], False, True)
    one.me = deep.me = None
    with pytest.raises(TypeError, match="cannot pickle"):
        pickle.dumps(one)


def test_a_class_with_del_uses_them(lib: Any) -> None:
    seen: list[int] = []

    class Mine(lib.Plain):  # type: ignore[misc, name-defined]
        def __del__(self) -> None:
            seen.append(self.own + self.m())

    one = Mine()
    one.own = 4
    del one
    assert seen == [7]
