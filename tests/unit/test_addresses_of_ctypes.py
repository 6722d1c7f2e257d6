"""Pointers and references of ctypes, and what others have for addresses: checked by what they say is there."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import pytest
from tests.tables import each

import samebytes as sb

pytestmark = pytest.mark.full  # to read and to compile it takes seconds

_SOURCE = """
struct S { int id; double v; };
struct Pair { S first; S second; };
struct Linked { int n; Linked* next; const char* name; };
union Either { int i; double d; };
class Hidden { int secret = 1; public: int shown = 2; };
struct Opaque;
inline long s_pointer(S* s) { return (long)s; }
inline long s_const(const S* s) { return (long)s; }
inline long s_reference(S& s) { return (long)&s; }
inline long pair_pointer(Pair* p) { return (long)p; }
inline long linked(Linked* p) { return (long)p; }
inline long either(Either* p) { return (long)p; }
inline long hidden(Hidden* p) { return (long)p; }
inline long opaque(Opaque* p) { return (long)p; }
inline long number(double* x) { return (long)x; }
inline long const_number(const double* x) { return (long)x; }
inline long number_reference(double& x) { return (long)&x; }
inline long four(double x[4]) { return (long)x; }
inline long bytes(unsigned char* x) { return (long)x; }
inline long s_pointers(S** x) { return (long)x; }
inline long numbers(double** x) { return (long)x; }
inline long anything(void* x) { return (long)x; }
"""


class Same(ctypes.Structure):
    _fields_ = (("id", ctypes.c_int), ("v", ctypes.c_double))


class Small(ctypes.Structure):
    _fields_ = (("id", ctypes.c_char),)


class Short(ctypes.Structure):
    _fields_ = (("id", ctypes.c_int),)


class Packed(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("id", ctypes.c_int), ("v", ctypes.c_double))


class Reordered(ctypes.Structure):
    _fields_ = (("v", ctypes.c_double), ("id", ctypes.c_int))


class Renamed(ctypes.Structure):
    _fields_ = (("v", ctypes.c_int), ("id", ctypes.c_double))


class OtherFormat(ctypes.Structure):
    _fields_ = (("id", ctypes.c_float), ("v", ctypes.c_double))


class Unsigned(ctypes.Structure):
    _fields_ = (("id", ctypes.c_uint), ("v", ctypes.c_double))


class Longer(ctypes.Structure):
    _fields_ = (("id", ctypes.c_int), ("v", ctypes.c_double), ("more", ctypes.c_int))


class Bits(ctypes.Structure):
    _fields_ = (("id", ctypes.c_int, 3), ("v", ctypes.c_double))


class Big(ctypes.BigEndianStructure):
    _fields_ = (("id", ctypes.c_int), ("v", ctypes.c_double))


class Derived(Same):
    pass


class Pair(ctypes.Structure):
    _fields_ = (("first", Same), ("second", Same))


class WrongPair(ctypes.Structure):
    _fields_ = (("first", Same), ("second", Reordered))


class Linked(ctypes.Structure):
    pass


Linked._fields_ = (("n", ctypes.c_int), ("next", ctypes.POINTER(Linked)), ("name", ctypes.c_char_p))


class Either(ctypes.Union):
    _fields_ = (("i", ctypes.c_int), ("d", ctypes.c_double))


class Hidden(ctypes.Structure):
    _fields_ = (("secret", ctypes.c_int), ("shown", ctypes.c_int))


class Opaque(ctypes.Structure):
    pass


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(_SOURCE, arg_intent={"number_reference": {"x": "inout_ptr"}})


WRONG = (Small, Short, Packed, Reordered, Renamed, OtherFormat, Unsigned, Longer, Bits, Big, Either, Pair)
RIGHT = [
    *((f, Same) for f in ("s_pointer", "s_const", "s_reference", "anything")),
    ("s_pointer", Derived),
    ("pair_pointer", Pair),
    ("linked", Linked),
    ("either", Either),
    ("opaque", Opaque),
    ("number", ctypes.c_double),
    ("const_number", ctypes.c_double),
    ("number_reference", ctypes.c_double),
    *(("anything", kind) for kind in WRONG),
]
REFUSED = [
    *(
        (f, kind)
        for f in ("s_pointer", "s_const", "s_reference")
        for kind in (*WRONG, ctypes.c_int, ctypes.c_double)
    ),
    *(
        (f, Same)
        for f in ("number", "const_number", "number_reference", "four", "bytes", "s_pointers", "numbers")
    ),
    ("pair_pointer", WrongPair),
    ("pair_pointer", Same),
    ("linked", Same),
    ("either", Same),
    ("hidden", Hidden),
    ("opaque", Same),
    ("number", ctypes.c_int),
    ("numbers", ctypes.POINTER(ctypes.c_int)),
    ("numbers", ctypes.POINTER(Same)),
    ("numbers", ctypes.c_char_p),
    ("s_pointers", ctypes.POINTER(Reordered)),
    ("number_reference", ctypes.POINTER(ctypes.c_double)),
    ("s_reference", ctypes.POINTER(Same)),
]


@each("function, kind", RIGHT)
def test_what_lies_there_is_taken(lib: Any, function: str, kind: Any) -> None:
    held = kind() if kind is not Opaque else Small()
    address = ctypes.addressof(held)
    for given in (ctypes.byref(held), ctypes.pointer(held)) if kind is not Opaque else ():
        for _ in range(2):  # the core remembers the class
            assert getattr(lib, function)(given) == address
    if kind is Opaque:
        assert lib.opaque(ctypes.cast(address, ctypes.POINTER(Opaque))) == address


@each("function, kind", REFUSED)
def test_what_does_not_lie_there_is_refused(lib: Any, function: str, kind: Any) -> None:
    held = kind()
    for given in (ctypes.byref(held), ctypes.pointer(held)):
        for _ in range(2):
            with pytest.raises((sb.ArgumentError, sb.ArrayError), match=rf"{function}\(\) argument 1"):
                getattr(lib, function)(given)


OF_STRUCTS = ("s_pointer", "s_const", "pair_pointer", "linked", "either", "hidden")


@each("function, kind", [(f, kind) for f, kind in RIGHT if f in OF_STRUCTS])
def test_a_structure_stands_for_its_address(lib: Any, function: str, kind: Any) -> None:
    """ctypes shows another layout as its buffer: what the class says is compared."""
    for held in (kind(), (kind * 2)()):
        for _ in range(2):
            assert getattr(lib, function)(held) == ctypes.addressof(held)


@each("function, kind", [(f, kind) for f, kind in REFUSED if f in OF_STRUCTS])
def test_another_structure_stands_for_none(lib: Any, function: str, kind: Any) -> None:
    for held in (kind(), (kind * 2)()):
        for _ in range(2):
            with pytest.raises((sb.ArgumentError, sb.ArrayError), match=rf"{function}\(\) argument 1"):
                getattr(lib, function)(held)


def test_the_words_say_what_differs(lib: Any) -> None:
    with pytest.raises(sb.ArgumentError, match=r"Structure Packed differs: \.v lies at byte 4, expected 8"):
        lib.s_pointer(ctypes.byref(Packed()))
    with pytest.raises(sb.ArgumentError, match=r"sb\.Pointer\(address\) is an address that nobody checks"):
        lib.number(ctypes.byref(Same()))


def test_a_class_that_was_taken_teaches_nothing_of_others(lib: Any) -> None:
    """The core remembers classes of pointers; every reference has one class."""
    right, wrong = Same(), Small()
    for _ in range(3):
        assert lib.s_pointer(ctypes.byref(right)) == ctypes.addressof(right)
        with pytest.raises(sb.ArgumentError):
            lib.s_pointer(ctypes.byref(wrong))
        assert lib.s_pointer(ctypes.pointer(right)) == ctypes.addressof(right)
        with pytest.raises(sb.ArgumentError):
            lib.s_pointer(ctypes.pointer(wrong))


def test_a_reference_has_room(lib: Any) -> None:
    one, two = ctypes.c_double(), (Same * 2)()
    with pytest.raises(sb.ArgumentError, match="It has 8 bytes there, and 32 are needed"):
        lib.four(ctypes.byref(one))
    with pytest.raises(sb.ArgumentError, match="It has 4 bytes there, and 8 are needed"):
        lib.number(ctypes.byref(one, 4))
    with pytest.raises(sb.ArgumentError, match="bytes there"):
        lib.number(ctypes.byref(one, -8))
    with pytest.raises(sb.ArgumentError, match="It has 8 bytes there, and 16 are needed"):
        lib.s_pointer(ctypes.byref(two[1], 8))
    with pytest.raises(sb.ArgumentError, match="It has 4 bytes there, and 8 are needed"):
        lib.number_reference(ctypes.byref(one, 4))


@each("null", [ctypes.c_void_p(), ctypes.POINTER(Same)(), None, sb.Pointer(None)])
def test_a_reference_is_never_null(lib: Any, null: Any) -> None:
    held = Same()
    assert lib.s_reference(ctypes.c_void_p(ctypes.addressof(held))) == ctypes.addressof(held)
    for _ in range(2):
        with pytest.raises(sb.ArgumentError, match="null"):
            lib.s_reference(null)


class _Foreign:
    """Stands for cffi's pointers, whose class has methods for some of its objects alone."""


