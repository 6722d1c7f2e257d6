"""Functions of the host that take arrays of a device: by samebytes::device_ptr, or because a user says so."""

import numpy as np
import pytest
from tests.tables import warns_at_first

import samebytes as sb

SOURCE = """
#include <samebytes/device_ptr.hpp>
using namespace samebytes;
int total(device_ptr<float> x, int n) { int sum = 0; for (int i = 0; i < n; ++i) sum += x.get()[i]; return sum; }
int cuda(const device_ptr<const float, on_cuda>& x) { const float* p = x; return p ? p[1] : -1; }
bool hip(device_ptr<void, on_hip> x) { return x != nullptr; }
template <class T> T second(device_ptr<T> x) { return x.get()[1]; }
int plain(float* x, const int* y) { return x[1] + y[2]; }
int either(device_ptr<float> x) { return 1; }
int either(int x) { return 2; }
struct Own { float f; int more(device_ptr<const float> x) const { return x.get()[1] + f; } };
struct View { device_ptr<float> data; int n; };
float viewed(View v) { return v.data.get()[v.n]; }
View made(device_ptr<float> x, int n) { return {x, n}; }
device_ptr<float> given(device_ptr<float> x) { return x; }
void changed(device_ptr<float>& p) {}
"""
CHOSEN = {"plain": {"x": {"intent": "device_ptr", "device": "cuda"}, "y": "device_ptr"}}


class Memory:
    """An array of CUDA's, as it says itself; what is in it is NumPy's."""

    def __init__(self, array, *, readonly=False):
        self.array = array
        self.__cuda_array_interface__ = {
            "shape": array.shape, "typestr": array.dtype.str, "data": (array.ctypes.data, readonly), "version": 3,
            "strides": None if array.flags.c_contiguous else array.strides, "stream": None,
        }  # fmt: skip


class OfHip(Memory):
    """The same of HIP's."""


OfHip.__module__ = "hip.of_tests"


@pytest.fixture(scope="module")
def lib():
    with warns_at_first(sb.BindWarning, match="a device_ptr that C\\+\\+ would change has no counterpart"):
        return sb.compile(SOURCE, name="of_devices", arg_intent=CHOSEN)


X, Y = np.arange(4, dtype="f4"), np.arange(4, dtype="i4")
TAKEN = (
    (lambda lib: lib.total(Memory(X), 4), 6), (lambda lib: lib.total(OfHip(X), 4), 6),
    (lambda lib: lib.total(None, 0), 0), (lambda lib: lib.total(sb.Pointer(X.ctypes.data), 4), 6),
    (lambda lib: lib.cuda(Memory(X, readonly=True)), 1), (lambda lib: lib.cuda(None), -1),
    (lambda lib: lib.hip(OfHip(Y)), True), (lambda lib: lib.second[sb.float32](Memory(X)), 1),
    (lambda lib: lib.plain(Memory(X), OfHip(Y)), 3), (lambda lib: lib.either(Memory(X)), 1),
    (lambda lib: lib.either(3), 2), (lambda lib: lib.Own(2).more(Memory(X)), 3),
    (lambda lib: lib.viewed((Memory(X), 2)), 2), (lambda lib: lib.viewed(lib.View(OfHip(X), 3)), 3),
    (lambda lib: lib.viewed(lib.made(Memory(X), 1)), 1),
    (lambda lib: lib.given(Memory(X)).address, X.ctypes.data), (lambda lib: lib.total(lib.given(Memory(X)), 2), 1),
)  # fmt: skip
COPY = r'sb\.DeviceArray\.from_host\(x, device="cuda"\) is a copy there'
REFUSED = (
    (lambda lib: lib.total(X, 4), sb.ArrayError,
     rf"argument 1 'x': expected contiguous float32\[n\] in device memory, .*in host memory.*{COPY}"),
    (lambda lib: lib.total([1.0], 1), sb.ArgumentError, f"got a list. {COPY}"),
    (lambda lib: lib.total(5, 1), sb.ArgumentError, r"got 5 \(int\). sb\.Pointer\(address\) says"),
    (lambda lib: lib.total(Memory(X.astype("f8")), 4), sb.ArrayError, "the elements must be float32"),
    (lambda lib: lib.total(Memory(X[::2]), 2), sb.ArrayError, "not contiguous in C order: pass a contiguous array"),
    (lambda lib: lib.total(Memory(X, readonly=True), 2), sb.ArrayError, "may write to it: pass a writable array"),
    (lambda lib: lib.cuda(OfHip(X)), sb.ArrayError, f"in CUDA device memory, .*in ROCm device memory.*{COPY}"),
    (lambda lib: lib.hip(Memory(X)), sb.ArrayError,
     r'in ROCm device memory, .*from_host\(x, device="hip"\) is a copy there'),
    (lambda lib: lib.plain(X, Y), sb.ArrayError,
     "(?s)'x': expected contiguous float32.*in CUDA device.*'y': expected contiguous int32.*in device"),
    (lambda lib: lib.plain(OfHip(X), Memory(Y)), sb.ArrayError, "'x': .*in CUDA device memory, .*in ROCm"),
    (lambda lib: lib.Own(2).more(X), sb.ArrayError, "in device memory, .*in host memory"),
    (lambda lib: lib.View(X, 1), sb.ArrayError, r"View\(\) argument 1 'data': .*in device memory, .*in host memory"),
    (lambda lib: lib.viewed((X, 1)), sb.ArrayError, r"'v\.data': .*in device memory, .*in host memory"),
    (lambda lib: setattr(lib.View(Memory(X), 1), "data", X), sb.ArrayError, r"View\.data: .*in device memory"),
)  # fmt: skip


@pytest.mark.parametrize("row", range(len(TAKEN)))
def test_arrays_of_devices_are_their_addresses(row, lib):
    call, expected = TAKEN[row]
    assert call(lib) == expected


@pytest.mark.parametrize("row", range(len(REFUSED)))
def test_what_does_not_lie_there_is_refused(row, lib):
    call, error, words = REFUSED[row]
    with pytest.raises(error, match=words):
        call(lib)


@pytest.mark.parametrize(
    ("intent", "words"),
    [
        ({"n": "device_ptr"}, r"f\(\) parameter 'n' \(int\) is no pointer to memory, which device_ptr means"),
        ({"g": "device_ptr"}, r"f\(\) parameter 'g' .* is no pointer to memory"),
        (
            {"x": {"intent": "device_ptr", "device": "cude"}},
            "the only option of 'device_ptr' is device, one of cuda",
        ),
        ({"x": {"intent": "device_ptr", "where": 1}}, "the only option of 'device_ptr' is device"),
    ],
)
def test_what_cannot_be_meant_is_refused(intent, words):
    with pytest.raises(sb.IntentError, match=words):
        sb.compile("void f(float* x, int n, void (*g)()) {}", arg_intent={"f": intent})


def test_the_memorys_own_stream_comes_before(lib, monkeypatch):
    """What the array's library still does with it is done when C++ gets the address."""
    from samebytes.call.addresses import device_pointers

    finished = []
    monkeypatch.setattr(
        device_pointers, "finish", lambda stream, device: finished.append((stream, device.type))
    )
    x = Memory(X)
    x.__cuda_array_interface__["stream"] = 0x70
    lib.total(x, 4)
    assert finished == [(0x70, sb.view(x).device.type)]
