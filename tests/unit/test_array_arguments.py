"""Arrays as arguments: every producer arrives as the same descriptor, and what does not fit is named."""

from __future__ import annotations

import array as stdarray
import gc
import sys
import threading
import time

import ml_dtypes
import numpy as np
import pytest

import samebytes as sb

SOURCE = r"""
#include <samebytes/array.hpp>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>

struct Pair { int32_t a; double b; };

double total(samebytes::array<const float, 1> x) {
  double s = 0;
  for (uint64_t i = 0; i < x.extent(0); ++i) s += x[i];
  return s;
}
double at(samebytes::array<const short, 2> x, int i, int j) { return x(i, j); }
void scale(samebytes::array<float, 2> x, float k) {
  for (uint64_t i = 0; i < x.extent(0); ++i)
    for (uint64_t j = 0; j < x.extent(1); ++j) x(i, j) *= k;
}
double scalar(samebytes::array<const double, 0> x) { return x(); }
float sum_ptr(const float* x, int n) { float s = 0; for (int i = 0; i < n; ++i) s += x[i]; return s; }
void fill_ptr(float* x, int n, float v) { for (int i = 0; i < n; ++i) x[i] = v; }
double det(const double (*m)[3]) { return m[0][0] * m[1][1] * m[2][2]; }
int bytes(const void* p, int i) { return static_cast<const unsigned char*>(p)[i]; }
int text(char* p) { return p[0]; }
int length(const char* s) { int n = 0; while (s[n]) ++n; return n; }
void* raw(void* p) { return p; }
enum class Level : signed char { low = -1, high = 1 };
int levels(const Level* p, int n) { int s = 0; for (int i = 0; i < n; ++i) s += (int)p[i]; return s; }
double pairs(samebytes::array<const Pair, 1> x) {
  double s = 0;
  for (uint64_t i = 0; i < x.extent(0); ++i) s += x[i].a + x[i].b;
  return s;
}
double during(samebytes::array<const float, 1> x, int (*run)()) {
  run();
  double s = 0;
  for (uint64_t i = 0; i < x.extent(0); ++i) s += x[i];
  return s;
}
std::atomic<bool> begun, told;
bool waits(samebytes::array<const float, 1>) {
  begun = true;
  for (int k = 0; k < 20000 && !told; ++k) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return told;
}
bool tell() { return begun ? told = true : false; }
"""


@pytest.fixture(scope="module")
def lib():
    return sb.compile(SOURCE)


def unaligned(dtype, n):
    return np.zeros(n * np.dtype(dtype).itemsize + 1, "u1")[1:].view(dtype)


def readonly(x):
    x.flags.writeable = False
    return x


class TestStrides:
    @pytest.mark.parametrize(
        "take", [slice(None), slice(None, None, 2), slice(None, None, -1), slice(5, 1, -3), slice(0, 0)]
    )
    def test_any_stride(self, lib, take):
        x = np.arange(10, dtype="f4")[take]
        for _ in range(2):
            assert lib.total(x) == x.sum()

    def test_transposed(self, lib):
        x = np.arange(6, dtype="i2").reshape(2, 3)
        assert lib.at(x.T, 2, 1) == x[1, 2]

    def test_written_in_place(self, lib):
        x = np.arange(12, dtype="f4").reshape(3, 4)
        expected = x[:, ::-2] * 2
        lib.scale(x[:, ::-2], 2)
        assert (x[:, ::-2] == expected).all()

    def test_rank_zero(self, lib):
        assert lib.scalar(np.array(2.5)) == 2.5

    def test_broadcast_stride_zero(self, lib):
        assert lib.total(np.broadcast_to(np.float32(2), 5)) == 10


