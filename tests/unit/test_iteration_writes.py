"""Where a call may write to what is iterated: no step uses an iterator that C++ may have made invalid.

No loop ends for less than that, and none that has ended costs later calls anything.
"""

from __future__ import annotations

import ctypes
import gc
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import samebytes as sb
from samebytes import _native

pytestmark = pytest.mark.full  # to read and to compile it takes seconds

SOURCE = Path(__file__).with_name("iteration_writes.hpp")
CHANGED = "may change it"


@pytest.fixture(scope="module")
def built() -> Any:
    return sb.compile(SOURCE.read_text(), name="writes", std="c++17")


@pytest.fixture
def lib(built: Any) -> Any:
    """The library; no iterator is used where C++ would find garbage."""
    before = built.used_after_a_change()
    yield built
    assert built.used_after_a_change() == before


def live() -> bool:
    """Whether any loop stands in the core's list, which calls look through."""
    gc.collect()
    return bool(ctypes.c_void_p.from_address(_native.ITERATIONS).value)


WAYS: dict[str, Callable[[Any, Any, Callable[[], None]], Any]] = {
    "method": lambda lib, bag, f: bag.call_then_clear(f),
    "C function": lambda lib, bag, f: bag.call_c_then_clear(f),
    "reference": lambda lib, bag, f: lib.call_then_clear(bag, f),
    "by name": lambda lib, bag, f: lib.call_then_clear(f=f, b=bag),
    "void*": lambda lib, bag, f: lib.call_then_clear_void(bag, f),
    "vector of pointers": lambda lib, bag, f: lib.call_then_clear_all([lib.Bag(), bag], f),
    "reference_wrapper": lambda lib, bag, f: lib.call_then_clear_reference(bag, f),
    "field of a tuple": lambda lib, bag, f: lib.call_then_clear_field((bag,), f),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("steps", [0, 1, 2])
def test_what_begins_in_a_callback_is_stale_when_cxx_has_gone_on(lib: Any, way: str, steps: int) -> None:
    bag, begun = lib.Bag(), []

    def begin() -> None:
        begun.append(iter(bag))
        assert [next(begun[0]) for _ in range(steps)] == [0, 1][:steps]

    WAYS[way](lib, bag, begin)
    with pytest.raises(RuntimeError, match=CHANGED):
        next(begun[0])
    assert list(begun[0]) == []
    assert list(bag) == [0, 1, 2, 3]


@pytest.mark.parametrize("way", WAYS)
def test_so_is_what_makes_a_step_there(lib: Any, way: str) -> None:
    bag, caught = lib.Bag(), []
    iterator = iter(bag)
    next(iterator)

    def step() -> None:
        with pytest.raises(RuntimeError, match=CHANGED):
            next(iterator)
        caught.append(True)

    WAYS[way](lib, bag, step)
    assert caught == [True]
    assert list(iterator) == []


def test_a_generator_of_a_callback(lib: Any) -> None:
    bag, made = lib.Bag(), []

    def generate() -> None:
        made.append(x for x in bag)
        next(made[0])

    bag.call_then_clear(generate)
    with pytest.raises(RuntimeError, match=CHANGED):
        next(made[0])


def test_between_two_callbacks_of_one_call(lib: Any) -> None:
    bag, begun = lib.Bag(), []

    def step() -> None:
        with pytest.raises(RuntimeError, match=CHANGED):
            next(begun[0])
        begun.append(None)

    bag.clear_between(lambda: begun.append(iter(bag)), step)
    assert len(begun) == 2


def test_in_a_callback_within_a_callback(lib: Any) -> None:
    bag, begun = lib.Bag(), []
    bag.clear_between(lambda: lib.Bag().call(lambda: begun.append(iter(bag))), lambda: None)
    with pytest.raises(RuntimeError, match=CHANGED):
        next(begun[0])


def test_a_call_that_throws(lib: Any) -> None:
    bag, begun = lib.Bag(), []
    with pytest.raises(IndexError, match="thrown"):
        bag.clear_and_throw(lambda: begun.append(iter(bag)))
    with pytest.raises(RuntimeError, match=CHANGED):
        next(begun[0])


class Begins:
    """A callable whose end, which C++ decides, begins a loop."""

    def __init__(self, bag: Any, begun: list[Any]) -> None:
        self.bag, self.begun = bag, begun

    def __call__(self) -> None: ...

    def __del__(self) -> None:
        self.begun.append(iter(self.bag))


def test_what_runs_where_cxx_drops_a_callable(lib: Any) -> None:
    bag, begun, caught = lib.Bag(), [], []

    def step() -> None:
        with pytest.raises(RuntimeError, match=CHANGED):
            next(begun[0])
        caught.append(True)

    bag.keep(Begins(bag, begun))
    gc.collect()
    assert begun == []
    bag.drop_then_clear(step)
    assert caught == [True]


def test_in_another_thread(lib: Any) -> None:
    bag, begun = lib.Bag(), []

    def elsewhere() -> None:
        thread = threading.Thread(target=lambda: begun.append(iter(bag)))
        thread.start()
        thread.join()

    bag.call_then_clear(elsewhere)
    with pytest.raises(RuntimeError, match=CHANGED):
        next(begun[0])


def test_a_loop_inside_of_a_callback_goes_on(lib: Any) -> None:
    bag, seen = lib.Bag(), []
    bag.call(lambda: seen.extend(bag))
    bag.call(lambda: seen.extend(x for x in bag for y in bag if x == y))
    assert seen == [0, 1, 2, 3] * 2
    first = iter(bag)
    assert bag.call_const(lambda: seen.append(next(first))) == 4
    assert [next(first), bag.look(), next(first), seen[-1]] == [1, 4, 2, 0]


def test_an_overload_that_was_tried_and_not_taken_ends_no_loop(lib: Any) -> None:
    bag = lib.Bag()
    assert [(x, lib.scaled(bag, 1), lib.scaled(bag, "a")) for x in bag] == [(x, 3, 2) for x in range(4)]
    for _ in bag:
        with pytest.raises(TypeError):
            lib.scaled(bag, object())
    iterator = iter(bag)
    next(iterator)
    assert lib.scaled(bag, lib.Small(1)) == 1
    with pytest.raises(RuntimeError, match=CHANGED):
        next(iterator)


def test_a_call_that_is_refused_ends_no_loop(lib: Any) -> None:
    bag, seen = lib.Bag(), []
    for x in bag:
        for wrong in (lambda: lib.call_then_clear(bag, 5), lambda: lib.call_then_clear_all([bag], 5)):
            with pytest.raises(TypeError):
                wrong()
        seen.append(x)
    assert seen == [0, 1, 2, 3]


def test_to_begin_at_a_part_changes_nothing(lib: Any) -> None:
    owner = lib.Owner()
    assert [(x, y) for x in owner for y in owner.bag] == [(x, y) for x in range(3) for y in range(4)]
    part = iter(owner.bag)
    assert [next(part), list(owner), next(part)] == [0, [0, 1, 2], 1]


def test_a_loop_at_its_end_stands_in_no_list(lib: Any) -> None:
    assert not live()
    items, bag = lib.Items(), lib.Bag()
    kept = [[*items] for _ in range(3)]
    assert not live()
    for element in items:
        kept.append([element])
        break
    assert not live()
    iterator = iter(bag)
    next(iterator)
    assert live()
    bag.clear()
    assert not live()
    iterator = iter(items)
    kept.append([next(iterator)])
    items.touch()
    assert not live()
    assert next(iterator).n == 1
    assert live()
    sb.delete(iterator)
    assert not live()
    with pytest.raises(ValueError, match="gone"):
        next(iterator)
    assert [e.n for some in kept for e in some] == [0, 1, 2, 3] * 3 + [0, 0]


@pytest.mark.parametrize("kind", ["Items", "Made"])
def test_elements_outlive_the_loop_that_gave_them(lib: Any, kind: str) -> None:
    kept = []
    for _ in range(50):
        whole = getattr(lib, kind)()
        iterator = iter(whole)
        kept.append([next(iterator), next(iterator)])
        kept.append([*whole])
        del whole, iterator
    gc.collect()
    assert not live()
    assert all([e.n for e in some] == [*range(len(some))] for some in kept)
    kept[0].clear()
    gc.collect()
    assert [e.n for e in kept[1]] == [0, 1, 2, 3]


def test_an_iterator_in_a_cycle_that_dies(lib: Any) -> None:
    class Holds:
        it: Any

    holder = Holds()
    holder.it = zip(iter(lib.Items()), iter(lambda held=holder: held, None), strict=False)
    next(holder.it)
    del holder
    gc.collect()
    assert not live()


def test_elements_that_cannot_be_moved(lib: Any) -> None:
    assert [p.n for p in lib.Pins()] == [0, 1, 2]


COMPILED = """
class Bag {
  int version = 0;
 public:
  ~Bag() {}
  struct it { int at; int operator*() const { return at; } it& operator++() { return ++at, *this; }
    bool operator!=(it o) const { return at != o.at; } };
  it begin() const { return {0}; }
  it end() const { return {3}; }
  void clear() { ++version; }
  int look() const { return version; }
};
struct Plain { int version = 0; Bag::it begin() const { return {0}; } Bag::it end() const { return {3}; }
  void clear() { ++version; } int look() const { return version; } };
"""


@pytest.mark.full
@pytest.mark.parametrize("kind", ["Bag", "Plain"])
def test_compiled_code_may_write_as_well(kind: str) -> None:
    numba = pytest.importorskip("numba")
    lib = sb.compile(COMPILED, target="numba")

    @numba.njit
    def clear(bag: Any) -> None:
        bag.clear()

    whole, other = getattr(lib, kind)(), getattr(lib, kind)()
    iterator = iter(whole)
    assert [next(iterator), clear(other), next(iterator)] == [0, None, 1]
    clear(whole)
    with pytest.raises(RuntimeError, match=CHANGED):
        next(iterator)
    assert [whole.look(), list(whole)] == [1, [0, 1, 2]]
