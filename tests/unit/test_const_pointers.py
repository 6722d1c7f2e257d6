"""What C++ gave as a pointer to const goes nowhere where C++ could write through it, and shows as read-only."""

from __future__ import annotations

import ctypes
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.tables import each

import samebytes as sb

from .const_pointers import compared

SOURCE = """
#include <type_traits>
struct Plain { int x; };
struct Fields { const int* p; const void* v; };
inline const int table[2] = {1, 2};
inline const int* numbers() { return table; }
inline const void* anything() { return table; }
inline const int** addresses() { static const int* a[1] = {table}; return a; }
inline int read(const int* p) { return *p; }
inline void write(int* p) { *p = 9; }
inline void write_through(int** p) { **p = 9; }
inline void write_all(void** p) { *(int*)*p = 9; }
inline int read_all(const void* const* p) { return *(const int*)*p; }
inline void refer(int& x) { x = 9; }
inline int which(int*) { return 1; }
inline int which(const int*) { return 2; }
template <class T> int deduced(T*) { return std::is_const_v<T> ? 2 : 1; }
"""


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(SOURCE, arg_intent={"refer": {"x": "inout_ptr"}})


@each(
    "write",
    [
        lambda lib, p: lib.write(p),
        lambda lib, p: lib.write(p[4]),
        lambda lib, p: lib.write(sb.Pointer(p)),
        lambda lib, p: lib.write(sb.DeviceArray(p, device="cpu")),
        lambda lib, p: lib.refer(p),
        lambda lib, p: lib.write_through(p.createRef()),
        lambda lib, p: lib.write_through([p]),
        lambda lib, p: lib.write_through(lib.addresses()),
        lambda lib, p: lib.write_all([p]),
        lambda lib, p: lib.write_all((p,)),
    ],
)
def test_a_constant_is_not_written(lib: Any, write: Any) -> None:
    with pytest.raises(sb.Error, match=r"C\+\+ gave it as const: sb.Pointer\(x, readonly=True\) says"):
        write(lib, lib.numbers())
    assert lib.table.tolist() == [1, 2]


def test_a_read_only_array_stays_what_it_is(lib: Any) -> None:
    x = np.zeros(1, np.int32)
    x.flags.writeable = False
    fields = lib.Fields(x, x)
    for p in (fields.p, fields.v):
        with pytest.raises(sb.IntentError, match="gave it as const"):
            lib.write(p)
    assert x[0] == 0


def test_what_reads_takes_it(lib: Any) -> None:
    p = lib.numbers()
    fields = lib.Fields(p, p)
    assert lib.read(p) == lib.read(fields.p) == lib.read(sb.Pointer(p)) == 1
    assert lib.read(p[4]) == 2
    assert lib.read_all([p]) == 1
    assert p == lib.numbers() == fields.p
    assert hash(p) == hash(sb.Pointer(int(p)))
    assert [one.is_const for one in (p, p[4], sb.Pointer(p), sb.Pointer(int(p)))] == [True, True, True, False]


def test_overloads_are_chosen_as_in_cxx(lib: Any) -> None:
    constant, own = lib.numbers(), sb.Pointer(np.zeros(1, np.int32))
    assert [lib.which(p) for p in (constant, own, constant, own)] == [2, 1, 2, 1]
    assert [lib.deduced(p) for p in (constant, own, constant)] == [2, 1, 2]


def test_a_promise_takes_the_const_away(lib: Any) -> None:
    x = np.zeros(1, np.int32)
    lib.write(sb.Pointer(lib.Fields(x, x).p, readonly=True))
    assert x[0] == 9


def test_arrays_of_it_are_read_only(lib: Any) -> None:
    shown = sb.DeviceArray(lib.numbers(), device="cpu").configure(shape=2, typestr="<i4", _force=True)
    assert np.asarray(shown).tolist() == [1, 2]
    assert memoryview(shown).readonly
    assert not np.asarray(shown).flags.writeable
    assert shown.__array_interface__["data"][1]
    with pytest.raises(sb.ArrayError, match="read-only"):
        lib.write(shown)


