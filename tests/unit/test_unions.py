"""Unions, anonymous members, enum fields, and the access to records by name, size and foreign memory."""

from __future__ import annotations

import copy
import ctypes
import gc
import pickle
from typing import Any

import numpy as np
import pytest

import samebytes as sb

SOURCE = r"""
union U { int i; double d; unsigned char bytes[8]; };
union T { const char* text; long number; };
struct Variant { int kind; union { int i; double d; struct { short a, b; }; }; int after; };
struct Named { int kind; union { float f; int i; } u; struct { int x, y; } pos; };
union Bits { unsigned all; struct { unsigned low : 4, high : 28; }; };
union Deep { Variant v; T t; };
typedef int (*op)(int);
union Call { op f; void* address; };
enum Color { red, green = 5 };
enum class Mode : unsigned char { off, on = 3 };
struct E { Color c; Mode m; Color many[2]; };
struct Arrays { int n[3]; char name[8]; Named parts[2]; const char* words[2]; };

int get(U u) { return u.i; }
U make(double d) { U u; u.d = d; return u; }
void set(U* u) { u->i = 7; }
void set_reference(U& u) { u.i = 8; }
double value(const Variant& v) { return v.kind == 0 ? v.i : v.kind == 1 ? v.d : v.a * 100 + v.b; }
Variant variant(int kind) { Variant v{}; v.kind = kind; v.d = 0.5; v.after = 3; return v; }
float named(Named n) { return n.u.f + n.pos.x; }
unsigned high(Bits b) { return b.high; }
T text(const char* t) { return T{t}; }
int call(Call c, int x) { return c.f(x); }
Color color(int i) { return (Color)i; }
int number(Color c) { return c; }
Mode mode(int i) { return (Mode)i; }
E enums(E e) { return e; }
int total(const Arrays* a) { return a->n[0] + a->n[1] + a->n[2] + a->parts[1].kind; }
"""


@pytest.fixture(scope="module")
def lib() -> Any:
    made = sb.compile(SOURCE, arg_intent={"set_reference": {"u": "inout_ptr"}})
    assert made.__skipped__ == ()
    return made


class TestUnions:
    def test_by_value_both_ways(self, lib: Any) -> None:
        assert lib.get(lib.U(i=3)) == 3
        assert lib.get(lib.U(5)) == 5
        assert lib.make(2.5).d == 2.5

    def test_fields_share_their_bytes(self, lib: Any) -> None:
        u = lib.U()
        u.d = 1.5
        assert bytes(u) == np.float64(1.5).tobytes()
        assert u.i == 0
        assert u.bytes[7] == 63
        u.bytes[:] = 255
        assert u.i == -1

    def test_by_pointer_and_reference(self, lib: Any) -> None:
        u = lib.U()
        lib.set(u)
        assert u.i == 7
        lib.set_reference(u)
        assert u.i == 8

    def test_layout(self, lib: Any) -> None:
        facts = sb.layout(lib.U)
        assert (facts.size, facts.align, facts.offsets) == (8, 8, (0, 0, 0))
        assert "union U" in sb.declare(lib.U)
        sb.prove(lib.U)
        with pytest.raises(sb.LayoutError, match="anonymous union"):
            sb.declare(lib.Variant)
        assert sb.mirror(lib.U).fields["d"][1] == 0

    def test_two_alternatives_are_refused(self, lib: Any) -> None:
        with pytest.raises(sb.ArgumentError, match="'i' and 'd', which share their bytes"):
            lib.U(i=1, d=2.0)
        with pytest.raises(sb.ArgumentError, match="'i' and 'd', which share their bytes"):
            lib.Variant(1, 2, 3.0)
        with pytest.raises(sb.ArgumentError, match=r"share their bytes: U\(name=...\) says which"):
            lib.get((1, 2.0, (0,) * 8))

    def test_equality_hash_pickle_copy(self, lib: Any) -> None:
        u = lib.make(float("nan"))
        assert u == u != copy.copy(u)  # nothing says which of its fields is valid, and C++ has no operator==
        assert u != lib.U(i=3)
        assert bytes(copy.copy(u)) == bytes(pickle.loads(pickle.dumps(u))) == bytes(u)
        assert bytes(u.value) == bytes(copy.copy(u).value)
        assert u.replace(i=1).i == 1

    def test_anonymous_members(self, lib: Any) -> None:
        assert lib.value(lib.Variant(kind=1, d=2.5)) == 2.5
        assert lib.value(lib.Variant(2, a=3, b=4)) == 304
        v = lib.variant(1)
        assert (v.kind, v.d, v.after) == (1, 0.5, 3)
        assert sb.layout(lib.Variant).offsets == (0, 8, 8, 8, 10, 16)

    def test_members_without_a_type_name(self, lib: Any) -> None:
        n = lib.Named(kind=1)
        n.u.f = 2.5
        n.pos.x = 4
        assert lib.named(n) == 6.5
        u = n.u
        del n
        gc.collect()
        assert u.f == 2.5  # a view keeps its parent alive

    def test_one_union_is_equal_to_itself_alone(self, lib: Any) -> None:
        u, variant = lib.U(d=1.0), lib.Variant(kind=1, d=2.5)
        assert u == u != lib.U(d=1.0)
        assert variant == variant != lib.Variant(kind=1, d=2.5)
        assert bytes(lib.Bits(low=5, high=3)) == bytes(lib.Bits(all=0x35)) != bytes(lib.Bits(all=0x10000035))

    def test_bit_fields_inside(self, lib: Any) -> None:
        b = lib.Bits(all=0x35)
        assert (b.low, b.high) == (5, 3)
        assert lib.Bits(low=5, high=3).all == 0x35
        with pytest.raises(sb.ArgumentError, match="share their bytes: give one"):
            lib.Bits(low=5, all=3)
        b.low = 7
        assert b.all == 0x37
        assert lib.high(b) == 3

    def test_text_is_followed_only_when_it_is_asked_for(self, lib: Any) -> None:
        t = lib.text("hi")
        assert t.text == "hi"
        t.number = 1  # no address: showing, comparing and listing must not follow it
        assert repr(t) == "T(text=<pointer[const[char]]>, number=1)"
        assert t == t != lib.T(number=1)
        assert tuple(t) == (sb.Pointer(1), 1)
        deep = lib.Deep()
        deep.t.number = 1
        assert "v=Variant" in repr(deep)
        assert deep == deep != lib.Deep(t=lib.T(number=1))

    def test_function_pointers_inside(self, lib: Any) -> None:
        c = lib.Call(f=lambda x: x + 1)
        gc.collect()
        assert lib.call(c, 3) == 4
        assert int(c.address) == int(c.f)