@each("given", [0, 12345678, np.zeros(3).__dlpack__(), b"abc", _Foreign(), object()])
def test_what_says_nothing_is_refused(lib: Any, given: Any) -> None:
    for function in ("s_pointer", "s_const", "s_reference", "number", "number_reference", "opaque"):
        with pytest.raises(sb.Error, match=rf"{function}\(\) argument 1"):
            getattr(lib, function)(given)


def test_pointers_of_cffi(lib: Any) -> None:
    ffi = pytest.importorskip("cffi").FFI()
    ffi.cdef("struct A { char c; }; struct S { int id; double v; };")
    for text in ("struct A*", "struct S*", "double*", "double[4]"):
        for function in ("s_pointer", "s_const", "s_reference", "number", "const_number", "number_reference"):
            with pytest.raises(sb.Error, match=rf"{function}\(\) argument 1"):
                getattr(lib, function)(ffi.new(text))


_FORMS = """
#include <functional>
#include <map>
#include <optional>
#include <tuple>
#include <vector>
struct S { int id; double v; };
struct Held { S* s = nullptr; const S* c = nullptr; };
inline long behind(const Held& h) { return h.s ? (long)h.s : (long)h.c; }
inline long in_vector(const std::vector<S*>& v) { return (long)v[0]; }
inline long in_map(const std::map<int, const S*>& v) { return (long)v.at(1); }
inline long in_optional(std::optional<S*> v) { return (long)*v; }
inline long in_tuple(std::tuple<int, S*> v) { return (long)std::get<1>(v); }
inline long in_array(S* const (&a)[1]) { return (long)a[0]; }
inline long in_list(S** a) { return (long)a[0]; }
inline long of_callable(const std::function<S*()>& f) { return (long)f(); }
inline long of_function(S* (*f)()) { return (long)f(); }
struct Source {
  virtual ~Source() {}
  virtual S* give() { return nullptr; }
  virtual long take(const S* s) { return (long)s; }
};
inline long given(Source& s) { return (long)s.give(); }
struct Made { Made(S* s) : p(s) {} S* p; long get() { return (long)p; } };
"""


