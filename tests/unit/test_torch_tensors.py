"""Torch tensors on every route: freed storage, overlapping elements, versions for autograd, resizing meanwhile."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import samebytes as sb
from samebytes.errors import ArrayError, Error

torch = pytest.importorskip("torch")
pytestmark = [
    pytest.mark.full,
    pytest.mark.filterwarnings("ignore::UserWarning", "ignore::DeprecationWarning", "ignore::FutureWarning"),
]

SOURCE = """
#include <cstddef>
#include <vector>
#include <span>
#include <samebytes/array.hpp>
struct DLDevice { int device_type; int device_id; };
using In = samebytes::array<const float, 1>;
using Out = samebytes::array<float, 1>;
double sum(In x) { double s = 0; for (std::size_t i = 0; i < x.shape[0]; ++i) s += x(i); return s; }
double sum_pointer(const float* x, long n) { double s = 0; for (long i = 0; i < n; ++i) s += x[i]; return s; }
double sum_vector(std::vector<float> x) { double s = 0; for (float v : x) s += v; return s; }
double sum_both(In x, In later) { return sum(x); }
double sum_pointer_and(const float* x, In later) { return sum_pointer(x, 4); }
double fill_and(Out x, In later) { for (std::size_t i = 0; i < x.shape[0]; ++i) x(i) = 7; return 4; }
void fill(Out x) { for (std::size_t i = 0; i < x.shape[0]; ++i) x(i) = 5; }
void fill_grid(samebytes::array<float, 2> x) {}
void fill_pointer(float* x, long n) { for (long i = 0; i < n; ++i) x[i] = 5; }
void fill_and_number(Out x, int n) { x(0) = 5; }
struct Place { float* p; long n; };
struct Read { const float* p; long n; };
struct Outer { Place place; };
struct Part { Out x; };
void fill_place(const Place& x) { fill_pointer(x.p, x.n); }
void fill_copy(Place x) { fill_pointer(x.p, x.n); }
void fill_outer(const Outer& x) { fill_place(x.place); }
void fill_span(std::span<float> x) { fill_pointer(x.data(), static_cast<long>(x.size())); }
double sum_span(std::span<const float> x) { return sum_pointer(x.data(), static_cast<long>(x.size())); }
void fill_part(Part x) { fill(x.x); }
double sum_place(const Read& x) { return sum_pointer(x.p, x.n); }
std::vector<double> fill_and_give(Out x) { x(0) = 5; return {1}; }
"""


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(SOURCE, std="c++20")


class Subclass(torch.Tensor):
    pass


# How a tensor is passed.
SHOWN: dict[str, Callable[[Any], Any]] = {
    "tensor": lambda t: t,
    "parameter": lambda t: torch.nn.Parameter(t, requires_grad=False),
    "subclass": lambda t: t.as_subclass(Subclass),
    "view": sb.view,
}

READERS: dict[str, Callable[[Any, Any], Any]] = {
    "array": lambda lib, t: lib.sum(t),
    "pointer": lambda lib, t: lib.sum_pointer(t, 0),
    "vector": lambda lib, t: lib.sum_vector(t),
    "two": lambda lib, t: lib.sum_both(np.zeros(3, "f"), t),
}
WRITERS: dict[str, Callable[[Any, Any], Any]] = {
    "array": lambda lib, t: lib.fill(t),
    "pointer": lambda lib, t: lib.fill_pointer(t, 4),
    "heap": lambda lib, t: lib.fill_and_give(t),
    "Pointer": lambda lib, t: lib.fill_pointer(sb.Pointer(t), 1),
    "record": lambda lib, t: lib.fill_place(lib.Place(t, 4)),
    "record by value": lambda lib, t: lib.fill_copy(lib.Place(t, 4)),
    "record of a Pointer": lambda lib, t: lib.fill_place(lib.Place(sb.Pointer(t), 4)),
    "record that is set": lambda lib, t: lib.fill_place(placed(lib, t)),
    "record in a record": lambda lib, t: lib.fill_outer(lib.Outer(lib.Place(t, 4))),
    "tuple": lambda lib, t: lib.fill_place((t, 4)),
    "array in a record": lambda lib, t: lib.fill_part(lib.Part(t)),
    "span": lambda lib, t: lib.fill_span(t),
}
# Who takes the address may write from then on.
ADDRESSED: dict[str, Callable[[Any], Any]] = {
    "mdspan": lambda t: sb.to_host_mdspan(t, sb.float32, 1),
    "LaunchExtra": lambda t: sb.LaunchExtra([t]),
    "KernelParams": lambda t: sb.KernelParams([t]),
    "ListOfPointer": lambda t: sb.ListOfPointer([t]),
}
# Nothing is written: the version stays.
UNWRITTEN: dict[str, Callable[[Any, Any], Any]] = {
    "mdspan": lambda lib, t: sb.to_host_mdspan(t, sb.const[sb.float32], 1),
    "record": lambda lib, t: lib.sum_place(lib.Read(t, 4)),
    "record of a Pointer": lambda lib, t: lib.sum_place(lib.Read(sb.Pointer(t), 4)),
    "record of a readonly Pointer": lambda lib, t: lib.sum_place(lib.Read(sb.Pointer(t, readonly=True), 4)),
    "record of a view": lambda lib, t: lib.sum_place(lib.Read(sb.view(t), 4)),
    "tuple": lambda lib, t: lib.sum_place((t, 4)),
    "Pointer": lambda lib, t: lib.sum_pointer(sb.Pointer(t), 4),
    "span": lambda lib, t: lib.sum_span(t),
    "LaunchExtra": lambda lib, t: sb.LaunchExtra(
        [sb.Pointer(t, readonly=True)], types=[sb.pointer[sb.const[sb.float32]]]
    ),
}


def placed(lib: Any, t: Any) -> Any:
    made = lib.Place(None, 4)
    made.p = t
    return made


FREED: dict[str, Callable[[], Any]] = {
    "freed": lambda: freed(torch.ones(1000), 0),
    "shorter": lambda: freed(torch.ones(1000), 400),
    "part": lambda: (lambda t: (t[10:], freed(t, 0))[0])(torch.ones(1000)),
    "part of a shorter one": lambda: (lambda t: (t[10:], freed(t, 400))[0])(torch.ones(1000)),
    "every other": lambda: (lambda t: (t[::2], freed(t, 2000))[0])(torch.ones(1000)),
}


def freed(t: Any, size: int) -> Any:
    t.untyped_storage().resize_(size)
    return t


@pytest.mark.parametrize("shown", ["tensor", "parameter", "subclass"])
@pytest.mark.parametrize("how", FREED)
@pytest.mark.parametrize("reader", READERS)
def test_a_freed_storage_is_refused(lib, reader, how, shown):
    READERS[reader](lib, SHOWN[shown](torch.ones(4)))  # known to the core
    for _ in range(2):
        with pytest.raises(Error, match=r"freed or made shorter|no memory"):
            READERS[reader](lib, SHOWN[shown](FREED[how]()))


@pytest.mark.parametrize("how", FREED)
def test_a_freed_storage_is_refused_as_a_view_and_as_an_address(how):
    makes = (
        sb.view, sb.Pointer, sb.DeviceArray, lambda t: sb.to_host_mdspan(t, sb.float32, 1, layout="stride"),
    )  # fmt: skip
    for make in makes:
        for _ in range(2):
            with pytest.raises(Error, match=r"freed or made shorter|no memory"):
                make(FREED[how]())


@pytest.mark.parametrize("shown", SHOWN)
@pytest.mark.parametrize("writer", ["array", "heap"])
def test_overlapping_tensors_are_not_written_to(lib, writer, shown):
    WRITERS[writer](lib, SHOWN[shown](torch.ones(4)))
    for _ in range(2):
        with pytest.raises(ArrayError, match="overlap"):
            WRITERS[writer](lib, SHOWN[shown](torch.zeros(1).expand(4)))
        with pytest.raises(ArrayError, match="overlap"):
            lib.fill_grid(SHOWN[shown](torch.zeros(9).as_strided((3, 4), (2, 1))))
        assert lib.sum(SHOWN[shown](torch.ones(1).expand(4))) == 4
    lib.fill(SHOWN[shown](torch.zeros(1).expand(1)))
    lib.fill_grid(SHOWN[shown](torch.zeros(3, 4).t()))
    lib.fill_grid(SHOWN[shown](torch.zeros(0).expand(4, 0)))


# --- versions


@pytest.mark.parametrize("shown", SHOWN)
@pytest.mark.parametrize("writer", WRITERS)
def test_what_cpp_may_write_has_a_new_version(lib, writer, shown):
    for _ in range(3):
        t = torch.zeros(4)
        passed = SHOWN[shown](t)
        before = t._version
        WRITERS[writer](lib, passed)
        assert t._version > before or getattr(passed, "_version", 0) > before
        assert t[0] == 5


@pytest.mark.parametrize("shown", SHOWN)
@pytest.mark.parametrize("reader", READERS)
def test_what_cpp_reads_has_the_same(lib, reader, shown):
    for _ in range(3):
        t = torch.zeros(4)
        passed = SHOWN[shown](t)
        READERS[reader](lib, passed)
        assert t._version == 0


def test_each_write_is_one_version(lib):
    t = torch.zeros(4)
    for count in range(1, 6):
        lib.fill(t)
        assert t._version == count
    lib.fill_and_give(t)
    assert t._version == 6


def test_a_refused_call_leaves_the_version(lib):
    t = torch.zeros(4)
    lib.fill_and_number(t, 1)
    before = t._version
    for wrong in ("x", 2**40, None):
        with pytest.raises(Error):
            lib.fill_and_number(t, wrong)
        with pytest.raises(Error):
            lib.fill_and_number(t.as_subclass(Subclass), wrong)
    assert t._version == before


@pytest.mark.parametrize("shown", SHOWN)
@pytest.mark.parametrize("how", ADDRESSED)
def test_an_address_for_writing_is_a_new_version(how, shown):
    for _ in range(2):
        t = torch.zeros(4)
        passed = SHOWN[shown](t)
        ADDRESSED[how](passed)
        assert t._version > 0 or getattr(passed, "_version", 0) > 0


@pytest.mark.parametrize("how", UNWRITTEN)
def test_what_cpp_only_reads_by_other_ways_has_the_same(lib, how):
    for _ in range(3):
        t = torch.zeros(4)
        UNWRITTEN[how](lib, t)
        assert t._version == 0


def test_each_call_with_a_record_is_a_write(lib):
    """The record's field says that C++ may write; which call does, nobody says."""
    t = torch.zeros(4)
    place = lib.Place(t, 4)
    for count in range(1, 4):
        assert t._version == count - 1
        lib.fill_place(place)
    place.p = torch.zeros(4)
    lib.fill_place(place)
    assert t._version == 3


