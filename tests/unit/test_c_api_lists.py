"""style="c_api": what C writes to an array that was made of a list is in the list when the call has ended."""

from __future__ import annotations

import array
import ctypes
import gc
import sys
from typing import Any

import numpy as np
import pytest

import samebytes as sb

HEADER = r"""
typedef struct thing_s *thing;
static inline int doubled(int *a, int n) { for (int i = 0; i < n; ++i) a[i] *= 2; return n; }
static inline int unsigned_last(unsigned long *counts, int n) { counts[n - 1] = ~0UL; return n; }
static inline int fixed(int a[3]) { a[2] = -1; return 0; }
static inline int both(int *a, int *b, int n) { a[0] += 1; b[0] += 10; return n; }
static inline int sum(const int *a, int n) { int s = 0; for (int i = 0; i < n; ++i) s += a[i]; return s; }
static inline int things(thing *things, int n) { for (int i = 0; i < n; ++i) things[i] = (thing)(16L * i); return n; }
static inline int places(void **devices, int numDevices) { devices[0] = (void *)16; return numDevices; }
static inline int permute(char **argv, int argc) {
  char *first = argv[0];
  for (int i = 1; i < argc; ++i) argv[i - 1] = argv[i];
  argv[argc - 1] = first;
  return argc;
}
static inline int swap(void **devices, int numDevices) {
  void *first = devices[0];
  devices[0] = devices[1];
  devices[1] = first;
  return numDevices;
}
static inline int named(const char **names, int num_names) { names[0] = "C's own"; return num_names; }
static inline int text(char *a) { return *a; }
static inline int constant_text(const char *a) { return *a; }
static inline int calling(int *a, int n, void (*f)(void)) { f(); a[0] = 7; return n; }
"""


@pytest.fixture(scope="module")
def lib(tmp_path_factory: pytest.TempPathFactory) -> Any:
    path = tmp_path_factory.mktemp("lists") / "lists.h"
    path.write_text(HEADER)
    return sb.bind(path, style="c_api")


class Large(int):
    """A number whose class must stay where C changes nothing."""


MINE = Large(0)
# A function, the list that it is given, and the list afterwards.
ROWS: tuple[tuple[str, list[Any], list[Any]], ...] = (
    ("doubled", [1, 2, 3], [2, 4, 6]),
    ("doubled", [-1, np.int8(5)], [-2, 10]),
    ("doubled", [ctypes.c_int(4)], [8]),
    ("doubled", [], []),
    ("unsigned_last", [1, 2], [1, 2**64 - 1]),
    ("fixed", [1, 2, 3, 4], [1, 2, -1, 4]),
    ("places", [None, 5], [sb.Pointer(16), 5]),
    ("places", [sb.Pointer(None)], [sb.Pointer(16)]),
)


@pytest.mark.parametrize(("name", "given", "after"), ROWS, ids=[f"{r[0]}{r[1]}" for r in ROWS])
def test_what_c_wrote_is_in_the_list(lib: Any, name: str, given: list[Any], after: list[Any]) -> None:
    items = list(given)
    getattr(lib, name)(items, *([] if name == "fixed" else [len(items)]))
    assert items == after


def test_what_c_left_is_the_same_object(lib: Any) -> None:
    items = [MINE, 3]
    lib.doubled(items, 2)
    assert items[0] is MINE
    assert items[1] == 6


def test_handles_come_as_handles(lib: Any) -> None:
    items = [None, None, None]
    assert lib.things(items, 3) == 3
    assert [type(i).__name__ for i in items] == ["NoneType", "thing_s", "thing_s"]
    assert [int(i) for i in items[1:]] == [16, 32]


def test_pointers_that_c_moves_stay_the_objects(lib: Any) -> None:
    """As getopt() permutes its arguments."""
    first, second, third = (bytearray(name, "ascii") for name in ("one", "two", "three"))
    items = [first, second, third]
    lib.permute(items, 3)
    assert [id(i) for i in items] == [id(second), id(third), id(first)]


def test_texts_come_as_pointers(lib: Any) -> None:
    """Nobody says where they end."""
    items: list[Any] = [b"a", b"b"]
    lib.named(items, 2)
    assert type(items[0]) is sb.Pointer
    assert (ctypes.string_at(int(items[0])), items[1]) == (b"C's own", b"b")


def test_a_tuple_is_an_error_where_c_writes(lib: Any) -> None:
    with pytest.raises(
        sb.IntentError, match=r"doubled\(\) wrote to element 1 of the tuple \(0, 2\).*pass a list"
    ):
        lib.doubled((0, 2), 2)
    assert lib.doubled((0, 0), 2) == 2
    assert lib.sum((1, 2), 2) == 3


def test_a_list_that_a_callback_shortens(lib: Any) -> None:
    items = [1, 2, 3]
    assert lib.calling(items, 3, items.clear) == 3
    assert items == []


def test_const_is_only_read(lib: Any) -> None:
    items = [1, 2]
    assert lib.sum(items, 2) == 3
    assert items == [1, 2]


def test_nothing_is_kept(lib: Any) -> None:
    items = [MINE, 2]
    before = sys.getrefcount(items)
    for _ in range(50):
        lib.doubled(items, 2)
        items[1] = 2
    gc.collect()
    assert sys.getrefcount(items) == before


# What C would write to and nobody could see, or must never change.
CONSTANT: tuple[Any, ...] = (
    b"abc",
    "abc",
    memoryview(b"abc"),
    ctypes.c_char_p(b"abc"),
    ctypes.c_wchar_p("abc"),
)


@pytest.mark.parametrize("given", CONSTANT, ids=[type(g).__name__ for g in CONSTANT])
def test_constants_are_refused_where_c_writes(lib: Any, given: Any) -> None:
    with pytest.raises(sb.Error, match=r"text\(\) argument 1 'a': expected"):
        lib.text(given)


PLACES: tuple[Any, ...] = (bytearray(b"abc"), ctypes.create_string_buffer(b"abc"), array.array("b", b"abc"))


@pytest.mark.parametrize("given", PLACES, ids=[type(g).__name__ for g in PLACES])
def test_buffers_are_taken(lib: Any, given: Any) -> None:
    assert lib.text(given) == ord("a")


def test_constant_text_is_read(lib: Any) -> None:
    assert lib.constant_text(ctypes.c_char_p(b"abc")) == lib.constant_text(b"abc") == ord("a")


def test_a_list_that_is_given_twice(lib: Any) -> None:
    items = [1]
    with pytest.raises(sb.IntentError, match=r"both\(\) wrote to element 0 of a list that has changed"):
        lib.both(items, items, 1)
    first, second = [1], [1]
    lib.both(first, second, 1)
    assert (first, second) == ([2], [11])


def test_a_list_that_a_callback_turns_round(lib: Any) -> None:
    items = [1, 2]
    with pytest.raises(sb.IntentError, match=r"by a callback\. Pass an array"):
        lib.calling(items, 2, items.reverse)
    assert items == [2, 1]


def test_a_list_that_changes_while_it_is_read_gets_nothing_back(lib: Any) -> None:
    """What C moved would be taken for what stands in the list by now."""
    one, two = np.zeros(2), np.ones(2)

    class Late:
        array = np.full(3, 7.0)

        @property
        def __array_interface__(self) -> Any:
            items[0] = two
            return self.array.__array_interface__

    items: list[Any] = []
    items.extend([one, Late()])
    with pytest.raises(
        sb.IntentError, match=r"swap\(\) wrote to element 0 of a list that has changed since it was given"
    ):
        lib.swap(items, 2)
    assert items[0] is two
