"""Arrays and pointers inside structs and tuples know their device: the host neither takes nor reads what is there."""

from __future__ import annotations

import struct
from typing import Any

import numpy as np
import pytest

import samebytes as sb

ADDRESS = 0x7F0000000000
COUNT = 6


class Array:
    """An array of a CUDA device, as CuPy's say it."""

    def __init__(self, offset: int = 0, *, readonly: bool = False) -> None:
        self.__cuda_array_interface__ = {
            "shape": (COUNT,), "typestr": "<f4", "data": (ADDRESS + offset, readonly), "version": 3,
        }  # fmt: skip


@sb.struct
class View:
    n: int
    a: sb.array[sb.float32, 1]

    def shown(self) -> Any:
        return self.a


@sb.struct
class Held:
    n: int
    p: sb.pointer[sb.float32]


@sb.struct
class Outer:
    view: View
    held: Held
    k: int = 4


@sb.struct
class Inner:
    i: int


@sb.struct
class Pointing:
    p: sb.pointer[sb.const[Inner]]


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile("""
#include <samebytes/array.hpp>
struct View { int n; samebytes::array<float, 1> a; };
struct Held { int n; float* p; };
struct Derived : Held { int k; };
inline float by_value(View s) { return s.a(0); }
inline float by_reference(const View& s) { return s.a(0); }
inline float held(Held s) { return s.p[0]; }
inline float held_reference(const Held& s) { return s.p[0]; }
inline float held_pointer(const Held* s) { return s->p[0]; }
inline float element(const float* p) { return p[0]; }
inline float any(const void* p) { return *static_cast<const float*>(p); }
""")


HOST = np.full(3, 2.5, "f4")
DESCRIPTOR = struct.pack("PQq", ADDRESS, COUNT, 1)
FORMS = {
    "positions": lambda: View(1, Array()),
    "names": lambda: View(n=1, a=Array()),
    "a view": lambda: View(1, sb.view(Array())),
    "replace": lambda: View(1, HOST).replace(a=Array()),
    "nested": lambda: Outer(View(1, Array()), Held(1, Array())).view,
    "nested tuples": lambda: Outer((1, Array()), (1, Array())).view,
    "unpacked": lambda: sb.unpack(struct.pack("i4x", 1) + DESCRIPTOR, View, dialect="cuda"),
    "kept": lambda: View(1, View(2, Array()).a),
}


@pytest.mark.parametrize("form", FORMS)
def test_a_struct_keeps_the_device(form: str) -> None:
    made = FORMS[form]()
    assert isinstance(made, View)
    assert made.a.device.type == sb.view(Array()).device.type
    assert made.shown().ptr == ADDRESS
    assert bytes(memoryview(made)) == struct.pack("i4x", 1) + DESCRIPTOR
    assert "CUDA device memory" in repr(made)
    with pytest.raises(sb.ArrayError, match="CUDA device memory"):
        np.asarray(made.a)


def test_all_of_a_struct_is_in_one_memory() -> None:
    with pytest.raises(sb.ArrayError, match="host memory"):
        Outer(View(1, Array()), Held(1, HOST))
    with pytest.raises(sb.ArrayError, match="CUDA device memory"):
        View(1, Array()).replace(a=HOST)
    assert View(1, Array()) == View(1, Array()) != View(2, Array())
    assert View(1, HOST).a.device.is_host


def test_wrong_arguments_are_refused_as_before() -> None:
    with pytest.raises(sb.ArgumentError, match="argument 2 'a'"):
        View(1, "x")
    with pytest.raises(sb.ArgumentError, match="argument 1 'n'"):
        View("z", Array())


TAKEN = {"by_value": View, "by_reference": View, "held": Held, "held_reference": Held}


@pytest.mark.parametrize("name", TAKEN)
def test_the_host_takes_host_memory_alone(lib: Any, name: str) -> None:
    function, cls = getattr(lib, name), TAKEN[name]
    for _ in range(3):  # the core remembers classes that it has met
        with pytest.raises(sb.Error, match="the host does not read"):
            function(cls(1, Array()))
        assert function(cls(1, HOST)) == 2.5