@pytest.mark.parametrize("shown", SHOWN)
@pytest.mark.parametrize("writer", WRITERS)
def test_autograd_notices_a_write(lib, writer, shown):
    """Of the facts: a write through detach() gave a wrong gradient in silence."""
    for _ in range(2):
        x = torch.linspace(0, 1, 4, requires_grad=True)
        y = x.exp()
        loss = y.sum()
        WRITERS[writer](lib, SHOWN[shown](y.detach()))
        if shown == "parameter":
            continue  # torch gives a Parameter of its own a version of its own
        with pytest.raises(RuntimeError, match="modified by an inplace operation"):
            loss.backward()


def test_leaves_that_require_grad_are_refused(lib):
    leaf = torch.zeros(4, requires_grad=True)
    for call in (lib.fill, lib.sum):
        with pytest.raises(Error, match="require gradient"):
            call(leaf)
        with pytest.raises(Error, match="require gradient"):
            call(leaf * 2)
    with torch.no_grad():
        before = leaf._version
        lib.fill(leaf.detach())
        assert leaf._version == before + 1


def test_inference_tensors(lib):
    """They have no version: autograd never saves them."""
    with torch.inference_mode():
        made, own = torch.zeros(4), torch.zeros(4)
        lib.fill(made)
        lib.fill(own.as_subclass(Subclass))
    lib.fill(made)
    assert made.sum() == 20
    assert own.sum() == 20


