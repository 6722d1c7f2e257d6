"""Records: mutable structs of C++, their views, and their immutable values."""

import copy
import gc
import pickle

import numpy as np
import pytest

from samebytes import _native
from samebytes.errors import ArgumentError, ArrayError, RangeError
from samebytes.types import (
    CHAR,
    SCALARS,
    CArray,
    Const,
    Enum,
    Extent,
    Field,
    Named,
    Pointer,
    Struct,
    Vector,
    as_type,
)
from samebytes.values.enum import enum_class
from samebytes.values.record import record_class
from samebytes.values.struct import struct

S = SCALARS


def fixed(name, size, align, *fields):
    return Struct(name, tuple(Field(*f) for f in fields), fixed=Extent(size, align))


Color = enum_class(Enum("ns::Color", S["uint8"], (("red", 0), ("green", 1), ("blue", 5)), scoped=True), "lib")
DivT = record_class(fixed("div_t", 8, 4, ("quot", S["int32"], 0), ("rem", S["int32"], 4)), "lib")
In = record_class(fixed("ns::In", 8, 4, ("a", S["int32"], 0), ("c", as_type(Color), 4)), "lib")
Out = record_class(
    fixed(
        "ns::Out", 72, 8,
        ("inner", as_type(In), 0), ("arr", CArray(S["float32"], (2, 2)), 8), ("ins", CArray(as_type(In), (2,)), 24),
        ("low", S["int32"], 40, 0, 5), ("high", S["uint32"], 40, 5, 3), ("text", CArray(CHAR, (8,)), 44),
        ("v", Vector(S["int8"], 3), 52), ("colors", CArray(as_type(Color), (2,)), 55),
        ("points", CArray(Vector(S["int16"], 2), (2,)), 60),
    ),
    "lib",
)  # fmt: skip
Node = record_class(
    fixed(
        "Node",
        24,
        8,
        ("value", S["int32"], 0),
        ("next", Pointer(Named("Node")), 8),
        ("name", Pointer(Const(CHAR)), 16),
    ),
    "lib",
)


def test_repr_fields_and_assignment():
    d = DivT(3, 1)
    assert repr(d) == "div_t(quot=3, rem=1)"
    assert (d.quot, d.rem, tuple(d)) == (3, 1, (3, 1))
    d.rem = 7
    assert d == DivT(3, 7)
    assert DivT().quot == DivT(rem=5).quot == 0
    assert DivT.__module__ == "lib"
    with pytest.raises(RangeError, match=r"div_t\.quot: expected int32"):
        d.quot = 2**40
    with pytest.raises(ArgumentError, match=r"div_t\.quot: expected int32"):
        d.quot = 1.5
    with pytest.raises(AttributeError):
        d.remainder = 1
    with pytest.raises(AttributeError, match="cannot be deleted"):
        del d.quot
    with pytest.raises(TypeError, match="unhashable"):
        hash(d)


def test_value_is_immutable_and_a_copy():
    d = DivT(3, 1)
    v = d.value
    d.quot = 9
    assert (v.quot, d.quot) == (3, 9)
    assert repr(v) == "div_t(quot=3, rem=1)"
    assert hash(v) == hash(DivT(3, 1).value)
    with pytest.raises(AttributeError, match="immutable"):
        v.quot = 1
    assert DivT(3, 1) == v
    assert v != DivT(3, 1).value.replace(rem=2)
    assert v.replace(rem=2).rem == 2


def test_a_member_may_be_called_value():
    node = Node(5)
    assert node.value == 5
    assert repr(node.__samebytes_value__) == "Node(value=5, next=Pointer(None), name=None)"


def test_nested_records_are_views_that_keep_their_parent():
    o = Out()
    inner = o.inner
    inner.a, inner.c = 5, Color.blue
    assert (o.inner.a, o.inner.c) == (5, Color.blue)
    o.inner = (6, 1)
    assert inner == In(6, Color.green)
    del o
    gc.collect()
    inner.a = 11
    assert inner.a == 11
    assert inner.__samebytes_owner__ is not None