class TestProducers:
    def test_standard_library(self, lib):
        x = stdarray.array("f", [1, 2, 3])
        assert lib.total(x) == 6
        assert lib.total(memoryview(x)[::2]) == 4
        lib.fill_ptr(x, 3, 7)
        assert list(x) == [7, 7, 7]

    def test_bytes_like(self, lib):
        assert lib.bytes(b"abc", 1) == ord("b")
        assert lib.bytes(bytearray(b"abc"), 2) == ord("c")
        assert lib.text(bytearray(b"xyz")) == ord("x")

    def test_array_interface_alone(self, lib):
        class Shown:
            def __init__(self, x):
                self.x, self.__array_interface__ = x, x.__array_interface__

        assert lib.total(Shown(np.ones(4, "f4"))) == 4

    def test_dlpack_alone(self, lib):
        class Shown:
            def __init__(self, x):
                self.x = x

            def __dlpack__(self, **how):
                return self.x.__dlpack__(**how)

            def __dlpack_device__(self):
                return self.x.__dlpack_device__()

        for _ in range(2):
            assert lib.total(Shown(np.ones(4, "f4")[::2])) == 2

    def test_structured_elements(self, lib):
        x = np.zeros(3, np.dtype([("a", "i4"), ("b", "f8")], align=True))
        x["a"], x["b"] = [1, 2, 3], 0.5
        for _ in range(2):
            assert lib.pairs(x) == 7.5
        with pytest.raises(sb.ArrayError, match="Pair"):
            lib.pairs(np.zeros(3, np.dtype([("a", "i4"), ("b", "f8")])))

    @pytest.mark.full
    def test_torch(self, lib):
        torch = pytest.importorskip("torch")
        x = torch.arange(6, dtype=torch.float32)
        for _ in range(3):
            assert lib.total(x) == 15
            assert lib.total(x[::2]) == 6
        y = torch.ones(2, 3)
        lib.scale(y, 3)
        assert y.sum() == 18
        for bad in (
            torch.ones(2, 2, requires_grad=True),
            torch.ones(2, 2, dtype=torch.float64),
            torch.ones(4),
        ):
            with pytest.raises(sb.Error):
                lib.scale(bad, 1)
        with pytest.raises(sb.Error, match="resolve_neg"):
            lib.total(torch.imag(torch.conj(torch.ones(3, dtype=torch.complex64) * 1j)))

    @pytest.mark.full
    def test_jax_is_input_only(self, lib):
        jnp = pytest.importorskip("jax.numpy")
        x = jnp.arange(5, dtype="float32")
        for _ in range(3):
            assert lib.total(x) == 10
            assert lib.sum_ptr(x, 5) == 10
            with pytest.raises(sb.ArrayError, match="read-only"):
                lib.fill_ptr(x, 5, 1)
        assert float(x[0]) == 0

    @pytest.mark.full
    def test_pyarrow(self, lib):
        pa = pytest.importorskip("pyarrow")
        assert lib.total(pa.array([1.0, 2.0], pa.float32())) == 3


MISFITS = [
    ("total", lambda: np.zeros(3), sb.ArrayError, ["float32[n]", "got float64[3]", 'x.astype("float32")']),
    ("total", lambda: np.zeros((2, 2), "f4"), sb.ArrayError, ["float32[n]", "float32[2, 2]", "1 dimension"]),
    ("total", lambda: np.zeros(3, ">f4"), sb.ArrayError, ["byte order"]),
    ("total", lambda: unaligned("f4", 3), sb.ArrayError, ["not aligned to 4 bytes"]),
    ("total", lambda: [1.0, 2.0], sb.ArgumentError, ["got a list", "numpy.array"]),
    ("total", lambda: 3.0, sb.ArgumentError, ["float"]),
    ("total", lambda: None, sb.ArgumentError, ["NoneType"]),
    ("total", lambda: np.zeros(3, ml_dtypes.bfloat16), sb.ArrayError, ["bfloat16[3]"]),
    ("total", lambda: np.array([None]), sb.ArrayError, ["object"]),
    ("sum_ptr", lambda: np.zeros(6, "f4")[::2], sb.ArrayError, ["not contiguous", "ascontiguousarray"]),
    (
        "sum_ptr",
        lambda: np.asfortranarray(np.zeros((2, 3), "f4")),
        sb.ArrayError,
        ["not contiguous", "Fortran's: x.T"],
    ),
    ("fill_ptr", lambda: readonly(np.zeros(3, "f4")), sb.ArrayError, ["read-only", "writable"]),
    ("fill_ptr", lambda: b"1234", sb.ArrayError, ["uint8", "read-only"]),
    ("fill_ptr", lambda: 4096, sb.ArgumentError, ["sb.Pointer"]),
    ("det", lambda: np.zeros((3, 2)), sb.ArrayError, ["[n, 3]"]),
    ("fill_ptr", lambda: np.float32(3), sb.ArgumentError, ["NumPy scalar", "place of its own"]),
    ("raw", lambda: np.array([object()]), sb.ArrayError, ["Python objects"]),
    (
        "total",
        lambda: np.ma.array([1.0, 2.0], "f4", mask=[True, False]),
        sb.ProtocolError,
        ["masked", "filled"],
    ),
    ("length", lambda: bytearray(b"abc"), sb.ArgumentError, ["str or bytes"]),
    ("length", lambda: np.zeros(3, "u1"), sb.ArgumentError, ["str or bytes"]),
    ("length", lambda: 5, sb.ArgumentError, ["str or bytes"]),
    ("length", lambda: "a\0b", sb.ArgumentError, ["NUL"]),
    ("length", lambda: "\ud800", sb.ArgumentError, ["Unicode"]),
]