def test_a_batch_of_views(lib):
    whole = torch.zeros(8)
    first, second = whole[:4], whole[4:]
    lib.fill(second)
    assert whole._version == first._version == 1


# --- what is changed while it is read


class Resizing:
    def __init__(self, t: Any, change: Callable[[Any], None]) -> None:
        self.t, self.change, self.own, self.there = t, change, np.ones(1, "f"), []

    @property
    def __array_interface__(self) -> Any:
        if not self.there:
            self.change(self.t)
            self.there = [np.full(1000, np.nan, "f") for _ in range(8)]
        return self.own.__array_interface__


class ResizingDLPack(Resizing):
    __array_interface__ = None  # type: ignore[assignment]

    def __dlpack__(self, **how: Any) -> Any:
        Resizing.__array_interface__.fget(self)  # type: ignore[attr-defined]
        return self.own.__dlpack__(**how)

    def __dlpack_device__(self) -> Any:
        return self.own.__dlpack_device__()


CHANGES: dict[str, Callable[[Any], None]] = {
    "storage freed": lambda t: t.untyped_storage().resize_(0),
    "storage shorter": lambda t: t.untyped_storage().resize_(16),
    "resize_": lambda t: t.resize_(100000),
    "set_": lambda t: t.set_(torch.ones(4)),
    "data": lambda t: setattr(t, "data", torch.ones(4)),
}


