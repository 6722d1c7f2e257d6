"""What a call and its results keep alive: the targets of pointers in structs, temporaries, locked buffers."""

from __future__ import annotations

import gc
import struct
import sys
import threading
import weakref
from typing import Any

import numpy as np
import pytest

import samebytes as sb

SOURCE = """
#include <atomic>
struct S { double* p; double* q; };
struct T { int n; S s; };
struct Node { Node* next; double v; };
static std::atomic<int> state;
inline void arrive() { state = 1; while (state != 2) {} }
void reset() { state = 0; }
int arrived() { return state; }
void go_on() { state = 2; }
double by_value(S s) { arrive(); return *s.p; }
double by_reference(const S& s) { arrive(); return *s.p; }
double by_mutable_reference(S& s) { double* p = s.p; arrive(); return *p; }
double by_pointer(S* s) { double* p = s->p; arrive(); return *p; }
double nested(T t) { arrive(); return *t.s.p; }
double by_void(void* s) { double* p = static_cast<S*>(s)->p; arrive(); return *p; }
double* same(const double* p) { return const_cast<double*>(p); }
double at(const double* p) { return *p; }
S make(const double* p, double* q) { return {const_cast<double*>(p), q}; }
const double* inside(const S& s) { return s.p; }
const S* whole(const S& s) { return &s; }
double first(const S* s) { return *s->p; }
const double* number(const double& x) { return &x; }
void out(const double* p, const double** r) { *r = p; }
Node* next(Node* n, int) { return n->next ? n->next : n; }
char* text(char* s) { return s; }
const char* echo(const char* s) { return s; }
S same_struct(S s) { return s; }
"""


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(SOURCE, nogil=True, arg_intent={"out": {"r": "out_return"}})


class Memory(np.ndarray):
    """An array that spoils its memory when it dies."""

    def __del__(self) -> None:
        self.fill(-1.0)


def watched(value: float = 3.0) -> Any:
    memory = Memory(4096)
    memory.fill(value)
    return np.asarray(memory)


# --- during a call --------------------------------------------------------------------------------------------------


def while_it_runs(lib: Any, function: Any, argument: Any, change: Any) -> float:
    """The function's result, with `change` made by another thread once C++ runs."""
    lib.reset()
    results: list[float] = []
    thread = threading.Thread(target=lambda: results.append(function(argument)))
    thread.start()
    while lib.arrived() != 1 and thread.is_alive():
        pass
    change()
    gc.collect()
    lib.go_on()
    thread.join()
    return results[0]


@pytest.mark.parametrize(
    "name", ["by_value", "by_reference", "by_mutable_reference", "by_pointer", "by_void"]
)
def test_targets_of_a_record_outlive_the_call(lib: Any, name: str) -> None:
    record = lib.S()
    record.p = watched()

    def change() -> None:
        record.p = None

    assert while_it_runs(lib, getattr(lib, name), record, change) == 3.0


def test_so_do_those_of_nested_records(lib: Any) -> None:
    record = lib.T()
    record.s.p = watched()
    assert while_it_runs(lib, lib.nested, record, lambda: setattr(record.s, "p", None)) == 3.0
    record.s.p = watched()
    assert while_it_runs(lib, lib.by_value, record.s, lambda: setattr(record.s, "p", None)) == 3.0


def test_and_those_of_records_in_tuples_and_lists(lib: Any) -> None:
    for make in (tuple, list):
        record = lib.S()
        record.p = watched()
        items = make([1, record])

        def change(record: Any = record, items: Any = items) -> None:
            record.p = None
            if isinstance(items, list):
                items.clear()

        assert while_it_runs(lib, lib.nested, items, change) == 3.0
    items = [watched(), None]
    assert while_it_runs(lib, lib.by_value, items, items.clear) == 3.0


def test_what_the_call_held_is_let_go(lib: Any) -> None:
    record, array = lib.S(), watched()
    alive = weakref.ref(array)
    record.p = array
    del array
    assert while_it_runs(lib, lib.by_value, record, lambda: None) == 3.0
    record.p = None
    assert alive() is None


# --- results --------------------------------------------------------------------------------------------------------


def test_a_returned_pointer_holds_the_temporary_it_points_to(lib: Any) -> None:
    results = [lib.same(float(i)) for i in range(100)]
    gc.collect()
    np.full(1000, 7.0).copy()
    assert [lib.at(p) for p in results] == [float(i) for i in range(100)]
    p = lib.out(5.0)
    gc.collect()
    assert lib.at(p) == 5.0


def test_so_do_pointers_in_returned_structs(lib: Any) -> None:
    made = [lib.make(float(i), None) for i in range(50)]
    gc.collect()
    assert [lib.at(s.p) for s in made] == [float(i) for i in range(50)]
    kept = lib.S(made[7].p, None)
    made.clear()
    gc.collect()
    assert lib.at(kept.p) == 7.0