class TestEnums:
    def test_unknown_values_are_kept_both_ways(self, lib: Any) -> None:
        assert lib.color(5) is lib.green
        unknown = lib.color(7)
        assert isinstance(unknown, lib.Color)
        assert (int(unknown), unknown.name, repr(unknown)) == (7, None, "<Color: 7>")
        assert lib.number(unknown) == lib.number(7) == lib.number(lib.Color(7)) == 7
        assert lib.mode(200) == lib.Mode(200) == 200
        with pytest.raises(ValueError, match="256"):
            lib.Mode(256)
        with pytest.raises(sb.RangeError, match="Its numbers are 0 to 4294967295"):
            lib.number(-1)

    def test_fields(self, lib: Any) -> None:
        e = lib.enums(lib.E(c=77, m=lib.Mode.on, many=(5, 6)))
        assert e.c == 77
        assert e.m is lib.Mode.on
        assert repr(e).startswith("E(c=Color(77), m=Mode.on")
        e.c = lib.green
        assert e.c is lib.green
        assert pickle.loads(pickle.dumps(e)) == e


class TestAccess:
    def test_by_name(self, lib: Any) -> None:
        v = lib.Variant(2, a=3)
        assert v["kind"] == 2
        v["b"] = 9
        assert v.b == 9
        assert v.keys() == lib.Variant.PROPERTIES() == ("kind", "i", "d", "a", "b", "after")
        assert dict(lib.Named().pos) == {"x": 0, "y": 0}
        with pytest.raises(KeyError, match="no field 'c'; its fields are kind"):
            v["c"]

    def test_by_place(self, lib: Any) -> None:
        v = lib.Variant(2, a=3)
        v[5] = 7
        assert (v[0], v[3], v.after) == (2, 3, 7)
        for place in (6, -1):
            with pytest.raises(
                IndexError, match=rf"Variant has 6 fields, counted from 0: there is no \[{place}\]"
            ):
                v[place]

    def test_c_sizeof(self, lib: Any) -> None:
        assert lib.Variant.c_sizeof() == 24
        assert lib.U.c_sizeof() == 8

    def test_arrays_are_written_in_place_and_as_a_whole(self, lib: Any) -> None:
        a = lib.Arrays(n=[1, 2, 3])
        a.n[1] = 20
        a.parts[1].kind = 100
        assert lib.total(a) == 124
        a.n = (4, 5, 6)
        assert lib.total(a) == 115
        a.words = ("left", None)
        gc.collect()
        assert a.words == ("left", None)
        a.name = "text"
        assert bytes(a.name).rstrip(b"\0") == b"text"