@pytest.mark.parametrize("shown", SHOWN)
@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("later", [Resizing, ResizingDLPack])
def test_a_later_argument_resizes_a_tensor(lib, later, change, shown):
    def still(t: Any) -> None:
        pass

    for name in ("sum_both", "sum_pointer_and", "fill_and"):
        function = getattr(lib, name)
        for _ in range(2):
            function(SHOWN[shown](torch.ones(4)), later(torch.ones(4), still))
        for _ in range(2):
            t = torch.ones(1000)
            first = SHOWN[shown](t)
            last = later(t if shown == "view" else first, CHANGES[change])
            found, words = None, "moved or freed"
            try:
                found = function(first, last)
            except Error as error:
                words = str(error)
            assert "moved or freed" in words or "freed or made shorter" in words
            assert found in (None, 4.0, 1000.0) or change == "resize_"
            assert last.there, "nothing ran"
            assert all(np.isnan(one).all() for one in last.there)


# --- subclasses whose own code raises


class Raising(torch.Tensor):
    @classmethod
    def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        raise RuntimeError("of the subclass's own")


def test_a_subclass_that_raises_is_refused_in_words(lib):
    t = torch.ones(4).as_subclass(Raising)
    calls = [*READERS.values(), lambda lib, t: lib.fill(t), lambda lib, t: lib.fill_and_number(np.ones(2, "f"), t),
             lambda lib, t: lib.sum_pointer(np.ones(2, "f"), t), lambda lib, t: sb.view(t),
             lambda lib, t: sb.Pointer(t),
             lambda lib, t: sb.to_host_mdspan(t, sb.float32, 1), lambda lib, t: sb.DeviceArray(t)]  # fmt: skip
    for call in calls:
        with pytest.raises(Error) as raised:
            call(lib, t)
        assert "Raising" in str(raised.value)


def test_torch_is_never_imported_by_a_call():
    program = """
        import sys
        import numpy as np
        import samebytes as sb
        lib = sb.compile("#include <samebytes/array.hpp>\\nvoid f(samebytes::array<float, 1> x) {}")
        lib.f(np.ones(3, "f"))
        try:
            lib.f("x")
        except sb.Error:
            pass
        assert not [name for name in sys.modules if name.partition(".")[0] in ("torch", "jax")]
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(program)], capture_output=True, text=True)
    assert not done.returncode, done.stderr
