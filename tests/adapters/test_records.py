"""Wrapper types: the records and function pointers of a C header, in HIP Python's style (statements W.…)."""

from __future__ import annotations

import ctypes
import gc
import pickle
import weakref
from enum import IntEnum

import numpy as np
import pytest

import samebytes as sb

HEADER = """
#include <stdint.h>
#include <stddef.h>
typedef enum { RED, BLUE = 5 } color_t;
typedef struct { int x; float y; } inner_t;
typedef union { int i; double d; unsigned char raw[8]; } value_t;
typedef int (*step_t)(int, void*);
typedef struct {
  short tag; inner_t inner; inner_t *next; int grid[2][3]; char name[8]; color_t color; value_t value; step_t step;
  unsigned low : 3, high : 5;
  struct { int left; int right; };
} outer_t;
typedef struct {
  void *memory; const int *numbers; inner_t *record; const char *text; const char *const *words; void **places;
  step_t step; void *several[2];
} places_t;
uint64_t where(const void *memory);
uint64_t where_of(const inner_t *record);
uint64_t where_rows(int (*rows)[3]);
int total(inner_t *record);
int grid_of(const outer_t *record, int i, int j);
void shift(inner_t *record, int by);
int run(step_t step, int n, void *context);
uint64_t where_step(step_t step);
size_t sizes(int which);
int plain(int number);
uint64_t sum(void *const *places, int n);
"""
SOURCE = """
#include "wrapped.h"
uint64_t where(const void *m) { return (uint64_t)m; }
uint64_t where_of(const inner_t *r) { return (uint64_t)r; }
uint64_t where_rows(int (*rows)[3]) { return (uint64_t)rows; }
int total(inner_t *r) { return r ? r->x : -1; }
int grid_of(const outer_t *r, int i, int j) { return r->grid[i][j]; }
void shift(inner_t *r, int by) { r->x += by; }
int run(step_t step, int n, void *context) { return step ? step(n, context) : -1; }
uint64_t where_step(step_t step) { return (uint64_t)step; }
size_t sizes(int which) { return which == 0 ? sizeof(inner_t) : which == 1 ? sizeof(value_t) : sizeof(outer_t); }
int plain(int number) { return number; }
uint64_t sum(void *const *places, int n) {
  uint64_t all = 0;
  while (n--) all += (uint64_t)places[n];
  return all;
}
"""


