"""Python code that runs while the arguments of a call are read may resize or free an array that was read before.

Each way of passing an array stands before each kind of object whose code does so. What the array's old memory held is
overwritten, so that a call which still reads it gives NaN, and one that writes to it changes another array.
"""

from __future__ import annotations

import array
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import samebytes as sb
from samebytes import _native
from samebytes.errors import ArgumentError, ArrayError

SOURCE = """
#include <cstddef>
#include <samebytes/array.hpp>
#include <vector>

struct Place { double* p; long n; };
struct Part { samebytes::array<const double, 1> x; };
using In = samebytes::array<const double, 1>;
using Out = samebytes::array<double, 1>;

inline double total(In x) { double s = 0; for (std::size_t i = 0; i < x.shape[0]; ++i) s += x(i); return s; }
inline double total(const double* p, long n) { double s = 0; for (long i = 0; i < n; ++i) s += p[i]; return s; }

double of_array(In x, In later) { return total(x); }
double of_pointer(const double* x, In later) { return total(x, 4); }
double of_vector(std::vector<double> x, In later) { double s = 0; for (double v : x) s += v; return s; }
double of_place(Place x, In later) { return total(x.p, 4); }
double of_reference(const Place& x, In later) { return total(x.p, 4); }
double of_nine(In x, int, int, int, int, int, int, int, In later) { return total(x); }
double of_part(Part x, In later) { return total(x.x); }
double of_list(In x, std::vector<long> later) { return total(x); }
double of_several(In x, In y, In z, In later) { return total(x) + total(y) - total(z); }
double chosen(In x, In later) { return total(x); }
double chosen(In x, long later) { return later; }
std::vector<double> copied(In x, In later) { return {total(x)}; }
double filled(Out x, In later) { for (std::size_t i = 0; i < x.shape[0]; ++i) x(i) = 7; return 4; }
double filled_from(double* x, In later) { for (int i = 0; i < 4; ++i) x[i] = 7; return 4; }
struct Sum { double s; Sum(In x, In later) : s(total(x)) {} double add(In x, In later) { return total(x); } };
"""
MANY = 1000


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(SOURCE)


class Disturbed:
    """An array, what has changed it, and what then lies in its old memory."""

    def __init__(self, change: Callable[[Any], None]) -> None:
        self.x, self.change, self.there = np.ones(MANY), change, []

    def disturb(self) -> None:
        if self.there:
            return
        self.change(self.x)
        self.there = [np.full(MANY, np.nan) for _ in range(8)]

    def untouched(self) -> bool:
        return all(np.isnan(one).all() for one in self.there)


class Interface:
    def __init__(self, disturbed: Disturbed) -> None:
        self.disturbed, self.own = disturbed, np.ones(1)

    @property
    def __array_interface__(self) -> Any:
        self.disturbed.disturb()
        return self.own.__array_interface__


class DLPack:
    def __init__(self, disturbed: Disturbed) -> None:
        self.disturbed, self.own = disturbed, np.ones(1)

    def __dlpack__(self, **how: Any) -> Any:
        self.disturbed.disturb()
        return self.own.__dlpack__(**how)

    def __dlpack_device__(self) -> Any:
        return self.own.__dlpack_device__()


class Items(list):  # type: ignore[type-arg]
    disturbed: Disturbed

    def __init__(self, disturbed: Disturbed) -> None:
        super().__init__([1, 2])
        self.disturbed = disturbed

    def __iter__(self) -> Any:
        self.disturbed.disturb()
        return super().__iter__()


class Subclass(np.ndarray):  # type: ignore[type-arg]
    pass


class Named(np.ndarray):  # type: ignore[type-arg]
    """Its own code runs while it is described."""

    disturbed: Any = None

    def __getattribute__(self, name: str) -> Any:
        disturbed = object.__getattribute__(self, "disturbed")
        if disturbed is not None:
            disturbed.disturb()
        return super().__getattribute__(name)


def named(disturbed: Disturbed) -> Any:
    found = np.ones(1).view(Named)
    found.disturbed = disturbed
    return found


LATER = {"interface": Interface, "dlpack": DLPack}

