"""Cycles of callbacks, calls, views, adapters and a C API; with those of objects, all there are."""

from __future__ import annotations

import ctypes
import pickle
import weakref
from collections.abc import Callable
from contextlib import suppress
from types import SimpleNamespace
from typing import Any

import numpy as np
from objects import handles, overriding, records
from shared import BUFFER, BUFFER_VIEW, INTERFACE, F, Producer, Silent, Weak, X, plus, raises, refused, text

import samebytes as sb


def callbacks(lib: Any) -> dict[str, Callable[[], Any]]:
    """Python callables as C functions."""
    unary = lib.unary
    kept = SimpleNamespace(hook=None)

    def stored() -> None:
        kept.hook = unary(Silent())
        lib.store(kept.hook)
        assert lib.fire(4) == 4
        lib.store(None)
        kept.hook = None

    def field() -> None:
        made = lib.Refs()
        made.f = lambda x: x + 2
        made.f = plus
        assert lib.call(made, 3) == 4
        assert made.f(5) == 6
        made.f = None

    def replacing() -> None:
        made = lib.Refs()

        def own(x: int) -> int:
            made.f = None
            return x

        made.f = own
        assert lib.call(made, 3) == 3

    return {
        "a callback": lambda: lib.apply(lambda x: x + 1, 3),
        "a callback that is kept": stored,
        "a callback in a field": field,
        "a callback that replaces itself": replacing,
        "a callback that raises": lambda: refused(lib.apply, raises, 1, error=KeyError),
        "a callback that gives text": lambda: (lib.said(text, 3), lib.longest(text, 3)),
        "a callback that gives too much": lambda: refused(lib.apply, lambda x: "no", 1),
        "a refused callback": lambda: refused(lib.apply, lambda x, y: x, 1),
        "sb.callback": lambda: sb.callback(plus, "int(*)(int)")(3),
    }


def calls(lib: Any) -> dict[str, Callable[[], Any]]:
    """Arguments, results, and calls that fail with each argument."""
    good = (X, BUFFER_VIEW, lib.Point(1, 2.0), plus, "text", 3, [1.0, 2.0], lib.Either(i=1))
    bad = (F, "x", 1, "f", 5, 2.5, ["x"], 3.5)
    wrong = [(*good[:i], bad[i], *good[i + 1 :]) for i in range(len(good))]

    def failing() -> None:
        for args in wrong:
            refused(lib.many, *args)

    return {
        "many arguments": lambda: lib.many(*good),
        "each argument wrong": failing,
        "results": lambda: (lib.numbers(5), lib.words(3), lib.table(1), lib.maybe(0), lib.maybe(4)),
        "wires": lambda: (lib.total([1.0, 2.0]), lib.total(X), lib.joined(["a", "ä"])),
        "outputs": lambda: lib.out(3),
        "pointers": lambda: (lib.same(X), lib.same(BUFFER_VIEW), lib.same(1.5)),
        "structs with pointers": lambda: lib.refs(X, X).p,
        "overloads": lambda: (
            lib.over(X),
            lib.over(F),
            lib.over("s"),
            lib.over(lib.Point()),
            lib.over((1, 2.0)),
        ),
        "no overload": lambda: (refused(lib.over, None, BUFFER), refused(lib.over, 1j)),
        "C++ throws": lambda: refused(lib.fail, BUFFER_VIEW, "far", error=IndexError),
        "templates": lambda: (lib.twice(3), lib.twice(1.5), lib.sum(X, 8), lib.sum(F, 8), lib.twice[int](2)),
        "class templates": lambda: lib.Few[int, 3]().first(),
        "functions by pickle": lambda: pickle.loads(pickle.dumps(lib.apply)),
    }


def arrays(lib: Any) -> dict[str, Callable[[], Any]]:
    """Views and adapters."""
    shown, device = sb.view(X), sb.DeviceArray(X)

    def exports() -> None:
        seen = sb.view(X)
        np.from_dlpack(seen)
        seen.__dlpack__()  # never consumed
        seen.__dlpack__(max_version=(1, 0))
        memoryview(seen[2:4]).release()
        np.asarray(seen.T)
        sb.view(Producer(seen))

    def locks() -> None:
        lock = bytearray(8)
        seen = sb.view(lock)
        with suppress(BufferError):
            lock.append(1)
        del seen
        lock.append(1)
        lock.pop()

    return {
        "views": lambda: (sb.view(X), sb.view(BUFFER), sb.view(INTERFACE), shown[1:3], shown[3]),
        "exports": exports,
        "locks": locks,
        "refused views": lambda: (refused(sb.view, 3), refused(sb.view, object())),
        "device arrays": lambda: (
            sb.DeviceArray.empty(4, "f4")[1:],
            device.reshape(2, 4),
            np.asarray(device),
        ),
        "weak references": lambda: weak(Weak(X)),
        "LaunchExtra": lambda: sb.LaunchExtra([ctypes.c_int(1), X, lib.Point(1, 2.0)]),
        "KernelParams": lambda: sb.KernelParams([ctypes.c_double(1), None, BUFFER]),
        "refused launches": lambda: (refused(sb.LaunchExtra, [object()]), refused(sb.KernelParams, [X, 1j])),
        "lists": lambda: (sb.ListOfPointer([X, BUFFER]), sb.ListOfBytes([b"a"]), sb.ListOfInt([1, 2])),
    }


def weak(pointer: Any) -> None:
    """A weak reference dies with what it refers to."""
    reference = weakref.ref(pointer)
    assert reference() is pointer


def c_api(api: Any) -> dict[str, Callable[[], Any]]:
    """Handles, outputs, allocations and callbacks of a C API."""

    def devices() -> None:
        device, info = api.device_open(3)[1], api.info_t()
        api.device_info(info, device)
        assert api.device_get_number(device) == (api.OK, 3, 0.5)
        api.device_each(device, lambda data, i: None, None)
        api.device_close(device)

    def visiting() -> None:
        seen: list[int] = []
        visitor = api.visitor_t(lambda data, i: seen.append(i), X)
        api.visit_all(visitor, 2)
        visitor.visit = None
        assert seen == [0, 1]

    def memory() -> None:
        array = api.hipMalloc(64)[1]
        part = array.configure(typestr="<f4", shape=(16,))[2:4]
        del array
        api.hipFree(int(part) - 8)

    return {
        "devices": devices,
        "a device that does not open": lambda: api.device_open(-1),
        "out-pointers and arrays": lambda: (
            api.sum(X, 8),
            api.bounds(np.zeros(2, "i4")),
            api.status_text(api.OK),
        ),
        "a visitor's struct": visiting,
        "allocations": memory,
        "launches": lambda: (
            api.launch(None, sb.LaunchExtra([ctypes.c_int(1), 5])),
            api.launch(sb.KernelParams([ctypes.c_int(1)]), None),
        ),
        "refused": lambda: (
            refused(api.device_close, "x"),
            refused(api.device_each, 0, lambda x: x, None),
            refused(api.sum, F, 8),
            refused(api.sum, BUFFER_VIEW, 1.5),
            refused(api.bounds, b"12345678"),
        ),
    }


def everything(lib: Any, api: Any) -> dict[str, Callable[[], Any]]:
    """All cycles by name."""
    parts = (records(lib), handles(lib), overriding(lib), callbacks(lib), calls(lib), arrays(lib), c_api(api))
    return {name: cycle for part in parts for name, cycle in part.items()}