def test_a_pointer_to_what_the_frame_held(lib: Any) -> None:
    numbers = [lib.number(float(i)) for i in range(50)]
    assert [lib.at(p) for p in numbers] == [float(i) for i in range(50)]
    array = watched()
    record = lib.S(array, None)
    whole, inside = lib.whole(record), lib.inside(record)
    tuples = [lib.inside((np.full(3, float(i)), None)) for i in range(50)]
    record.p = None
    del array, record
    gc.collect()
    assert lib.at(inside) == 3.0
    assert lib.first(whole) == 3.0
    assert [lib.at(p) for p in tuples] == [float(i) for i in range(50)]


def test_a_buffer_stays_locked(lib: Any) -> None:
    data = bytearray(struct.pack("<2d", 1.5, 2.5))
    lib.same(memoryview(data).cast("d"))
    p = lib.text(data)
    with pytest.raises(BufferError):
        data.append(1)
    del p
    gc.collect()
    data.append(1)


def test_a_returned_pointer_is_let_go(lib: Any) -> None:
    array = watched()
    alive = weakref.ref(array)
    p = lib.same(lib.same(array))
    del array
    assert alive() is not None
    del p
    assert alive() is None


def test_a_pointer_read_from_a_record_holds_its_target(lib: Any) -> None:
    record = lib.S()
    record.p = watched()
    p, other = record.p, lib.S()
    other.p = record.p
    value = lib.T(1, record).value.s
    record.p = None
    del record
    gc.collect()
    assert lib.at(p) == lib.at(other.p) == lib.at(value.p) == 3.0


def test_each_pointer_of_an_assigned_struct_has_its_own_target(lib: Any) -> None:
    outer, first, second = lib.T(), watched(1.0), watched(2.0)
    alive = [weakref.ref(first), weakref.ref(second)]
    outer.s = (first, second)
    del first, second
    outer.s.p = None
    assert lib.at(outer.s.q) == 2.0
    outer.s = (None, None)
    assert [a() for a in alive] == [None, None]
    first, second = watched(1.0), watched(2.0)
    alive = [weakref.ref(first), weakref.ref(second)]
    outer.s = lib.S(first, second)
    del first, second
    outer.s.p = None
    assert lib.at(outer.s.q) == 2.0
    assert alive[0]() is None


# --- no chains ------------------------------------------------------------------------------------------------------


def size_of(root: Any) -> int:
    """The number of objects that one object reaches, classes and modules aside."""
    seen, stack = {}, [root]
    while stack:
        item = stack.pop()
        if id(item) not in seen and not isinstance(item, type | type(sys)):
            seen[id(item)] = item
            stack += gc.get_referents(item)
    return len(seen)


def test_passing_owners_on_makes_no_chains(lib: Any) -> None:
    a, b, c = lib.T(), lib.T(), lib.S()
    a.s = (watched(1.0), watched(2.0))

    def step() -> None:
        b.s = a.s
        a.s = b.s
        c.p = b.s.p
        b.s.p = c.p
        a.s = (b.s.p, c.p)
        c.q = lib.same(a.s.p)

    for _ in range(10):
        step()
    before = size_of((a, b, c))
    for _ in range(200):
        step()
    assert size_of((a, b, c)) <= before
    assert lib.at(a.s.p) == lib.at(c.q) == 1.0


def test_walking_a_list_makes_no_chain(lib: Any) -> None:
    nodes = [lib.Node() for _ in range(3)]
    for one, other in zip(nodes, nodes[1:] + nodes[:1], strict=True):
        one.next = other
    p = lib.next(nodes[0], 1)
    for _ in range(10):
        p = lib.next(p, 1)
    before = size_of(p)
    for _ in range(200):
        p = lib.next(p, 1)
    assert size_of(p) <= before


def test_a_text_behind_a_pointer_outlives_the_call():
    lib = sb.compile(
        "#include <string>\n"
        "std::string first(const char* const* p, void (*f)()) { f(); return p[0]; }\n"
        "unsigned long address(void* const* p) { return (unsigned long)p[0]; }\n"
    )
    junk = []

    def churn():
        gc.collect()
        junk.extend(b"x" * n for n in range(2, 40) for _ in range(200))

    for text in ("äöü€" * 3, "abc" * 4, b"bytes" * 3):
        assert lib.first(text, churn) == (text if isinstance(text, str) else text.decode())
    place = np.array([7], np.uint64)
    assert lib.address(sb.Pointer(place)) == 7
    for either in (bytearray(place), memoryview(bytearray(place)), place):
        with pytest.raises(sb.ArgumentError, match="argument 1 'p'"):
            lib.address(either)
