"""Structs that hold addresses of the device's memory, and descriptors of arrays, as arguments of kernels."""

import gc
import weakref

import numpy as np
import pytest

import samebytes as sb

pytestmark = [pytest.mark.full, pytest.mark.filterwarnings("ignore::samebytes.BindWarning")]

SOURCE = """
#include <samebytes/array.hpp>
struct View { float* data; int n; };
struct Both { View in, out; const double* scale; };
struct Many { float* rows[2]; const char* text; void* any; };
struct Node { Node* next; int value; };
struct Calls { void (*f)(int); int n; };
__global__ void twice(View v) { for (int i = 0; i < v.n; ++i) v.data[i] *= 2; }
__global__ void scaled(char c, Both b) { for (int i = 0; i < b.in.n; ++i) b.out.data[i] = b.in.data[i] * *b.scale + c; }
__global__ void rows(Many m) { m.rows[1][0] = m.rows[0][0] + m.text[1]; *(int*)m.any = 7; }
__global__ void sum(Node n, int* out) { *out = n.value + (n.next ? n.next->value : 0); }
__global__ void each(const View* v, int count, float* out) { for (int i = 0; i < count; ++i) out[i] = v[i].data[0]; }
__global__ void calls(Calls c) {}
__global__ void some(float o[4], const double m[2][3]) { o[0] = m[1][2]; }
__global__ void strided(samebytes::array<const float, 2> x, samebytes::array<float, 1> y) {
  for (int i = 0; i < int(x.shape[0]); ++i)
    for (int j = 0; j < int(x.shape[1]); ++j) y(i) += x(i, j);
}
"""


@pytest.fixture
def lib(fake):
    return fake.knows(sb.compile(SOURCE, dialect="cuda", name="addresses"))


@pytest.mark.hardware
def test_a_record_holds_an_array_of_the_device(lib, fake):
    x = fake.array(np.arange(4, dtype=np.float32))
    view = lib.View(x, 4)
    lib.twice[1, 1](view)
    lib.twice[1, 1](view)
    assert x.array.tolist() == [0, 4, 8, 12]
    assert view.data.address == x.array.ctypes.data
    assert repr(view).startswith("View(data=")
    view.data = other = fake.array(np.ones(1, np.float32))
    view.n = 1
    lib.twice[1, 1](view), lib.twice[1, 1](view.replace(n=1))
    assert (x.array.tolist(), other.array.tolist()) == ([0, 4, 8, 12], [4])


@pytest.mark.hardware
def test_tuples_and_records_inside_of_records(lib, fake):
    x, y = fake.array(np.arange(3, dtype=np.float32)), fake.array(np.zeros(3, np.float32))
    scale = fake.array(np.array([2.5]))
    lib.scaled[1, 1](1, ((x, 3), (y, 3), scale))
    assert y.array.tolist() == [1, 3.5, 6]
    both = lib.Both(lib.View(x, 2), lib.View(y, 2), scale)
    lib.scaled[1, 1](0, both)
    assert y.array.tolist() == [0, 2.5, 6]
    assert both.out.data.address == y.array.ctypes.data


@pytest.mark.hardware
def test_arrays_of_pointers_text_and_any_memory(lib, fake):
    a, b = (fake.array(np.full(1, n, np.float32)) for n in (2, 0))
    text, any_ = fake.array(np.frombuffer(b"ab", np.int8)), fake.array(np.zeros(1, np.int32))
    made = lib.Many((a, b), text, any_)
    lib.rows[1, 1](made)
    assert (b.array[0], any_.array[0]) == (2 + ord("b"), 7)
    # Nothing on the host follows an address of the device's, also not to show it.
    far = lib.Many((sb.Pointer(8), None), sb.Pointer(16), sb.Pointer(24))
    assert (far.text.address, far.any.address) == (16, 24)
    assert "0x10" in repr(far)
    assert "0x8" in repr(lib.Node(sb.Pointer(8), 1))
    assert far == lib.Many((sb.Pointer(8), None), sb.Pointer(16), sb.Pointer(24))


@pytest.mark.hardware
def test_a_struct_that_points_to_itself(lib, fake):
    nodes = fake.array(np.array([(0, 5)], np.dtype([("next", "u8"), ("value", "i4")], align=True)))
    out = fake.array(np.zeros(1, np.int32))
    for next_, expected in ((None, 2), (nodes, 7)):
        if next_ is not None:
            next_ = sb.Pointer(nodes.array.ctypes.data)
        lib.sum[1, 1](lib.Node(next_, 2), out)
        assert out.array[0] == expected


@pytest.mark.hardware
def test_what_a_record_holds_lives_as_long(lib, fake):
    x = fake.array(np.ones(1, np.float32))
    alive, view = weakref.ref(x), lib.View(x, 1)
    fake.arrays.clear()
    del x
    gc.collect()
    assert alive() is not None
    view.data = None
    gc.collect()
    assert alive() is None