CHANGES: dict[str, Callable[[Any], None]] = {
    "smaller": lambda x: x.resize(4, refcheck=False),
    "larger": lambda x: x.resize(50 * MANY, refcheck=False),
    "state": lambda x: x.__setstate__((1, (4,), np.dtype("f8"), False, np.ones(4).tobytes())),
}


def record(lib: Any, x: Any) -> Any:
    return lib.Place(x, 4)


# How the array is passed: the function, and what of x is its first argument.
PASSED: dict[str, tuple[str, Callable[[Any, Any], Any]]] = {
    "array": ("of_array", lambda lib, x: x),
    "pointer": ("of_pointer", lambda lib, x: x),
    "vector": ("of_vector", lambda lib, x: x),
    "subclass": ("of_array", lambda lib, x: x.view(Subclass)),
    "slice": ("of_array", lambda lib, x: x[1:]),
    "view": ("of_array", lambda lib, x: sb.view(x)),
    "view for a pointer": ("of_pointer", lambda lib, x: sb.view(x)),
    "part of a view": ("of_array", lambda lib, x: sb.view(x)[2:]),
    "memoryview": ("of_array", lambda lib, x: memoryview(x)),
    "Pointer": ("of_pointer", lambda lib, x: sb.Pointer(x, readonly=True)),
    "DeviceArray": ("of_pointer", lambda lib, x: sb.DeviceArray(x)),
    "DeviceArray for an array": ("of_array", lambda lib, x: sb.DeviceArray(x)),
    "tuple": ("of_place", lambda lib, x: (x, 4)),
    "record": ("of_place", record),
    "record by reference": ("of_reference", record),
    "array in a struct": ("of_part", lambda lib, x: (x,)),
    "overload": ("chosen", lambda lib, x: x),
    "result on the heap": ("copied", lambda lib, x: x),
    "written array": ("filled", lambda lib, x: x),
    "written pointer": ("filled_from", lambda lib, x: x),
    "constructor": ("Sum", lambda lib, x: x),
}


def outcome(call: Callable[[], Any], disturbed: Disturbed) -> None:
    """Right, or refused in words; nothing else may be."""
    words = unknown = ""
    try:
        found = call()
    except ArrayError as error:
        words = str(error)
    except ArgumentError as error:
        unknown = str(error)
    if unknown:
        # With __setstate__, NumPy lets go of the format that a memoryview shows: nobody knows its elements any more.
        assert re.search("expected float64.* got <memory at", unknown)
        assert disturbed.untouched()
        return
    if words:
        assert words.count("expected memory that stays where it is") == 1
        assert "moved or freed" in words
        assert disturbed.untouched()
        return
    found = getattr(found, "s", found)
    found = found[0] if isinstance(found, list) else found
    assert found in (4.0, 3.0, MANY, MANY - 1, MANY - 2, disturbed.x.size), found
    assert disturbed.untouched()


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("later", LATER)
@pytest.mark.parametrize("passed", PASSED)
def test_a_later_argument_resizes_an_earlier_one(lib, passed, later, change):
    name, of = PASSED[passed]
    function = getattr(lib, name)
    quiet = Disturbed(lambda x: None)
    for _ in range(2):
        function(of(lib, quiet.x), LATER[later](quiet))  # what is learned of a class makes no difference
    for _ in range(2):
        disturbed = Disturbed(CHANGES[change])
        first, last = of(lib, disturbed.x), LATER[later](disturbed)
        outcome(lambda f=first, e=last: function(f, e), disturbed)  # type: ignore[misc]
        assert disturbed.there, "nothing ran"


class Own(sb.DeviceArray):
    """A class that the core has not met."""


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("later", LATER)
@pytest.mark.parametrize("function", ["of_array", "of_pointer", "filled", "filled_from", "copied"])
@pytest.mark.parametrize("route", ["python", "buffer", "dlpack", "interface"])
def test_whatever_has_taught_the_core_how_a_pointer_shows_its_array(lib, route, function, later, change):
    """Other calls decide by which protocol the core reads a class from then on."""
    _native.set_route(Own, route)
    for _ in range(2):
        disturbed = Disturbed(CHANGES[change])
        first, last = Own(disturbed.x), LATER[later](disturbed)
        outcome(lambda f=first, e=last: getattr(lib, function)(f, e), disturbed)  # type: ignore[misc]
        assert disturbed.there, "nothing ran"