def _field(name: str) -> Any:
    def assign(lib: Any, given: Any) -> int:
        held = lib.Held()
        setattr(held, name, given)
        return int(lib.behind(held))

    return assign


def _virtual(lib: Any, given: Any) -> Any:
    class Mine(lib.Source):  # type: ignore[misc, name-defined]
        def give(self) -> Any:
            return given

    return lib.given(Mine())


def test_every_way_to_pass_an_address_checks_it() -> None:
    lib = sb.compile(_FORMS, std="c++17")
    forms = {
        "in_vector": lambda lib, given: lib.in_vector([given]),
        "in_map": lambda lib, given: lib.in_map({1: given}),
        "in_optional": lambda lib, given: lib.in_optional(given),
        "in_tuple": lambda lib, given: lib.in_tuple((1, given)),
        "in_array": lambda lib, given: lib.in_array([given]),
        "in_list": lambda lib, given: lib.in_list([given]),
        "of_callable": lambda lib, given: lib.of_callable(lambda: given),
        "of_function": lambda lib, given: lib.of_function(lambda: given),
        "field": _field("s"),
        "const field": _field("c"),
        "virtual result": _virtual,
        "virtual argument": lambda lib, given: lib.Source().take(given),
        "constructor": lambda lib, given: lib.Made(given).get(),
    }
    right, wrong = Same(), [Small(), Packed(), Reordered(), Short(), ctypes.c_int()]
    for name, form in forms.items():
        for make in (ctypes.byref, ctypes.pointer):
            assert form(lib, make(right)) == ctypes.addressof(right), name
            for one in wrong:
                with pytest.raises(sb.Error):
                    form(lib, make(one))