def test_arrays_are_writable_views():
    o = Out(arr=[[1, 2], [3, 4]])
    view = o.arr
    assert (view.dtype, view.shape) == (np.float32, (2, 2))
    view[1, 1] = 9
    assert o.arr.tolist() == [[1, 2], [3, 9]]
    o.arr = np.zeros((2, 2), np.float32)
    assert not view.any()
    o.text = "hi"
    assert o.text.tobytes() == b"hi\0\0\0\0\0\0"
    o.points[1] = (3, 4)
    assert o.value.points[1] == (o.value.points[1].__class__)(3, 4)
    o.colors[:] = 5
    assert o.value.colors == (Color.blue, Color.blue)
    address = o.__samebytes_address__
    del o
    gc.collect()
    view[:] = 7
    assert view.ctypes.data == address + 8


def test_arrays_of_records_are_views():
    o = Out(ins=[(1, Color.red), (2, 5)])
    o.ins[1].a = 77
    assert o.ins == (In(1, Color.red), In(77, Color.blue))
    last = o.ins[1]
    del o
    gc.collect()
    assert last.a == 77


def test_bit_fields():
    o = Out(low=-16, high=7)
    o.low = 15
    assert (o.low, o.high) == (15, 7)
    with pytest.raises(RangeError, match=r"Out\.low: expected a bit-field of 5 bits \(-16 to 15\), got 16"):
        o.low = 16
    with pytest.raises(RangeError):
        Out(high=8)


@pytest.mark.parametrize(
    ("given", "error", "says"),
    [
        ({"inner": (1, 256)}, RangeError, "inner.c': expected ns::Color"),
        ({"arr": [1, 2]}, ArgumentError, r"arr\[0\]': expected 2 elements"),
        ({"arr": np.zeros((2, 3))}, ArrayError, r"of shape \[2, 2\], got shape \[2, 3\]"),
        ({"text": "123456789"}, RangeError, "at most 8 bytes"),
        ({"ins": [(1, 2, 3), 1]}, ArgumentError, r"ins\[0\]': expected ns::In \(a, c\), 2 fields"),
        ({"nothing": 1}, ArgumentError, "has no field 'nothing'"),
    ],
)
def test_errors_name_the_place(given, error, says):
    with pytest.raises(error, match=says):
        Out(**given)


def test_copies_pickles_and_equality():
    o = Out(inner=(1, 5), arr=[[1, 2], [3, 4]], low=-3)
    for made in (copy.copy(o), copy.deepcopy(o), o.replace(high=2).replace(high=0)):
        assert made == o
        made.inner.a = 99
        assert o.inner.a == 1
    assert o != Out()
    assert o != 5
    assert np.nan not in (o.low,)
    with pytest.raises(TypeError, match="cannot pickle Node"):
        pickle.dumps(Node())


def test_pickling_asks_its_library():
    cls = record_class(as_type(DivT), "lib")
    cls.__samebytes_restore__ = lambda name, data: (bytes, (name.encode() + data,))
    assert pickle.loads(pickle.dumps(cls(1, 2))) == b"div_t" + bytes(memoryview(cls(1, 2)))


def test_pointers_keep_their_targets():
    first = Node(1)
    second = Node(2, first, "hello")
    address = first.__samebytes_address__
    del first
    gc.collect()
    assert second.next == _native.Pointer(address)
    assert Node.__samebytes_view__(second.next.address, second).value == 1
    second.name = "".join(["b", "ye"])
    assert copy.copy(second).name == "bye"
    assert second.replace(value=9).name == "bye"
    second.next = None
    assert not second.next


def test_a_record_may_point_to_itself_by_name():
    first = Node(1)
    second = Node(next=first)
    assert second.next == _native.Pointer(first.__samebytes_address__)


