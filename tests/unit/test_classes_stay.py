"""An object's class says what its bytes are, so it cannot be assigned: every kind, to classes like theirs."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest
from tests.tables import each

import samebytes as sb

SOURCE = r"""
struct A { int v; A() { v = 1; } ~A() {} };
struct B { long w; B() { w = 2; } ~B() {} };
struct D : A { };
struct R { int a; };
struct S { int b; };
union U { int a; float b; };
enum class E { X = 1 };
enum class F { X = 1 };
typedef int (*fp)(int);
typedef int (*fq)(const int&);
inline int twice(int x) { return 2 * x; }
inline fp get() { return twice; }
struct Callbacks { fp a; fq b; };
inline int take(const A& a) { return a.v; }
"""


@sb.struct
class First:
    a: sb.int32


@sb.struct
class Second:
    b: sb.int32


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(SOURCE)


KINDS = {
    "handle": ("lib.A()", "lib.B"),
    "handle of a derived class": ("lib.D()", "lib.A"),
    "handle of a base": ("lib.A()", "lib.D"),
    "handle, Python's subclass": ("lib.A()", "type('Mine', (lib.A,), {'__slots__': ()})"),
    "record": ("lib.R(1)", "lib.S"),
    "record of a union": ("lib.U(a=1)", "lib.S"),
    "value": ("lib.R(1).value", "type(lib.S(1).value)"),
    "struct": ("First(1)", "Second"),
    "vector": ("sb.float32x2(1, 2)", "sb.int32x2"),
    "enumerator": ("lib.E.X", "lib.F"),
    "enumerator without a name": ("lib.E(7)", "lib.F"),
    "function pointer": ("lib.get()", "type(lib.Callbacks().b)"),
    "list": ("sb.ListOfInt([1])", "sb.ListOfLong"),
    "pointer": ("sb.Pointer(3)", "sb.ListOfInt"),
    "device array": ("sb.DeviceArray(None)", "sb.Pointer"),
    "view": ("sb.view(np.zeros(3))", "sb.Pointer"),
}


def _assign(one: Any, cls: Any) -> None:
    one.__class__ = cls


WAYS: dict[str, Any] = {
    "assignment": _assign,
    "setattr": lambda one, cls: setattr(one, "__class__", cls),
    "object.__setattr__": lambda one, cls: object.__setattr__(one, "__class__", cls),
    "del": lambda one, cls: delattr(one, "__class__"),
}


@pytest.mark.parametrize("kind", KINDS)
@each("way", WAYS)
def test_a_class_cannot_be_assigned(lib: Any, kind: str, way: str) -> None:
    names = {"lib": lib, "sb": sb, "np": np, "First": First, "Second": Second}
    one, cls = (eval(text, names) for text in KINDS[kind])
    before = type(one)
    with pytest.raises(
        TypeError, match=r"cannot be changed|__class__ assignment only|can't delete|cannot delete"
    ):
        WAYS[way](one, cls)
    assert type(one) is one.__class__ is before


def test_it_reads_as_always(lib: Any) -> None:
    assert isinstance(lib.D(), lib.A)
    assert lib.take(lib.D()) == 1
    assert pickle.loads(pickle.dumps(lib.E.X)) is lib.E.X
    assert copy.copy(lib.R(3)).a == 3
    assert isinstance(lib.E.X, int)