def test_records_there_are_const(lib: Any) -> None:
    record = lib.Plain.fromObj(lib.anything())
    assert record.x == 1
    with pytest.raises(AttributeError, match=r"C\+\+ gave it as const"):
        record.x = 2


def test_adapters_that_c_may_write_to_refuse_it(lib: Any) -> None:
    with pytest.raises(sb.ArrayError, match=r"Pointer\(x, readonly=True\) says that it will not"):
        sb.ListOfPointer([lib.numbers()])


def test_scanf_writes_no_constant() -> None:
    code = """
#include <stdio.h>
static const int* numbers(void) { static const int x = 1; return &x; }
#define START ((const void*)16)
"""
    lib = sb.compile(code, language="c", expose=["sscanf", "numbers", "START"])
    assert lib.START.is_const
    assert int(lib.START) == 16
    with pytest.raises(sb.Error, match="gave it as const"):
        lib.sscanf("5", "%d", lib.numbers())


def test_c_sees_whether_a_pointer_is_const(lib: Any) -> None:
    class Struct(ctypes.Structure):
        _fields_ = [
            ("head", ctypes.c_char * object.__basicsize__), ("address", ctypes.c_void_p),
            ("owner", ctypes.c_void_p), ("own", ctypes.c_uint16 * 2), ("const_levels", ctypes.c_uint32),
        ]  # fmt: skip

    assert Struct.from_address(id(lib.numbers())).const_levels == 1
    assert Struct.from_address(id(lib.addresses())).const_levels == 2
    assert Struct.from_address(id(sb.Pointer(1))).const_levels == 0
    assert sys.getsizeof(lib.numbers()) == sys.getsizeof(sb.Pointer(1))


@pytest.mark.full  # g++ and samebytes compile hundreds of functions for each
@pytest.mark.parametrize("seed", range(2))
def test_each_form_beside_gxx(seed: int, tmp_path: Path) -> None:
    verdicts, wrong = compared(seed, 4, tmp_path)
    assert wrong == []
    assert min(verdicts["taken"], verdicts["refused"]) > 20


def test_handles_and_lists_of_a_c_api(tmp_path: Path) -> None:
    header = """
typedef struct handle handle;
const handle* seen(void); handle* own(void); int use(handle* h); int look(const handle* h);
const int* numbers(void);
int read_all(const void** p); int write_all(void** p); void fill(const int** out);
"""
    code = """
#include "api.h"
static int x[2] = {1, 2};
const handle* seen(void) { return (const handle*)x; } handle* own(void) { return (handle*)x; }
int use(handle* h) { return 1; } int look(const handle* h) { return 2; }
const int* numbers(void) { return x; }
int read_all(const void** p) { return *(const int*)p[0]; } int write_all(void** p) { return *(int*)p[0] = 9; }
void fill(const int** out) { *out = x; }
"""
    (tmp_path / "api.h").write_text(header)
    (tmp_path / "api.c").write_text(code)
    lib = sb.bind(tmp_path / "api.h", sources=[tmp_path / "api.c"], language="c", style="c_api")
    assert (lib.use(lib.own()), lib.look(lib.own()), lib.look(lib.seen())) == (1, 2, 2)
    with pytest.raises(sb.IntentError, match=r"const handle.*gave it as const"):
        lib.use(lib.seen())
    p = lib.numbers()
    assert lib.read_all([p]) == lib.read_all((p,)) == 1
    with pytest.raises(sb.ArrayError, match=r"Pointer\(x, readonly=True\) says that it will not"):
        lib.write_all([p])
    filled = [None]
    lib.fill(filled)
    assert filled[0] == p
    assert filled[0].is_const


def test_what_a_read_only_array_shows_is_const_behind_a_pointer_too() -> None:
    lib = sb.compile(
        "void write(int* p) { p[0] = 99; } int read(const int* p) { return p[0]; }", name="of_shown"
    )
    x = np.arange(3, dtype=np.int32)
    x.flags.writeable = False
    shown = sb.DeviceArray(x)
    for address in (shown, sb.Pointer(shown)):
        assert (address.is_const, lib.read(address)) == (True, 0)
        with pytest.raises(sb.Error):
            lib.write(address)
    assert x[0] == 0
    assert not sb.DeviceArray(x.copy()).is_const