@pytest.mark.parametrize("passed", ["array", "pointer", "vector", "subclass", "written array"])
def test_by_name_in_either_order(lib, passed):
    name, of = PASSED[passed]
    for named_first in (False, True):
        disturbed = Disturbed(CHANGES["smaller"])
        x, later = of(lib, disturbed.x), Interface(disturbed)
        given = {"later": later, "x": x} if named_first else {"x": x, "later": later}
        outcome(lambda g=given: getattr(lib, name)(**g), disturbed)  # type: ignore[misc]


def test_items_of_a_list(lib):
    lib.of_list(np.ones(4), [1, 2])
    disturbed = Disturbed(CHANGES["smaller"])
    outcome(lambda: lib.of_list(disturbed.x, Items(disturbed)), disturbed)


def test_more_arguments_than_the_short_ways_take(lib):
    for later in (Interface, DLPack):
        disturbed = Disturbed(CHANGES["smaller"])
        outcome(lambda d=disturbed, k=later: lib.of_nine(d.x, *range(7), k(d)), disturbed)  # type: ignore[misc]


def test_a_method(lib):
    made = lib.Sum(np.ones(2), np.ones(1))
    for later in (Interface, DLPack):
        disturbed = Disturbed(CHANGES["smaller"])
        outcome(lambda d=disturbed, k=later: made.add(d.x, k(d)), disturbed)  # type: ignore[misc]


def test_several_arrays_of_which_the_second_goes(lib):
    disturbed = Disturbed(CHANGES["smaller"])
    other = np.ones(5)
    with pytest.raises(ArrayError, match=r"of_several\(\) argument 2"):
        lib.of_several(other.view(Subclass), disturbed.x.view(Subclass)[:], other, Interface(disturbed))
    disturbed = Disturbed(CHANGES["smaller"])
    outcome(lambda: lib.of_several(disturbed.x, other, other, Interface(disturbed)), disturbed)


def test_code_of_the_array_s_own_class(lib):
    disturbed = Disturbed(CHANGES["smaller"])
    outcome(lambda: lib.of_array(disturbed.x, named(disturbed)), disturbed)


def test_the_message_names_function_and_argument(lib):
    disturbed = Disturbed(CHANGES["smaller"])
    with pytest.raises(ArrayError) as raised:
        lib.of_array(disturbed.x[1:].view(Subclass), Interface(disturbed))
    words = str(raised.value)
    assert words.startswith("of_array() argument 1: expected memory that stays where it is"), words
    assert "resize()" in words


IN_PLACE: dict[str, Callable[[Any], None]] = {
    "shape": lambda x: setattr(x, "shape", (MANY // 4, 4)),
    "dtype": lambda x: setattr(x, "dtype", np.dtype("i8")),
    "flags": lambda x: x.setflags(write=False),
}


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("change", IN_PLACE)
def test_what_is_set_in_place(lib, change):
    """The memory stays, and the call takes the array as it was when it was read, or as it is."""
    disturbed = Disturbed(IN_PLACE[change])
    found, words = float(MANY), "of_array() argument 1"
    try:
        found = lib.of_array(disturbed.x, Interface(disturbed))
    except ArrayError as error:
        words = str(error)
    assert found == MANY
    assert words.startswith("of_array() argument 1")


@pytest.mark.parametrize("make", [lambda: bytearray(8 * MANY), lambda: array.array("d", [0.0] * MANY)])
def test_buffers_are_locked(lib, make):
    own = make()
    seen = memoryview(own).cast("B").cast("d") if isinstance(own, bytearray) else own
    tried = []

    def grow(x: Any) -> None:
        try:
            own.extend(own[:1])
        except BufferError as error:
            tried.append(error)

    disturbed = Disturbed(grow)
    assert lib.of_array(seen, Interface(disturbed)) == 0
    assert lib.of_pointer(seen, DLPack(Disturbed(grow))) == 0
    assert len(tried) == 2