HOST = "in CUDA device memory"
REFUSED = (
    (lambda lib, x: lib.View(np.ones(2, np.float32), 2), sb.ArrayError, r"View\(\) argument 1 'data'.*from_host"),
    (lambda lib, x: lib.View([1.0], 1), sb.ArgumentError, r"argument 1 'data'.*got a list.*from_host"),
    (lambda lib, x: lib.Many((x, x), b"text", None), sb.Error, "argument 2 'text'"),
    (lambda lib, x: lib.View(x, 1.5), sb.ArgumentError, "argument 2 'n'"),
    (lambda lib, x: lib.twice[1, 1]((np.ones(2, "f4"), 2)), sb.ArrayError, r"argument 1 'v\.data'.*in host memory"),
    (lambda lib, x: lib.twice[1, 1]((x, 2.5)), sb.ArgumentError, r"'v\.n'"),
    (lambda lib, x: lib.twice[1, 1](x), sb.ArgumentError, r"View \(data, n\)"),
    (lambda lib, x: lib.twice[1, 1](lib.Node(None, 1)), sb.ArgumentError, "View"),
    (lambda lib, x: lib.strided[1, 1](np.ones((1, 1), np.float32), x), sb.ArrayError, f"argument 1 'x'.*{HOST}"),
    (lambda lib, x: lib.strided[1, 1](x, x), sb.ArrayError, "pass an array of 2 dimensions"),
    (lambda lib, x: lib.strided[1, 1](None, x), sb.ArgumentError, "argument 1 'x'"),
)  # fmt: skip


@pytest.mark.hardware
@pytest.mark.parametrize("row", range(len(REFUSED)))
def test_what_no_kernel_could_read_is_refused(row, lib, fake):
    call, kind, words = REFUSED[row]
    x = fake.array(np.ones(2, np.float32))
    with pytest.raises(kind, match=f"(?s){words}"):
        call(lib, x)
    assert not fake.launches


def test_functions_of_the_host_have_no_address_there(lib):
    reasons = {s.name: s.reason for s in lib.__skipped__}
    assert reasons["calls"] == (
        "parameter 1 'c' (Calls): it holds the address of a function, and functions of the device have none on the host"
    )


def test_memory_of_another_device_in_a_record_is_noticed_by_the_launch(lib, fake):
    import ctypes

    from samebytes import _native

    class There:
        """An array of the second device, by DLPack alone."""

        def __init__(self, array):
            self.array = array

        def __dlpack_device__(self):
            return _native.DEVICE_CUDA, 1

        def __dlpack__(self, **how):
            capsule = self.array.__dlpack__()
            get = ctypes.PyDLL(None).PyCapsule_GetPointer
            get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
            place = get(capsule, b"dltensor")
            ctypes.memmove(
                place + 8, bytes(ctypes.c_int32(_native.DEVICE_CUDA)) + bytes(ctypes.c_int32(1)), 8
            )
            return capsule

    view = lib.View(There(np.ones(1, np.float32)), 1)
    for given in (view, lib.View(view.data, 1), view.replace(n=1)):
        with pytest.raises(sb.ArrayError, match="the kernel was loaded for device 0: copy it there"):
            lib.twice[1, 1](given)
    assert not fake.launches


def test_what_is_still_done_with_an_array_in_a_record_comes_before(lib, fake):
    before = fake.calls("wait")
    view = lib.View(fake.array(np.ones(1, np.float32), stream=7), 1)
    assert fake.calls("wait") == before  # when it is launched, and not before
    lib.twice[1, 1](view)
    assert fake.calls("wait") == before + 2


@pytest.mark.hardware
def test_descriptors_show_arrays_with_their_strides(lib, fake):
    x, y = fake.array(np.arange(12, dtype=np.float32).reshape(3, 4)), fake.array(np.zeros(3, np.float32))
    lib.strided[1, 1](x, y)
    assert y.array.tolist() == x.array.sum(1).tolist()
    assert "x: array[const[float32], 2]" in lib.strided.__doc__


@pytest.mark.hardware
def test_pointers_to_structs_with_addresses(lib, fake):
    views = np.zeros(2, np.dtype([("data", "u8"), ("n", "i4")], align=True))
    out = fake.array(np.zeros(2, np.float32))
    for given in (views, fake.array(views), fake.array(np.zeros(2, "u8"))):  # NumPy has no addresses
        with pytest.raises(sb.Error, match=r"View\[n\] in CUDA device memory"):
            lib.each[1, 1](given, 2, out)
    lib.each[1, 1](sb.Pointer(fake.arrays[1].ctypes.data), 0, out)
    assert fake.launches[-1].data[0] == fake.arrays[1].ctypes.data.to_bytes(8, "little")


EXTENTS = [
    ((2,), (2, 3), "C", r"float32\[n >= 4\] in CUDA device memory.*It has 2 elements, and 4 are declared"),
    ((4,), (1, 3), "C", "It has 1 row, and 2 are declared"),
    ((4,), (3, 2), "C", r"the shape must be \[n >= 2, 3\]"),
    ((4,), (2, 3), "F", "x.T is the same memory in C order"),
]


@pytest.mark.parametrize(("some", "rows", "order", "words"), EXTENTS)
def test_declared_extents_hold_at_launches(lib, fake, some, rows, order, words):
    given = (fake.array(np.zeros(some, np.float32)), fake.array(np.zeros(rows, order=order)))
    with pytest.raises(sb.ArrayError, match=words):
        lib.some[1, 1](*given)
