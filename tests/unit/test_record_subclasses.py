"""Classes that Python derives from records and from C++ objects: methods are added, the bytes stay C++'s."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import pytest

import samebytes as sb

HEADER = """
typedef struct P { int x, y; } P;
typedef struct L { P a; P *p; } L;
static int sum(const P *p) { return p->x + p->y; }
static int product(P p) { return p.x * p.y; }
static int set_x(P *p) { return p->x = 9; }
static int call(int (*f)(P*), P *p) { return f(p); }
"""


@pytest.fixture(scope="module")
def lib(tmp_path_factory: pytest.TempPathFactory) -> Any:
    path = tmp_path_factory.mktemp("derived") / "derived.h"
    path.write_text(HEADER)
    return sb.bind(path)


class Beside:
    """What a plain class of Python is."""


Made: Any = None  # pickle finds it by this name


@pytest.fixture(scope="module")
def derived(lib: Any) -> Any:
    global Made

    class Made(lib.P):  # type: ignore[misc, no-redef]
        def norm(self) -> int:
            return int(self.x + self.y)

        @classmethod
        def of(cls, n: int) -> Any:
            return cls(n, n)

    Made.__qualname__ = "Made"
    return Made


# What is done with an object of the class, and what comes of it.
USES: dict[str, tuple[Callable[[Any, Any, Any], Any], Any]] = {
    "its methods": (lambda lib, cls, p: (p.norm(), cls.of(2).norm()), (7, 4)),
    "by pointer": (lambda lib, cls, p: lib.sum(p), 7),
    "by value": (lambda lib, cls, p: lib.product(p), 12),
    "to write to": (lambda lib, cls, p: (lib.set_x(p), p.x), (9, 9)),
    "equal to the library's": (
        lambda lib, cls, p: (p == lib.P(3, 4), lib.P(3, 4) == p, p == p.value),
        (True,) * 3,
    ),
    "unequal": (lambda lib, cls, p: (p == lib.P(3, 5), p != lib.L()), (False, True)),
    "made of the library's": (lambda lib, cls, p: cls(lib.P(5, 6)).norm(), 11),
    "the library's made of it": (lambda lib, cls, p: type(lib.P(p)).__name__, "P"),
    "a field": (lambda lib, cls, p: lib.L(a=p).a.y, 4),
    "a pointer field": (lambda lib, cls, p: lib.L(p=p).p is p, True),
    "repr": (lambda lib, cls, p: repr(p), "Made(x=3, y=4)"),
    "copy": (
        lambda lib, cls, p: [type(c).__name__ for c in (copy.copy(p), copy.deepcopy(p))],
        ["Made", "Made"],
    ),
    "replace": (lambda lib, cls, p: p.replace(x=1).norm(), 5),
    "pickle": (lambda lib, cls, p: pickle.loads(pickle.dumps(p)).norm(), 7),
    "the class pickled": (lambda lib, cls, p: pickle.loads(pickle.dumps(cls)) is cls, True),
    "the library's class pickled": (lambda lib, cls, p: pickle.loads(pickle.dumps(lib.P)).__name__, "P"),
    "fromObj": (lambda lib, cls, p: cls.fromObj(lib.P(1, 2)).norm(), 3),
    "fromObj of itself": (lambda lib, cls, p: cls.fromObj(p) == p, True),
    "fromObj of an address": (lambda lib, cls, p: cls.fromObj(sb.Pointer(p)).norm(), 7),
    "a callback gets the library's": (lambda lib, cls, p: lib.call(lambda q: q.x, p), 3),
    "derived again": (lambda lib, cls, p: type("More", (cls,), {})(1, 2).norm(), 3),
}


@pytest.mark.parametrize("use", USES)
def test_uses(lib: Any, derived: Any, use: str) -> None:
    act, expected = USES[use]
    assert act(lib, derived, derived(3, 4)) == expected


def test_there_is_no_room_for_attributes(lib: Any, derived: Any) -> None:
    with pytest.raises(AttributeError, match="note"):
        derived().note = 5
    with pytest.raises(TypeError, match="class More has __slots__ note: its instances are C"):
        type("More", (lib.P,), {"__slots__": ("note",)})
    for bases in ((Beside, lib.P), (lib.P, Beside)):
        with pytest.raises(
            TypeError, match=r"class More derives from Beside, .*: give Beside __slots__ = \(\)"
        ):
            type("More", bases, {})


def test_objects_of_classes() -> None:
    lib = sb.compile(
        "#include <string>\nstruct H { std::string s; int n = 3; int f() const { return n; } };\n"
        "inline int g(const H& h) { return h.n; }"
    )
    twice: Any = type("Twice", (lib.H,), {"twice": lambda self: 2 * self.f()})
    assert (twice().twice(), lib.g(twice())) == (6, 3)
    with pytest.raises(TypeError, match="derives from Beside"):
        type("More", (Beside, lib.H), {})