def test_the_host_takes_no_address_of_a_device(lib: Any) -> None:
    pointer = Held(1, Array()).p
    assert pointer.address == ADDRESS
    for call in (
        lib.element,
        lib.any,
        lambda p: lib.Held(1, p),
        lambda p: Held(1, p).p and lib.element(Held(1, p).p),
    ):
        with pytest.raises(sb.ArrayError, match="copy it to the host"):
            call(pointer)
    with pytest.raises(sb.ArrayError, match="copy it to the host"):
        lib.View(1, Array())
    with pytest.raises(sb.ArrayError, match="copy it to the host"):
        lib.Derived(1, Array(), 2)


PACKED = {
    "array": (lambda: (Array(), sb.array[sb.float32, 1]), DESCRIPTOR),
    "read-only": (lambda: (Array(readonly=True), sb.array[sb.const[sb.float32], 1]), DESCRIPTOR),
    "of no stated type": (lambda: (Array(), None), DESCRIPTOR),
    "tuple": (
        lambda: ((1, Array()), tuple[int, sb.array[sb.float32, 1]]),
        struct.pack("i4x", 1) + DESCRIPTOR,
    ),
    "tuple of no stated type": (lambda: ((1, Array()), None), struct.pack("i4x", 1) + DESCRIPTOR),
    "struct": (lambda: (View(1, Array()), None), struct.pack("i4x", 1) + DESCRIPTOR),
    "its fields": (lambda: ((1, Array()), View), struct.pack("i4x", 1) + DESCRIPTOR),
    "pointer": (lambda: (Array(), sb.pointer[sb.float32]), struct.pack("P", ADDRESS)),
    "address": (lambda: (sb.Pointer(ADDRESS), sb.pointer[sb.float32]), struct.pack("P", ADDRESS)),
}


@pytest.mark.parametrize("form", PACKED)
def test_pack_for_a_device(form: str) -> None:
    make, expected = PACKED[form]
    value, hint = make()
    assert sb.pack(value, hint, dialect="cuda") == expected


NOT_PACKED = {
    "array": lambda: (HOST, sb.array[sb.float32, 1]),
    "tuple": lambda: ((1, HOST), tuple[int, sb.array[sb.float32, 1]]),
    "struct": lambda: (View(1, HOST), None),
    "pointer of a struct": lambda: (Held(1, HOST), None),
    "nested": lambda: (Outer((1, HOST), (1, HOST)), None),
    "an object": lambda: (Pointing(Inner(3)), None),
}


@pytest.mark.parametrize("form", NOT_PACKED)
@pytest.mark.parametrize("dialect", ["cuda", "hip", "sycl"])
def test_the_host_s_memory_is_none_of_a_device(form: str, dialect: str) -> None:
    value, hint = NOT_PACKED[form]()
    with pytest.raises(sb.ArrayError, match="host memory"):
        sb.pack(value, hint, dialect=dialect)
    assert sb.pack(value, hint)  # for the host's code


def test_devices_are_told_apart() -> None:
    with pytest.raises(sb.ArrayError, match="CUDA device memory"):
        sb.pack(View(1, Array()), dialect="hip")
    with pytest.raises(sb.ArrayError, match="the host does not read"):
        sb.pack(View(1, Array()), View)


@sb.struct
class Several:
    pair: tuple[int, sb.array[sb.float32, 1]]
    all: sb.carray[Held, 2]


def test_tuples_and_c_arrays_inside_of_structs() -> None:
    made = Several((1, Array()), ((1, Array()), (2, Array(8))))
    assert not made.pair[1].device.is_host
    assert [one.p.address for one in made.all] == [ADDRESS, ADDRESS + 8]
    with pytest.raises(sb.ArrayError, match="host memory"):
        Several((1, Array()), ((1, HOST), (2, Array(8))))


def test_a_struct_with_a_record_of_a_library(lib: Any) -> None:
    @sb.struct
    class Mixed:
        held: lib.Held
        a: sb.array[sb.float32, 1]

    assert Mixed((1, HOST), HOST).held.n == 1
    made = Mixed((1, Array(64)), Array())
    assert (made.held[1].address, made.a.device.is_host) == (ADDRESS + 64, False)
    assert sb.pack(made, dialect="cuda") == struct.pack("i4xP", 1, ADDRESS + 64) + DESCRIPTOR