@pytest.fixture(scope="module")
def lib(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wrapped")
    (folder / "wrapped.h").write_text(HEADER)
    (folder / "wrapped.c").write_text(SOURCE)
    return sb.bind(folder / "wrapped.h", sources=[folder / "wrapped.c"], style="c_api")


@pytest.fixture
def inner(lib):
    return lib.inner_t(7, 2.5)


class Shown:
    """Memory of its own, shown by the CUDA Array Interface."""

    def __init__(self, memory):
        self.memory = memory
        self.__cuda_array_interface__ = {
            "shape": (8,), "typestr": "|u1", "data": (memory.ctypes.data, False), "version": 3,
        }  # fmt: skip


@pytest.mark.statement("W.1")
def test_each_has_a_class_of_its_own(lib):
    classes = [lib.inner_t, lib.outer_t, lib.value_t, lib.step_t]
    assert len(set(classes)) == 4
    assert all(isinstance(cls, type) for cls in classes)
    assert type(lib.outer_t().inner) is lib.inner_t
    assert type(lib.outer_t().step) is lib.step_t


@pytest.mark.statement("W.2")
@pytest.mark.parametrize(
    ("args", "named", "values"),
    [
        ((), {}, [0, 0]),
        ((3,), {}, [3, 0]),
        ((3, 1.5), {}, [3, 1.5]),
        ((), {"y": 2}, [0, 2]),
        ((3,), {"y": 4}, [3, 4]),
    ],
)
def test_records_are_made_of_values(lib, args, named, values):
    assert [*lib.inner_t(*args, **named)] == values


@pytest.mark.statement("W.2", "H.36")
@pytest.mark.parametrize(
    ("args", "named", "words"),
    [
        ((1, 2, 3), {}, "got 3 arguments"),
        ((1,), {"x": 2}, "'x' twice"),
        ((), {"z": 1}, "no field 'z'; its fields are x, y"),
        ((1.5,), {}, r"argument 1 'x': expected int32 .*got 1\.5"),
        ((2**31,), {}, "got 2147483648"),
    ],
)
def test_values_that_do_not_fit_are_refused(lib, args, named, words):
    with pytest.raises(sb.Error, match=words):
        lib.inner_t(*args, **named)


@pytest.mark.statement("W.4", "W.5", "W.6", "W.7", "W.8", "W.9")
def test_what_stands_for_a_record(lib, inner):
    memory = np.frombuffer(bytes(inner), np.uint8).copy()
    for stands in (inner, int(inner), ctypes.c_void_p(int(inner)), sb.Pointer(inner), memory, bytearray(bytes(inner)),
                   Shown(memory)):  # fmt: skip
        assert lib.total(stands) == 7
    for null in (None, 0, ctypes.c_void_p()):
        assert lib.total(null) == -1
    lib.shift(memory, 3)
    assert lib.inner_t.fromObj(memory).x == 10
    for other in (int(inner), ctypes.c_void_p(5), memory, Shown(memory)):
        with pytest.raises(sb.Error):
            lib.inner_t(other, other)


@pytest.mark.statement("W.9")
def test_a_buffer_is_held_through_the_call_and_no_longer(lib):
    held = []

    def seen(n, context):
        try:
            buffer.append(0)
        except BufferError:
            held.append(n)
        return n

    buffer = bytearray(8)
    lib.run(seen, 5, buffer)
    assert held == [5]
    buffer.append(0)


@pytest.mark.statement("W.9")
@pytest.mark.parametrize(
    "few",
    [
        bytearray(7), np.zeros(7, "u1"), memoryview(bytearray(4)), sb.DeviceArray(bytearray(7)),
        sb.ListOfInt([1]),
    ],
)  # fmt: skip
def test_memory_that_is_too_small_is_refused(lib, few):
    with pytest.raises(
        sb.ArrayError, match=r"total\(\) argument 1 'record': expected the 8 bytes of inner_t.*It has"
    ):
        lib.total(few)


@pytest.mark.statement("W.9")
@pytest.mark.parametrize("adapter", [sb.DeviceArray, sb.ListOfInt, sb.Pointer])
def test_adapters_of_memory_that_is_large_enough_pass(lib, adapter):
    words = [3, 4] if adapter is sb.ListOfInt else bytearray(bytes(lib.inner_t(3, 4)))
    assert lib.total(adapter(words)) == 3


@pytest.mark.statement("W.9")
def test_pointers_to_const_take_memory_that_is_read_only(lib):
    words = lib.outer_t(grid=[[1, 2, 3], [4, 5, 6]])
    locked = np.frombuffer(bytes(words), "u1")
    for stands in (bytes(words), memoryview(bytes(words)), locked):
        assert lib.grid_of(stands, 1, 2) == 6
    assert lib.where_of(lib.inner_t(1, 2).value) > 0
    for stands in (bytes(8), memoryview(bytes(8)), locked, lib.inner_t(1, 2).value):
        with pytest.raises(sb.ArrayError, match=r"total\(\) argument 1 'record'.*read-only"):
            lib.total(stands)
    with pytest.raises(
        sb.ArrayError, match=r"grid_of\(\) argument 1 'record': expected the \d+ bytes of outer_t"
    ):
        lib.grid_of(bytes(8), 1, 2)


@pytest.mark.statement("W.10", "W.5", "W.6", "W.7")
def test_what_stands_for_a_function_pointer(lib):
    step = lib.step_t(lambda n, context: n + 1)
    for stands in (step, int(step), ctypes.c_void_p(int(step)), sb.Pointer(step), lambda n, context: n + 1):
        assert lib.run(stands, 4, None) == 5
    for null in (None, 0, ctypes.c_void_p(), lib.step_t(None)):
        assert lib.run(null, 4, None) == -1
    with pytest.raises(
        sb.RangeError, match=r"run\(\) argument 1 'step': expected an address from 0 .* got -1"
    ):
        lib.run(-1, 4, None)
    for never in (bytearray(8), np.zeros(8), Shown(np.zeros(8, "u1")), True, 1.5, "step"):
        with pytest.raises(sb.ArgumentError, match=r"run\(\) argument 1 'step': expected a callable"):
            lib.run(never, 4, None)


@pytest.mark.statement("W.11")
def test_the_order_of_checks_for_records(lib):
    interface = {"shape": (8,), "typestr": "|u1", "data": (4096, False), "version": 3}
    shows = {"__cuda_array_interface__": interface}
    assert lib.where_of(type("Number", (int,), shows)(64)) == 64
    assert lib.where_of(type("Void", (ctypes.c_void_p,), shows)(64)) == 64
    assert (
        lib.where_of(
            type("Mine", (sb.Pointer,), {"__cuda_array_interface__": property(lambda _: interface)})(64)
        )
        == 64
    )
    assert lib.where_of(type("Buffer", (bytearray,), shows)(8)) == 4096


@pytest.mark.statement("W.12", "H.47")
def test_fields_are_properties(lib, inner):
    inner.x = 9
    inner["y"] = 1.25
    assert (inner.x, inner["x"], inner.y) == (9, 9, 1.25)
    assert lib.inner_t.PROPERTIES() == inner.PROPERTIES() == ("x", "y")
    assert dict(inner) == {"x": 9, "y": 1.25}
    assert [name in inner for name in ("x", "y", "z", 9, None)] == [True, True, False, False, False]
    assert lib.outer_t.PROPERTIES()[-4:] == ("low", "high", "left", "right")
    with pytest.raises(KeyError, match="no field 'z'"):
        inner["z"]
    with pytest.raises(sb.Error, match="got 9 "):
        lib.outer_t().low = 9


@pytest.mark.statement("W.13", "H.26", "H.39", "H.40")
def test_parts_of_records(lib):
    outer = lib.outer_t(tag=1, inner=lib.inner_t(2, 3))
    part = outer.inner
    part.x = 5
    lib.shift(part, 1)
    assert outer.inner.x == 6
    assert int(part) == int(outer) + 4
    outer.grid[1, 2] = 8
    outer.grid[0] = [1, 2, 3]
    outer.name = b"device"
    assert lib.grid_of(outer, 1, 2) == 8
    outer.grid = [[1, 2, 3], [4, 5, 6]]
    assert lib.grid_of(outer, 1, 0) == 4
    with pytest.raises(sb.Error):
        outer.grid = [1, 2]
    del outer
    gc.collect()
    junk = [lib.outer_t() for _ in range(1000)]
    assert (part.x, part.y, len(junk)) == (6, 3, 1000)


@pytest.mark.statement("W.14")
def test_unions_and_enumerations(lib):
    value = lib.value_t(d=1.0)
    assert value.raw.tolist() == list(np.float64(1).tobytes())
    value.i = -1
    assert value.raw[:4].tolist() == [255] * 4
    with pytest.raises(sb.ArgumentError, match="share their bytes: give one"):
        lib.value_t(i=1, d=2)
    assert issubclass(lib.color_t, IntEnum)
    outer = lib.outer_t(color=lib.BLUE)
    assert (outer.color, outer.color.name) == (5, "BLUE")
    outer.color = lib.color_t(77)
    assert int(outer.color) == 77


@pytest.mark.statement("W.15")
def test_sizes(lib):
    for number, cls in enumerate((lib.inner_t, lib.value_t, lib.outer_t)):
        size = lib.sizes(number)
        assert (cls.c_sizeof(), cls().c_sizeof(), len(memoryview(cls()).cast("B"))) == (size, size, size)


@pytest.mark.statement("H.46")
def test_records_are_equal_and_pickle(lib, inner):
    assert inner == lib.inner_t(7, 2.5) != lib.inner_t(7, 3)
    assert pickle.loads(pickle.dumps(inner)) == inner


@pytest.mark.statement("W.16", "H.37", "H.38")
def test_records_where_memory_is(lib, inner):
    buffer = bytearray(bytes(inner))
    there = lib.inner_t.fromObj(buffer)
    there.x = 20
    assert bytes(buffer[:4]) == (20).to_bytes(4, "little")
    with pytest.raises(BufferError):
        buffer.append(0)
    assert lib.inner_t.fromObj(int(inner)).x == 7
    assert lib.inner_t.fromObj(ctypes.c_void_p(int(inner))).x == 7
    assert lib.inner_t.fromObj(None) is None
    for wrong, words in ((bytes(8), "read-only"), (bytearray(7), "it has 7 bytes, and the record takes 8")):
        with pytest.raises(sb.ArrayError, match=words):
            lib.inner_t.fromObj(wrong)


PLACES = ["memory", "numbers", "record", "words", "places", "step"]


@pytest.mark.statement("W.18")
@pytest.mark.parametrize("name", PLACES)
def test_fields_take_addresses_as_parameters_do(lib, name):
    record = lib.places_t()
    for given, address in (
        (4096, 4096),
        (ctypes.c_void_p(64), 64),
        (sb.Pointer(8), 8),
        (np.int64(8192), 8192),
        (None, 0),
    ):
        setattr(record, name, given)
        for made in (record, lib.places_t(**{name: given}), record.replace(**{name: given})):
            shown = getattr(made, name)
            assert (shown is None and name == "record" and not address) or int(shown) == address
    small = (16, np.int64(4095)) if name == "numbers" else ()  # a number that was meant for C, and no address
    for wrong in (True, -1, 1.5, object(), *small):
        with pytest.raises(sb.Error, match=rf"places_t\.{name}: expected"):
            setattr(record, name, wrong)
        with pytest.raises(sb.Error, match=rf"places_t\(\) argument \d '{name}': expected"):
            lib.places_t(**{name: wrong})


@pytest.mark.statement("W.18")
def test_fields_take_memory_and_lists_and_keep_them(lib, inner):
    record, numbers, buffer = lib.places_t(), np.arange(3, dtype="i4"), bytearray(8)
    record.memory, record.record, record.numbers = buffer, buffer, [7, 8]
    record.words, record.places = [b"one", b"two"], [None, numbers, 5]
    record.several = [4096, None]
    gc.collect()
    with pytest.raises(BufferError):
        buffer.append(0)
    assert list((ctypes.c_int * 2).from_address(int(record.numbers))) == [7, 8]
    assert list((ctypes.c_char_p * 2).from_address(int(record.words))) == [b"one", b"two"]
    assert list((ctypes.c_size_t * 3).from_address(int(record.places))) == [0, numbers.ctypes.data, 5]
    assert bytes(record)[-16:] == (4096).to_bytes(16, "little")
    record.record = inner
    assert int(record.record) == int(inner)
    record.memory = None
    buffer.append(0)
    with pytest.raises(sb.ArrayError, match=r"places_t\.record: expected the 8 bytes of inner_t.*It has 7"):
        record.record = bytearray(7)
    with pytest.raises(sb.ArrayError, match=r"places_t\.numbers: expected .*int32"):
        record.numbers = np.zeros(3)
    with pytest.raises(sb.RangeError, match=r"places_t\.numbers\[1\]: expected .*2147483648"):
        record.numbers = [1, 2**31]


@pytest.mark.statement("L.11")
def test_functions_take_lists_of_pointers(lib, inner):
    numbers = np.arange(3)
    assert lib.sum([None, 7, numbers, inner, sb.Pointer(9)], 5) == 16 + numbers.ctypes.data + int(inner)
    assert lib.sum((5, 6), 2) == lib.sum(sb.ListOfPointer([5, 6]), 2) == 11
    with pytest.raises(sb.ArgumentError, match=r"sum\(\) argument 1 'places\[1\]': expected None, a Pointer"):
        lib.sum([None, {}], 2)


@pytest.mark.statement("W.17", "H.41")
def test_function_pointers_take_callables_and_keep_them(lib):
    def twice(n, context):
        return 2 * n

    alive = weakref.ref(twice)
    step, outer = lib.step_t(twice), lib.outer_t()
    outer.step = step
    del twice, step
    gc.collect()
    assert alive() is not None
    assert lib.run(outer.step, 21, None) == 42
    assert outer.step(4, None) == 8
    outer.step = None
    gc.collect()
    assert not outer.step
    assert int(lib.step_t(64)) == 64


@pytest.mark.statement("X.5", "X.9")
def test_the_address_of_a_record_is_its_int(lib, inner):
    outer = lib.outer_t()
    for record in (inner, outer, outer.inner, outer.value):
        assert lib.where(int(record)) == lib.where(record) == int(record)
    assert hex(int(inner)) == hex(sb.Pointer(inner))
    with pytest.raises(sb.ArgumentError, match="expected int32"):
        lib.plain(inner)


@pytest.mark.statement("P.12", "P.13", "X.8")
def test_pointers_of_any_type(lib, library):
    numbers = np.arange(6, dtype="i4")
    for stands in (
        numbers,
        sb.Pointer(numbers),
        numbers.ctypes.data,
        sb.ListOfInt(numbers),
        sb.DeviceArray(numbers),
    ):
        assert lib.where(stands) == numbers.ctypes.data
    for stands in (sb.Pointer(numbers), numbers.ctypes.data, numbers.reshape(2, 3), None):
        assert lib.where_rows(stands) == (0 if stands is None else numbers.ctypes.data)
    assert library.total(sb.ListOfInt([1, 2, 3]), 3) == 6
    made = sb.ListOfInt([1, 2, 3])
    assert lib.where(made) == int(made)