LINKED = """
struct N { N* next; int v; };
inline int sum(const N* n) { int s = 0; for (; n; n = n->next) s += n->v; return s; }
inline int add(N& n) { return n.v += 10; }
struct D { double* d; int n; const char* t; N* ns; N* arr[2]; struct In { N* q; } in; void* any; };
inline int count(const D* d) { return d->n; }
"""


class Other(ctypes.Structure):
    _fields_ = [("x", ctypes.c_double), ("y", ctypes.c_float)]


class Linked(ctypes.Structure):
    pass


Linked._fields_ = [("next", ctypes.POINTER(Linked)), ("v", ctypes.c_int)]


def node_to(kind: Any) -> Any:
    return type("Node", (ctypes.Structure,), {"_fields_": [("next", kind), ("v", ctypes.c_int)]})


def structure_of(**kinds: Any) -> Any:
    """The structure D, some of whose pointers are of other types."""
    own = {"d": ctypes.POINTER(ctypes.c_double), "n": ctypes.c_int, "t": ctypes.c_char_p}
    own |= {"ns": ctypes.POINTER(Linked), "arr": ctypes.POINTER(Linked) * 2}
    inside = type("In", (ctypes.Structure,), {"_fields_": [("q", kinds.pop("q", ctypes.POINTER(Linked)))]})
    own |= {"in": inside, "any": ctypes.c_void_p, **kinds}
    return type("D", (ctypes.Structure,), {"_fields_": [*own.items()]})


@pytest.fixture(scope="module")
def linked() -> Any:
    return sb.compile(LINKED)


TO_OTHERS = ctypes.POINTER(Other)


@each(
    "function, made",
    [
        ("sum", lambda: node_to(TO_OTHERS)()),
        ("sum", lambda: ctypes.pointer(node_to(TO_OTHERS)())),
        ("sum", lambda: ctypes.byref(node_to(TO_OTHERS)())),
        ("sum", lambda: (node_to(TO_OTHERS) * 2)()),
        ("sum", lambda: node_to(ctypes.POINTER(ctypes.c_double))()),
        *(("count", lambda kinds=kinds: structure_of(**kinds)()) for kinds in (
            {"d": ctypes.POINTER(ctypes.c_float)}, {"ns": TO_OTHERS}, {"arr": TO_OTHERS * 2}, {"q": TO_OTHERS},
            {"t": ctypes.POINTER(ctypes.c_int)},
        )),
    ],
)  # fmt: skip
def test_what_a_pointer_in_a_structure_leads_to_is_compared(linked: Any, function: str, made: Any) -> None:
    with pytest.raises(sb.ArgumentError, match="leads to something else"):
        getattr(linked, function)(made())


def test_a_structure_may_lead_to_its_own_kind_or_to_anything(linked: Any) -> None:
    assert linked.sum(Linked(ctypes.pointer(Linked(None, 3)), 4)) == 7
    assert linked.sum(node_to(ctypes.c_void_p)(None, 5)) == 5
    for kinds in ({}, {"ns": ctypes.c_void_p}, {"any": TO_OTHERS}, {"t": ctypes.POINTER(ctypes.c_char)}):
        assert linked.count(structure_of(**kinds)(n=2)) == 2


def test_a_reference_is_of_one_structure(linked: Any) -> None:
    one, two = (Linked * 1)(), (Linked * 2)()
    assert (linked.add(one), linked.add(two[1]), one[0].v, two[1].v) == (10, 10, 10, 10)
    for several in (two, ctypes.pointer(two), ctypes.byref(two)):
        with pytest.raises(sb.ArgumentError, match="N&"):
            linked.add(several)
    assert (two[0].v, two[1].v) == (0, 10)