class TestFromObj:
    def test_a_buffer_is_the_record(self, lib: Any) -> None:
        data = bytearray(32)
        v = lib.Variant.fromObj(data)
        v.kind = 5
        assert data[0] == 5
        with pytest.raises(BufferError):
            data.extend(b"more")  # it is in use
        del v
        data.extend(b"more")
        numbers = np.zeros(4, np.int64)
        lib.Variant.fromObj(numbers).after = 1
        assert numbers.tolist() == [0, 0, 1, 0]

    @pytest.mark.parametrize("make", [sb.Pointer, sb.DeviceArray, sb.ListOfPointer])
    def test_what_a_pointer_holds_is_held(self, lib: Any, make: Any) -> None:
        data = bytearray(32)
        pointer = make(data)
        v = lib.Variant.fromObj(pointer)
        pointer.__init__(None)
        with pytest.raises(BufferError):
            data.extend(b"more")
        v.kind = 5
        assert data[0] == 5
        del v
        data.extend(b"more")

    def test_addresses(self, lib: Any) -> None:
        numbers = np.zeros(4, np.int64)
        address = numbers.ctypes.data
        for given in (address, np.uint64(address), sb.Pointer(address), ctypes.c_void_p(address)):
            v = lib.Variant.fromObj(given)
            v.kind += 1
        assert numbers[0] == 4
        assert lib.Variant.fromObj(None) is None
        assert lib.Variant.fromObj(0) is None
        record = lib.Variant(kind=3)
        again = lib.Variant.fromObj(record)
        again.kind = 4
        assert record.kind == 4
        held = (ctypes.c_int64 * 3)()
        lib.Variant.fromObj(ctypes.pointer(held)).kind = 9
        assert held[0] == 9

    @pytest.mark.parametrize(
        ("obj", "error", "says"),
        [
            (b"x" * 40, sb.ArrayError, "read-only"),
            (bytearray(23), sb.ArrayError, "23 bytes, and the record takes 24"),
            (np.zeros((10, 10))[:, 1], sb.ArrayError, "not contiguous"),
            (memoryview(bytearray(48))[1:], sb.ArrayError, "not aligned to 8"),
            (9, sb.ArrayError, "not aligned to 8"),
            ("abc", sb.ArgumentError, "shows no memory"),
            (True, sb.ArgumentError, "shows no memory"),
            (3.5, sb.ArgumentError, "shows no memory"),
            (-8, sb.RangeError, "expected an address from 0"),
            (2**64, sb.RangeError, "expected an address from 0"),
            (sb.DeviceArray(np.zeros(23, "u1")), sb.ArrayError, "23 bytes, and the record takes 24"),
            (sb.Pointer(bytearray(31))[8], sb.ArrayError, "23 bytes, and the record takes 24"),
            (sb.DeviceArray(np.broadcast_to(np.float64(1), (3,))), sb.ArrayError, "read-only"),
            (sb.Pointer(b"x" * 24, readonly=True), sb.ArrayError, "read-only"),
            (sb.DeviceArray(np.zeros((4, 2)))[:, 1], sb.ArrayError, "not contiguous"),
            (
                sb.DeviceArray(64).configure(shape=64, typestr="u1", _force=True),
                sb.ArgumentError,
                "of a device",
            ),
        ],
        ids=lambda value: type(value).__name__,
    )
    def test_what_is_refused(self, lib: Any, obj: Any, error: type[Exception], says: str) -> None:
        with pytest.raises(error, match=says):
            lib.Variant.fromObj(obj)


OTHER_NAMES = """
#include <string>
struct Pair { union { float x, r; }; union { float y, g; }; };
struct Mixed { union { float x, r; int bits; }; };
struct Derived : Pair { int x; };
struct Owner { union { int id, number; }; std::string text; };
union Twice { double first, second; };
struct Arrays { union { int n[2], m[2]; }; union { short from, start; }; };
float sum(Pair p) { return p.x + p.y; }
float mixed(Mixed m) { return m.x; }
int of(const Derived* d) { return d->x; }
double twice(Twice t) { return t.second; }
Owner* owner() { static Owner o; o.id = 3; return &o; }
"""


