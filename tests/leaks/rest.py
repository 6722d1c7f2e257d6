"""Cycles of tensors, exchanged memory, libraries that end, derived records, what calls remember, pickles, C texts."""

from __future__ import annotations

import copy
import ctypes
import gc
import pickle
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
from shared import F, X, plus, refused
from sources import built

import samebytes as sb
from samebytes.api import recipes, registry

HEADER = """
#include <stddef.h>
typedef enum { OK = 0, BAD = 1 } status_t;
typedef struct point { int x, y; } point_t;
typedef struct grid_s *grid_t;
typedef void (*told_t)(const char *text, int length, void *data);
status_t get_label(const char **text, int other, size_t *text_size);
const char *key_of(int n, size_t *length);
status_t tell(told_t told, int n, void *data);
status_t area(const point_t *p, int *result);
status_t zeroed(void **p, size_t count, size_t width);
status_t grid_new(grid_t *grid, int rows);
status_t grid_free(grid_t grid);
status_t drop(void *p);
long held(void);
"""
SOURCE = """
#include <stdlib.h>
#include <stdatomic.h>
#include "rest.h"
static _Atomic long blocks;
struct grid_s { int rows; };
status_t get_label(const char **t, int n, size_t *size) { return *t = "a\\0label that goes on", *size = n, OK; }
const char *key_of(int n, size_t *l) { return *l = n, n ? "ab\\0cd" : 0; }
status_t tell(told_t told, int n, void *data) { return told("told\\0more", n, data), OK; }
status_t area(const point_t *p, int *r) { return *r = p->x * p->y, OK; }
status_t zeroed(void **p, size_t n, size_t w) { return *p = n ? calloc(n, w) : 0, blocks += n > 0, n ? OK : BAD; }
status_t grid_new(grid_t *g, int n) { return *g = malloc(sizeof **g), (*g)->rows = n, ++blocks, OK; }
status_t grid_free(grid_t g) { return free(g), --blocks, OK; }
status_t drop(void *p) { return p ? (free(p), --blocks) : 0, OK; }
long held(void) { return blocks; }
"""
ALLOCATIONS = {"zeroed": {"pointer": "p", "size": ["count", "width"], "memory": "host", "free": "drop"}}


def bound(folder: Path) -> Any:
    """A C API with texts that have lengths, and a rule for what it allocates."""
    library = built(folder, "rest", HEADER, SOURCE)
    return sb.bind(folder / "rest.h", library=library, style="c_api", allocations=ALLOCATIONS)


def tensors(lib: Any) -> dict[str, Callable[[], Any]]:
    """Tensors of torch where it is installed: as arguments, as views, as what takes memory over."""
    try:
        import torch
    except ImportError:
        return {}
    held = torch.arange(8.0, dtype=torch.float64)
    other, graph = held.to(torch.float32), held.clone().requires_grad_()

    def views() -> None:
        shown = sb.view(torch.ones(4))
        assert torch.from_dlpack(shown)[3] == 1
        assert np.asarray(shown).sum() == 4

    return {
        "tensors as arguments": lambda: (lib.at(held), lib.over(held), lib.over(other), lib.sum(held, 8)),
        "refused tensors": lambda: (
            refused(lib.at, other),
            refused(lib.at, graph),
            refused(lib.total, graph),
        ),
        "tensors as views": views,
        "tensors of views": lambda: torch.from_dlpack(sb.view(np.arange(4.0))).sum(),
        "pointers of tensors": lambda: (sb.Pointer(held), sb.DeviceArray(held)[1:], sb.LaunchExtra([held])),
    }


class Table(ctypes.Structure):
    """DLPack's exchange API, as C programs see it."""

    _fields_ = [
        ("version", ctypes.c_uint32 * 2),
        ("older", ctypes.c_void_p),
        ("allocate", ctypes.c_void_p),
        ("take", ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.POINTER(ctypes.c_void_p))),
        ("give", ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(ctypes.py_object))),
        ("lend", ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.c_void_p)),
        ("stream", ctypes.c_void_p),
    ]


def exchange() -> dict[str, Callable[[], Any]]:
    """What C programs do with the exchange table of views."""
    address = ctypes.PyDLL(None).PyCapsule_GetPointer
    address.argtypes, address.restype = [ctypes.py_object, ctypes.c_char_p], ctypes.c_void_p
    shown = sb.view(X)
    table = Table.from_address(address(type(shown).__dlpack_c_exchange_api__, b"dlpack_exchange_api"))
    deleter = ctypes.PYFUNCTYPE(None, ctypes.c_void_p)

    def there_and_back() -> None:
        managed, made = ctypes.c_void_p(), ctypes.py_object()
        assert table.take(sb.view(np.arange(4.0)), managed) == 0
        assert table.give(managed, made) == 0
        again = made.value
        ctypes.pythonapi.Py_DecRef(ctypes.py_object(again))  # the one that the table gave
        assert np.asarray(again)[3] == 3

    def never_given() -> None:
        managed = ctypes.c_void_p()
        assert table.take(shown, managed) == 0
        assert managed.value is not None
        deleter(ctypes.c_void_p.from_address(managed.value + 16).value or 0)(managed.value)

    def lent() -> None:
        tensor = (ctypes.c_byte * 48)()
        assert table.lend(shown, ctypes.addressof(tensor)) == 0
        refused(table.lend, 3, ctypes.addressof(tensor), error=Exception)

    return {"exchanged memory": there_and_back, "exchanged and dropped": never_given, "lent memory": lent}


