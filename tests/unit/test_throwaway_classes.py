"""Classes that a program makes as it runs are not kept, and one at the address of another is not taken for it."""

from __future__ import annotations

import ctypes
import dataclasses
import enum
import gc
import os
import typing
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # it takes long

SOURCE = r"""
#include <functional>
#include <samebytes/array.hpp>
#include <string>
#include <vector>
struct R { int a; double b; };
struct V { int v; V() { v = 1; } virtual ~V() {} int get() const { return v; } };
inline double array(samebytes::array<const double, 1> a) { return a.size(); }
inline double pointer(const double* a) { return a != nullptr; }
inline double many(const std::vector<double>& a) { return a.size(); }
inline int whole(int x) { return x; }
inline double real(double x) { return x; }
inline double either(int x) { return x; }
inline double either(double x) { return x; }
inline double either(const std::vector<double>& x) { return x.size(); }
inline double either_object(const V& v) { return v.v; }
inline double either_object(int x) { return x; }
template <class T> double any(T x) { return 1; }
inline int record(R x) { return x.a; }
inline int record_at(const R* x) { return x->a; }
inline int get(const V& v) { return v.v; }
inline int get_at(const V* v) { return v->v; }
inline int call(int (*f)(int)) { return f != nullptr; }
inline int call_kept(const std::function<int(int)>& f) { return f ? 1 : 0; }
inline long address(void* p) { return p != nullptr; }
inline int text(const std::string& s) { return s.size(); }
"""
ROW = np.zeros(4)


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(SOURCE)


def _derived(*bases: type, **members: Any) -> type:
    return type("Once", bases, members)


@dataclasses.dataclass
class _Fields:
    a: int = 1
    b: float = 2.0


MAKERS: dict[str, Callable[[Any], Any]] = {
    "array interface": lambda lib: _derived(__array_interface__=ROW.__array_interface__)(),
    "DLPack": lambda lib: _derived(
        __dlpack__=lambda self, **how: ROW.__dlpack__(**how), __dlpack_device__=lambda self: (1, 0)
    )(),
    "ndarray": lambda lib: ROW.view(_derived(np.ndarray)),
    "int": lambda lib: _derived(int)(3),
    "float": lambda lib: _derived(float)(3),
    "str": lambda lib: _derived(str)("x"),
    "bytes": lambda lib: _derived(bytes)(b"x" * 8),
    "bytearray": lambda lib: _derived(bytearray)(8),
    "list": lambda lib: _derived(list)([1.0]),
    "numpy.int64": lambda lib: _derived(np.int64)(3),
    "numpy.float64": lambda lib: _derived(np.float64)(3),
    "index": lambda lib: _derived(__index__=lambda self: 3)(),
    "callable": lambda lib: _derived(__call__=lambda self, x: x)(),
    "dataclass": lambda lib: dataclasses.dataclass(_derived(_Fields))(),
    "NamedTuple": lambda lib: typing.NamedTuple("Once", [("a", int), ("b", float)])(1, 2.0),  # type: ignore[misc]
    "enumeration": lambda lib: enum.IntEnum("Once", {"X": 3})(3),
    "ctypes structure": lambda lib: _derived(
        ctypes.Structure, _fields_=[("a", ctypes.c_int), ("b", ctypes.c_double)]
    )(1),
    "ctypes address": lambda lib: _derived(ctypes.c_void_p)(ROW.ctypes.data),
    "handle": lambda lib: _derived(lib.V, __slots__=())(),
    "record": lambda lib: _derived(lib.R, __slots__=())(1, 2.0),
    "pointer": lambda lib: _derived(sb.Pointer, __slots__=())(ROW.ctypes.data),
    "struct": lambda lib: sb.struct(_derived(__annotations__={"a": sb.int32, "b": sb.float64}))(1, 2.0),
}
FUNCTIONS = [
    "array",
    "pointer",
    "many",
    "whole",
    "real",
    "either",
    "either_object",
    "any",
    "record",
    "record_at",
    "get",
    "get_at",
    "call",
    "call_kept",
    "address",
    "text",
]
OTHERS: dict[str, Callable[[Any], Any]] = {
    "view": sb.view,
    "pack": lambda obj: sb.pack(obj, sb.int32),
    "as_type": lambda obj: sb.as_type(type(obj)),
    "machine_representation": lambda obj: sb.machine_representation(type(obj)),
    "layout": lambda obj: sb.layout(type(obj)),
    "result_type": lambda obj: sb.result_type(obj, 1.0),
}
_REFUSALS = (sb.Error, TypeError, ValueError, AttributeError)


def _use(lib: Any, maker: str, use: Callable[[Any], Any]) -> Any:
    """A weak reference to a class of which one object was used."""
    obj = MAKERS[maker](lib)
    try:
        use(obj)
    except _REFUSALS as error:
        error.__traceback__ = None
    return weakref.ref(type(obj))


@pytest.mark.parametrize("maker", MAKERS)
def test_a_class_seen_once_is_not_kept(lib: Any, maker: str) -> None:
    uses = {**{name: getattr(lib, name) for name in FUNCTIONS}, **OTHERS}
    seen = {name: [_use(lib, maker, use) for _ in range(3)] for name, use in uses.items()}
    gc.collect()
    gc.collect()
    left = {name: sum(ref() is not None for ref in refs) for name, refs in seen.items()}
    # What compares equal to a type that a bounded cache has is that type there.
    assert {name: count for name, count in left.items() if count > 1} == {}


def _resident() -> int:
    """Bytes of this process in memory."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.parametrize("maker", ["array interface", "DLPack", "int", "handle", "struct", "callable"])
def test_many_classes_need_no_more_memory_than_few(lib: Any, maker: str) -> None:
    use = {"handle": lib.either_object, "struct": lib.record, "callable": lib.call, "int": lib.either}.get(
        maker, lib.array
    )

    def run(count: int) -> None:
        for i in range(count):
            _use(lib, maker, use)
            if not i % 200:
                gc.collect()
        gc.collect()

    run(1000)
    before = _resident()
    run(4000)
    assert _resident() - before < 4 << 20  # it was 2.7 to 8.6 kB each, 11 to 34 MB


def test_an_address_that_is_another_classes_now(lib: Any) -> None:
    addresses: set[int] = set()
    reused = 0
    for i in range(300):
        array, plain = not i % 2, bool(i % 2)
        members = {"__array_interface__": ROW.__array_interface__} if array else {}
        obj = _derived(**members)()
        reused += id(type(obj)) in addresses
        addresses.add(id(type(obj)))
        for function in (lib.array, lib.pointer, lib.many, lib.either):
            if plain:
                with pytest.raises(sb.ArgumentError):
                    function(obj)
            else:
                assert function(obj)
        del obj
        gc.collect()
    assert reused > 10  # else the test shows nothing


def test_a_class_that_lives_stays_known(lib: Any) -> None:
    cls = _derived(lib.V, __slots__=())
    for _ in range(3):
        assert lib.get(cls()) == 1
        for _ in range(100):
            _use(lib, "handle", lib.get)
        gc.collect()


def test_classes_that_die_in_each_others_finalizers(lib: Any) -> None:
    seen: list[float] = []

    class Late:
        __array_interface__ = ROW.__array_interface__

        def __del__(self) -> None:
            seen.append(lib.array(self))

    for _ in range(20):
        cls = type("Once", (Late,), {})
        obj = cls()
        obj.itself = obj  # type: ignore[attr-defined]
        lib.array(obj)
        cls.one = obj  # type: ignore[attr-defined]
        del obj, cls
        gc.collect()
    assert seen == [4.0] * 20