@pytest.fixture(scope="module")
def names() -> Any:
    made = sb.compile(OTHER_NAMES)
    assert made.__skipped__ == ()
    return made


class TestOtherNames:
    """Members of one type in one place are one field, which has several names."""

    def test_each_counts_once(self, names: Any) -> None:
        pair = names.Pair(1, 2)
        assert repr(pair) == "Pair(x=1.0, y=2.0)"
        assert (list(pair), pair.keys(), names.Pair.__match_args__) == ([1.0, 2.0], ("x", "y"), ("x", "y"))
        assert (
            names.sum((1, 2))
            == names.sum(pair)
            == names.sum(np.array((1, 2), [("x", "f4"), ("y", "f4")])[()])
            == 3.0
        )
        assert np.asarray(pair).dtype.names == ("x", "y")
        assert names.twice((2.5,)) == 2.5

    def test_every_name_reads_and_writes(self, names: Any) -> None:
        pair = names.Pair(r=1, y=2)
        pair.g = 5
        pair["r"] += 2
        assert (pair.x, pair.y, pair["g"]) == (3.0, 5.0, 5.0)
        assert pair.value.r == 3.0
        assert pair.replace(r=7) == names.Pair(7, 5)
        assert pickle.loads(pickle.dumps(pair)).g == 5.0
        match pair:
            case names.Pair(r=red, g=green):
                assert (red, green) == (3.0, 5.0)
        arrays = names.Arrays()
        arrays.m[1] = 4
        arrays.start = 6
        assert (arrays.n.tolist(), arrays.m.tolist(), arrays.from_) == ([0, 4], [0, 4], 6)
        owner = names.owner()
        owner.number += 1
        assert owner.id == 4

    def test_what_only_shares_bytes_is_told_apart(self, names: Any) -> None:
        assert names.mixed(names.Mixed(r=1.5)) == 1.5
        with pytest.raises(sb.ArgumentError, match="share their bytes"):
            names.mixed((1.5, 2))

    def test_a_hidden_name_leaves_the_others(self, names: Any) -> None:
        derived = names.Derived()
        derived.r, derived.x = 2.5, 4
        assert (derived.r, names.of(derived)) == (2.5, 4)
        assert [f.name for f in names.Derived.__samebytes_type__.fields] == ["r", "y", "x"]

    @pytest.mark.parametrize(
        ("args", "given", "words"),
        [
            ((), {"x": 1, "r": 2}, "Pair() got 'x' and 'r', which name one field: give one"),
            ((1,), {"r": 2}, "Pair() got 'x' twice, by position and by name"),
            ((1, 2, 3), {}, "Pair(x: float32, y: float32)"),
        ],
        ids=["twice", "by position", "too many"],
    )
    def test_two_names_of_one_field(
        self, names: Any, args: tuple[float, ...], given: dict[str, float], words: str
    ) -> None:
        with pytest.raises(sb.Error) as caught:
            names.Pair(*args, **given)
        assert words in str(caught.value)


def test_what_an_anonymous_union_of_objects_has_is_refused_as_in_a_union_by_itself() -> None:
    code = """
#include <string>
struct Part { int a; };
struct Whole {
  int k = 1;
  union { std::string text; std::string texts[2]; int i; int many[2]; Part part; struct { short x, y; }; };
  Whole() : i(5) {}
  ~Whole() {}
};
struct Derived : Whole {};
union Alone { std::string text; int i; Alone() : i(1) {} ~Alone() {} };
"""
    with pytest.warns(sb.BindWarning, match="does not say which member that concerns"):
        lib = sb.compile(code)
    for cls in (lib.Whole, lib.Derived):
        whole = cls()
        for name, value in (("text", "x" * 50), ("texts", ("x" * 50, ""))):
            with pytest.raises(AttributeError, match="does not say which member that concerns"):
                setattr(whole, name, value)
            with pytest.raises(AttributeError, match="does not say which member that concerns"):
                getattr(whole, name)
        whole.i = 7
        assert (whole.k, whole.i, whole.part.a, whole.many[0], whole.x, whole.y) == (1, 7, 7, 7, 7, 0)
    with pytest.raises(AttributeError, match="does not say which member that concerns"):
        _ = lib.Alone