# They make a whole library each time, whose element types others remember: up to a limit, and no leak.
ENDING = ("a library that ends", "a library that ends in a call", "templates at first")


def ending(lib: Any) -> dict[str, Callable[[], Any]]:
    """Libraries that are dropped while what they gave is used: functions, callbacks, records, objects, views."""
    key = next(key for key, library in recipes.LIBRARIES.items() if library is lib)

    def again() -> Any:
        return registry._load(key, lib.__model__, lib.__file__)

    def used() -> None:
        made = again()
        apply, point, item, hook = made.apply, made.Point(1, 2.0), made.Item("text"), made.unary(plus)
        refs = made.Refs(X, X, plus, "text")
        del made
        assert apply(lambda x: x + 1, 2) == 3
        assert apply(hook, 2) == 3
        assert (point.x, item.size(), lib.first(refs)) == (1, 4, 0)
        assert type(point)(3, 4).x == 3

    def within() -> None:
        box = [again()]
        apply = box[0].apply

        def inside(x: int) -> int:
            box.clear()
            return x

        assert apply(inside, 5) == 5

    def first_uses() -> None:
        made = again()
        assert (made.twice[int](2), made.Few[int, 3]().first()) == (4, 0)

    return dict(zip(ENDING, (used, within, first_uses), strict=True))


def derived(lib: Any, api: Any) -> dict[str, Callable[[], Any]]:
    """Classes that Python derives from records."""
    Mine = type("Mine", (lib.Point,), {"norm": lambda self: self.x + self.y})  # noqa: N806
    Ours = type("Ours", (api.point_t,), {"twice": lambda self: 2 * self.x})  # noqa: N806

    def uses() -> None:
        made = Mine(1, 2.5)
        assert made.norm() == 3.5
        assert lib.over(made) == 4
        again = (copy.copy(made), copy.deepcopy(made), made.replace(x=4))
        assert [type(one) for one in again] == [Mine] * 3

    def given() -> None:
        made = Ours(3, 4)
        assert (api.area(made), made.twice()) == ((api.OK, 12), 6)

    def classes() -> None:
        made = type("Passing", (lib.Nested,), {})
        made().p.x = 3
        del made
        gc.collect(0)

    return {"derived records": uses, "derived records of C": given, "classes that pass": classes}


def remembered(lib: Any) -> dict[str, Callable[[], Any]]:
    """Choices of overloads that calls remember, by element types that come and go."""

    def types() -> None:
        kind = np.dtype("f8", metadata={"n": 1})
        assert lib.over(np.ones(3, kind)) == 1
        assert lib.pair(np.ones(3, "f4"), np.ones(3, kind)) == 2

    return {
        "choices for types that pass": types,
        "choices by two arguments": lambda: (lib.pair(X, X), lib.pair(F, X), refused(lib.pair, X, F)),
        "choices for scalars": lambda: (lib.twice(np.int32(3)), lib.twice(np.float32(1.5)), lib.twice(3)),
    }


def pickles(lib: Any, api: Any) -> dict[str, Callable[[], Any]]:
    """What is bound, there and back."""
    bound_objects = [
        lib.over, lib.Point, lib.Refs, lib.Item, lib.Item.size, lib.twice[int], lib.Point(1, 2.0), lib.Either(d=1.5),
        lib.Nested(), api.area, api.status_t.OK if hasattr(api, "status_t") else api.OK, api.point_t(1, 2), api.tell,
    ]  # fmt: skip

    def both_ways() -> None:
        for one in bound_objects:
            pickle.loads(pickle.dumps(one))

    return {"pickles of what is bound": both_ways}


def texts(api: Any) -> dict[str, Callable[[], Any]]:
    """Texts with their lengths, both ways, and memory by rules."""
    seen = SimpleNamespace(data=None)

    def told() -> None:
        seen_here: list[bytes] = []
        api.tell(lambda text, n, data: seen_here.append(text), 5, None)
        assert seen_here == [b"told\0"]

    def allocated() -> None:
        array = api.zeroed(3, 8)[1].configure(typestr="<f8", shape=(3,))
        assert np.asarray(array).sum() == 0
        again = api.zeroed(2, 4)[1]
        api.drop(again)
        part = array[1:]
        del array
        assert part.shape == (2,)

    def handles() -> None:
        api.grid_free(api.grid_new(3)[1])

    assert seen.data is None
    return {
        "texts with lengths": lambda: (api.get_label(3), api.key_of(4), api.key_of(0)),
        "told texts with lengths": told,
        "memory by rules": allocated,
        "memory that is not there": lambda: api.zeroed(0, 8),
        "handles of C": handles,
        "refused by C": lambda: (
            refused(api.get_label, "x"),
            refused(api.tell, "x", 3, None),
            refused(api.zeroed, -1, 8),
        ),
    }


def rest(lib: Any, api: Any) -> dict[str, Callable[[], Any]]:
    """All of them by name, with the library of sources.py."""
    parts = (
        tensors(lib), exchange(), ending(lib), derived(lib, api), remembered(lib), pickles(lib, api), texts(api),
    )  # fmt: skip
    return {name: cycle for part in parts for name, cycle in part.items()}