@pytest.mark.parametrize(("name", "make", "error", "words"), MISFITS)
def test_misfits_are_worded(lib, name, make, error, words):
    rest = {"sum_ptr": (3,), "fill_ptr": (3, 1.0)}.get(name, ())
    for _ in range(2):
        with pytest.raises(error) as caught:
            getattr(lib, name)(make(), *rest)
        text = str(caught.value)
        assert text.startswith(f"{name}() argument 1 ")
        for word in words:
            assert word in text


def test_rows_of_fixed_length(lib):
    assert lib.det(np.diag([2.0, 3.0, 4.0])) == 24


def test_text_comes_back_as_it_went(lib):
    assert lib.length("hé") == 3
    assert lib.length(b"\xff".decode("utf-8", "surrogateescape")) == 1


def test_enums_as_their_integers(lib):
    assert lib.levels(np.array([-1, 1, 1], "i1"), 3) == 1


def test_masks_in_a_described_array(lib):
    class Masked:
        @property
        def __array_interface__(self):
            return {**np.zeros(2, "f4").__array_interface__, "mask": np.zeros(2, bool)}

    with pytest.raises(sb.ProtocolError, match="masks"):
        lib.total(Masked())


def test_null_pointers(lib):
    assert lib.sum_ptr(None, 0) == 0


def test_one_value_for_a_const_pointer(lib):
    assert lib.sum_ptr(2.5, 1) == 2.5


def test_unknown_objects_with_a_broken_producer(lib):
    class Broken:
        def __dlpack__(self, **how):
            raise RuntimeError("boom")

        def __dlpack_device__(self):
            return (1, 0)

    with pytest.raises(sb.ProtocolError, match="boom"):
        lib.total(Broken())


class TestLifetime:
    def test_references_are_returned(self, lib):
        x = np.ones((2, 2), "f4")
        y = bytearray(b"abcd")
        sun = (x, y)
        before = [sys.getrefcount(o) for o in sun]
        for _ in range(1000):
            lib.scale(x, 1)
            lib.bytes(y, 0)
            with pytest.raises(sb.ArrayError):
                lib.total(x)
        gc.collect()
        assert [sys.getrefcount(o) for o in sun] == before
        y.extend(b"more")  # no lock is left

    def test_a_buffer_is_locked_during_the_call(self, lib):
        data = stdarray.array("f", [1.0] * 1000)

        def resize():
            with pytest.raises(BufferError):
                data.append(0.0)
            return 0

        assert lib.during(data, resize) == 1000
        data.append(1.0)
        assert lib.total(data) == 1001

    def test_dropping_the_last_reference_during_the_call(self, lib):
        box = [np.ones(100_000, "f4")]
        junk = []

        def drop():
            thread = threading.Thread(target=box.clear)
            thread.start()
            thread.join()
            gc.collect()
            junk.extend(np.full(100_000, 7, "f4") for _ in range(20))
            return 0

        assert lib.during(box[0], drop) == 100_000
        assert not box

    def test_the_gil_is_released(self, lib):
        results = []
        thread = threading.Thread(target=lambda: results.append(lib.waits(np.ones(10, "f4"))))
        thread.start()
        while not lib.tell():
            time.sleep(0.001)
        thread.join()
        assert results == [True]