Pair = record_class(
    fixed("Pair", 16, 8, ("a", Pointer(Const(CHAR)), 0), ("b", Pointer(Const(CHAR)), 8)), "lib"
)
Pairs = record_class(fixed("Pairs", 32, 8, ("i", as_type(Pair), 0), ("j", as_type(Pair), 16)), "lib")


def _text(*parts):
    return "".join(parts)


def test_replacing_one_target_leaves_the_others():
    pair = Pair(b=_text("b", "1"), a=_text("a", "1"))
    pair.a = _text("a", "2")
    gc.collect()
    assert (pair.a, pair.b) == ("a2", "b1")


def test_copies_keep_targets_that_the_original_drops():
    pair = Pair(a=_text("a", "1"), b=_text("b", "1"))
    holder = Pairs(i=(_text("x", "1"), _text("y", "1")), j=pair)
    copied, value = copy.copy(holder.j), pair.value
    pair.a = pair.b = holder.j.a = holder.i.b = None
    gc.collect()
    assert (copied.a, copied.b) == ("a1", "b1")
    assert (value.a, value.b) == ("a1", "b1")
    assert (holder.i.a, holder.i.b, holder.j.a, holder.j.b) == ("x1", None, None, "b1")


def test_replacing_forever_keeps_only_what_is_needed():
    value = Node(1, None, _text("na", "me")).__samebytes_value__
    for i in range(1000):
        value = value.replace(value=i)
        value = value.replace(next=None)
    assert value.name == "name"
    assert len(value.__samebytes_kept__) == 1
    for i in range(100):
        value = value.replace(name=_text("na", str(i)))
    assert (value.name, len(value.__samebytes_kept__)) == ("na99", 1)


def test_views_of_foreign_memory():
    storage = np.array([7, 8], np.int32)
    view = DivT.__samebytes_view__(storage.ctypes.data, storage)
    view.rem = 80
    assert storage.tolist() == [7, 80]
    assert view.__samebytes_owner__ is storage


def test_structs_of_the_same_layout_are_taken():
    @struct
    class Mine:
        a: int
        c: np.uint8

    o = Out(inner=Mine(4, 1))
    assert o.inner == In(4, Color.green)
    o.inner = Mine(5, 0)
    o.ins = [Mine(1, 1), In(2, 0).value]
    assert o.ins[1].a == 2
    assert In.__samebytes_codec__.pack(Mine(5, 0)) is not None


def test_a_users_class_may_stand_for_a_nested_struct():
    @struct
    class Mine:
        a: int
        c: np.uint8

    holder = record_class(
        fixed("Holder", 8, 4, ("inner", as_type(In), 0)), "lib", lambda t: Mine if t == as_type(In) else None
    )
    assert holder((1, 2)).inner == Mine(1, 2)


def test_enum_classes():
    assert (Color.blue, Color(5), Color["green"]) == (5, Color.blue, 1)
    assert as_type(Color).python is Color
    odd = enum_class(
        Enum("Odd", S["int32"], (("mro", 1), ("_x_", 2), ("None", 3), ("__y__", 4), ("same", 1))), "lib"
    )
    assert [m.value for m in odd] == [1, 2, 3, 4]
    assert odd.mro_ is odd.same
    assert enum_class(Enum("Empty", S["int32"], ()), "lib").__members__ == {}


def test_all_fields_by_their_names_need_no_python() -> None:
    fields = ("first", S["int32"], 0), ("step", S["float64"], 8), ("unit", Pointer(Const(CHAR)), 16)
    made = record_class(fixed("Range", 24, 8, *fields), "lib")
    expected = bytes(made(1, 0.5, None))
    made.__samebytes_convert__ = None
    for args, kwargs in [((), {"unit": None, "step": 0.5, "first": 1}), ((1,), {"step": 0.5, "unit": None})]:
        assert bytes(made(*args, **kwargs)) == expected
    for args, kwargs in [((1,), {"first": 1, "step": 0.5}), ((), {"first": 1, "steps": 0.5, "unit": None})]:
        with pytest.raises(TypeError, match="not callable"):  # Python words what does not fit
            made(*args, **kwargs)
