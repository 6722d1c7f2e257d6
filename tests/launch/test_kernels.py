"""Kernels of CUDA, compiled by NVRTC, launched through a driver of the tests' own and run by a machine for PTX."""

import gc
import re
import threading
import weakref
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

import samebytes as sb
from samebytes.toolchain.cuda import DRIVER_VARIABLE

pytestmark = pytest.mark.full

SOURCE = """
#include <cuda_fp16.h>
#include <cuda_bf16.h>
struct Point { float x; double y; };
struct alignas(32) Wide { char tag; int n[3]; };
enum class Way : short { back = -1, on = 1 };
__device__ float twice(float v) { return 2 * v; }
template <class T> __device__ T same(T v) { return v; }
/// y += a x
extern "C" __global__ void saxpy(float a, const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = same(twice(a)) * x[i] / 2 + y[i];
}
namespace shapes {
__global__ void sums(Point p, Wide w, Way way, bool add, double* out) {
  out[0] = p.x + p.y;
  out[1] = w.tag + w.n[2];
  out[2] = add ? static_cast<double>(way) : 0.0;
}
}
__global__ void halves(__half a, __nv_bfloat16 b, float4 v, float* out) {
  out[0] = __half2float(a);
  out[1] = __bfloat162float(b);
  out[2] = v.w;
}
__global__ void places(int* out) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  out[y * gridDim.x * blockDim.x + x] = 100 * y + x;
}
__global__ void filled(int* out, int n = 3, int step = sizeof(Point)) { out[0] = n; out[1] = step; }
__global__ void nothing() {}
__global__ void points(const Point* p, float (*rows)[3]) { rows[1][2] = p[1].x; }
"""


@pytest.fixture
def lib(fake):
    return fake.knows(sb.compile(SOURCE, dialect="cuda", name="kernels"))


def test_a_kernel_runs(lib, fake):
    x, y = fake.array(np.arange(10, dtype=np.float32)), fake.array(np.ones(10, np.float32))
    assert lib.saxpy[3, 4](2.5, x, y, 10) is None
    assert y.array.tolist() == [1 + 2.5 * i for i in range(10)]
    lib.saxpy[3, 4](a=1, x=x, y=y, n=2)
    assert y.array[:3].tolist() == [1, 4.5, 6]


def test_structs_enumerations_and_booleans_go_by_value(lib, fake):
    out = fake.array(np.zeros(3))
    wide = lib.Wide(5, (1, 2, 3))
    lib.shapes.sums[1, 1](lib.Point(1.5, 2.25), wide, lib.Way.back, True, out)
    assert out.array.tolist() == [3.75, 8, -1]
    lib.shapes.sums[1, 1]((0.5, 2), wide, lib.Way.on, False, out)
    assert out.array.tolist() == [2.5, 8, 0]


def test_small_numbers_and_vectors_go_by_value(lib, fake):
    out = fake.array(np.zeros(3, np.float32))
    lib.halves[1, 1](1.1, ml_dtypes.bfloat16(2.5), sb.float32x4(1, 2, 3, 4), out)
    assert out.array.tolist() == [float(np.float16(1.1)), 2.5, 4]


def test_grids_and_blocks_have_three_extents(lib, fake):
    out = fake.array(np.zeros(24, np.int32))
    lib.places[(2, 3), (2, 2)](out)
    assert out.array.reshape(6, 4).tolist() == [[100 * y + x for x in range(4)] for y in range(6)]
    assert (fake.launches[-1].grid, fake.launches[-1].block) == ((2, 3, 1), (2, 2, 1))


def test_default_arguments_are_those_of_the_source(lib, fake):
    out = fake.array(np.zeros(2, np.int32))
    for call, found in (
        (lambda k: k(out), [3, 16]),
        (lambda k: k(out, 7), [7, 16]),
        (lambda k: k(out, step=1), [3, 1]),
    ):
        call(lib.filled[1, 1])
        assert out.array.tolist() == found


def test_arrays_of_structs_and_of_rows(lib, fake):
    points = np.zeros(2, np.dtype([("x", "f4"), ("y", "f8")], align=True))
    points["x"] = 4, 5
    rows = fake.array(np.zeros((2, 3), np.float32))
    lib.points[1, 1](fake.array(points), rows)
    assert rows.array[1, 2] == 5
    with pytest.raises(sb.ArrayError, match=r"the shape must be \[n, 3\]"):
        lib.points[1, 1](fake.array(points), fake.array(np.zeros((2, 4), np.float32)))


def test_a_kernel_without_parameters(lib, fake):
    lib.nothing[2, 1]()
    assert fake.launches[-1].data == []


def test_pointers_are_addresses_and_none_is_null(lib, fake):
    lib.nothing[1, 1]()
    fake.code = 700
    with pytest.raises(sb.LaunchError):
        lib.saxpy[1, 1](1, None, sb.Pointer(0xABC0), 1)
    assert fake.launches[-1].data[1:3] == [bytes(8), (0xABC0).to_bytes(8, "little")]


def test_what_a_launch_says_reaches_the_driver(lib, fake):
    class Stream:
        cuda_stream = 0x1230

    lib.nothing[1, 2, 0x77](), lib.nothing[1, 2, Stream(), 512]()
    lib.nothing.configured(grid=1, block=(1, 2, 3), stream=None, shared=4)()
    seen = [(said.block, said.stream, said.shared) for said in fake.launches]
    assert seen == [((2, 1, 1), 0x77, 0), ((2, 1, 1), 0x1230, 512), ((1, 2, 3), 0, 4)]


def test_each_launch_runs_in_the_context_of_its_code(lib, fake):
    push = fake.library.cuCtxPushCurrent_v2
    import ctypes

    push.argtypes, fake.library.fake_other_context.restype = [ctypes.c_void_p], ctypes.c_void_p
    push(fake.library.fake_other_context())
    try:
        lib.nothing[1, 1]()
    finally:
        left = ctypes.c_void_p()
        fake.library.cuCtxPopCurrent_v2(ctypes.byref(left))
    assert left.value == fake.library.fake_other_context()
    errors = []

    def run():
        try:
            lib.nothing[1, 1]()
        except BaseException as error:
            errors.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert not errors
    assert len(fake.launches) == 2


def test_a_launch_waits_until_the_kernel_has_run(lib, fake):
    before = fake.calls("wait")
    lib.nothing[1, 1]()
    assert fake.calls("wait") == before + 1
    fake.library.fake_fail_later(700)
    with pytest.raises(
        sb.LaunchError,
        match=r"nothing\(\) cuStreamSynchronize\(\) failed: CUDA_ERROR_ILLEGAL_ADDRESS, an illegal",
    ):
        lib.nothing[1, 1]()
    fake.code = 1
    with pytest.raises(
        sb.LaunchError, match=r"nothing\(\) cuLaunchKernel\(\) failed: CUDA_ERROR_INVALID_VALUE"
    ):
        lib.nothing[1, 1]()


def test_nothing_is_held_after_a_launch(lib, fake):
    class Array(np.ndarray):
        pass

    x, y = (fake.array(np.zeros(2, np.float32)) for _ in range(2))
    alive = weakref.ref(x)
    lib.saxpy[1, 1](1, x, y, 2)
    del x
    gc.collect()
    assert alive() is None


HOST = 'sb.DeviceArray.from_host(x, device="cuda") is a copy that the kernel reads'
FLOATS = np.zeros(4, np.float32)
REFUSED = (
    (lambda f: (1, FLOATS, f(FLOATS), 1), sb.ArrayError, re.escape(HOST)),
    (lambda f: (1, sb.Pointer(FLOATS), f(FLOATS), 1), sb.ArrayError, re.escape(HOST)),
    (lambda f: (1, sb.DeviceArray.from_host(FLOATS), f(FLOATS), 1), sb.ArrayError, re.escape(HOST)),
    (lambda f: (1, [1.0], f(FLOATS), 1), sb.ArgumentError, re.escape(HOST)),
    (lambda f: (1, 4096, f(FLOATS), 1), sb.ArgumentError, r"sb\.Pointer\(address\) says"),
    (lambda f: (1, b"text", f(FLOATS), 1), sb.Error, "argument 2 'x'"),
    (lambda f: (1, sb.float32(1), f(FLOATS), 1), sb.Error, "argument 2 'x'"),
    (lambda f: (1, f(FLOATS), f(FLOATS, readonly=True), 1), sb.ArrayError, "argument 3 'y'.*may write to it"),
    (lambda f: (1, f(np.zeros(4)), f(FLOATS), 1), sb.ArrayError, "got float64.*the elements must be float32"),
    (lambda f: (1, f(FLOATS), f(np.zeros(4, np.int32)), 1), sb.ArrayError, "the elements must be float32"),
    (lambda f: (1, f(FLOATS), f(FLOATS), 1.5), sb.ArgumentError, "argument 4 'n': expected int32"),
    (lambda f: (1, f(FLOATS), f(FLOATS), 2**31), sb.RangeError, "argument 4 'n'"),
    (lambda f: (1e300, f(FLOATS), f(FLOATS), 1), sb.RangeError, "argument 1 'a'"),
    (lambda f: (True, f(FLOATS), f(FLOATS), 1), sb.ArgumentError, "argument 1 'a'"),
    (lambda f: (1, f(FLOATS), f(FLOATS)), TypeError, "got 3 arguments"),
    (lambda f: ("a", FLOATS, 4, 2**40), sb.ArgumentError, r"(?s)argument 1 'a'.*argument 2.*argument 3.*argument 4"),
)  # fmt: skip


@pytest.mark.parametrize("row", range(len(REFUSED)))
def test_what_is_no_argument_is_refused_and_nothing_launched(row, lib, fake):
    arguments, error, words = REFUSED[row]
    for _ in range(2):  # what was learned of the first call changes nothing
        with pytest.raises(error, match=words):
            lib.saxpy[1, 1](*arguments(fake.array))
        x, y = fake.array(FLOATS), fake.array(FLOATS)
        lib.saxpy[1, 1](1, x, y, 4)
    assert len(fake.launches) == 2


LAUNCHES = (
    ((1,), sb.ArgumentError, r"is launched by nothing\[grid, block\]\(\.\.\.\)"),
    ((1, 1, 0, 0, 0), sb.ArgumentError, "is launched by"),
    ((0, 1), sb.ArgumentError, "grid is a positive int"),
    ((1, -1), sb.ArgumentError, "block is a positive int"),
    ((1.0, 1), sb.ArgumentError, "grid is a positive int.*got float"),
    ((True, 1), sb.ArgumentError, "grid is a positive int"),
    (((1, 2, 3, 4), 1), sb.ArgumentError, "tuple of up to three"),
    (((), 1), sb.ArgumentError, "tuple of up to three"),
    ((1, 1025), sb.LaunchError, r"block\.x is 1025, and the device takes 1024"),
    ((1, (32, 32, 2)), sb.LaunchError, "a block has 2048 threads"),
    ((1, (1, 1, 65)), sb.LaunchError, r"block\.z is 65"),
    (((1, 65536), 1), sb.LaunchError, r"grid\.y is 65536, and the device takes 65535"),
    ((2**31, 1), sb.LaunchError, r"grid\.x"),
    ((1, 1, "x"), sb.ArgumentError, "stream is an int"),
    ((1, 1, 0, -1), sb.ArgumentError, "shared is an int"),
    ((1, 1, 0, 2**32), sb.ArgumentError, "shared is an int"),
)


@pytest.mark.parametrize("row", range(len(LAUNCHES)))
def test_what_is_no_launch_is_refused(row, lib, fake):
    key, error, words = LAUNCHES[row]
    with pytest.raises(error, match=words):
        lib.nothing[key]
    with pytest.raises(sb.ArgumentError, match=r"is a kernel: nothing\[grid, block\]\(\.\.\.\) launches it"):
        lib.nothing()
    assert not fake.launches


def test_what_is_left_out_says_why(fake):
    source = """
template <class T> __global__ void any(T v) {}
__global__ void twice(int a) {}
__global__ void twice(float a) {}
__global__ void deep(int** p) {}
struct Node { Node* next; };
__global__ void linked(Node n) {}
__device__ int helper() { return 1; }
__global__ void declared(int n);
__global__ void fine(int* p) { *p = helper(); }
"""
    with pytest.warns(sb.BindWarning) as warned:
        lib = sb.compile(source, dialect="cuda", name="left_out")
    reasons = {s.name: s.reason for s in lib.__skipped__}
    assert reasons.keys() == {"any", "twice", "deep", "linked", "helper()", "declared"}
    assert reasons["declared"].endswith("it is declared, and not defined, or static")
    assert "give each a name of its own" in reasons["twice"]
    assert reasons["deep"].startswith("parameter 1 'p' (int **)")
    assert "helper" not in str(warned[0].message)
    assert repr(lib.fine) == "<kernel left_out.fine>"


def test_errors_of_the_compiler_show_the_lines_of_the_source(fake, tmp_path):
    source = "__device__ int f() { return 1; }\n__global__ void k(int* p) {\n  *p = g();\n}\n"
    with pytest.raises(sb.CompileError, match=r'source\.cu\(3\): error: identifier "g" is undefined'):
        sb.compile(source, dialect="cuda")
    (tmp_path / "k.cu").write_text(source)
    with pytest.raises(sb.CompileError, match=r'k\.cu\(3\): error: identifier "g" is undefined'):
        sb.compile(tmp_path / "k.cu", dialect="cuda")


def test_headers_beside_a_source_are_read_and_decide_the_build(fake, tmp_path):
    (tmp_path / "n.cuh").write_text("#define N 1\n")
    (tmp_path / "k.cu").write_text('#include "n.cuh"\n__global__ void k(int* p) { *p = N; }\n')
    out = fake.array(np.zeros(1, np.int32))
    for n in (1, 2):
        (tmp_path / "n.cuh").write_text(f"#define N {n}\n")
        fake.knows(sb.compile(tmp_path / "k.cu", dialect="cuda")).k[1, 1](out)
        assert out.array[0] == n


def test_an_architecture_needs_no_driver(monkeypatch):
    monkeypatch.setenv(DRIVER_VARIABLE, "/nowhere/libcuda.so.1")
    source = "__global__ void k(int n) {}"
    with pytest.raises(
        sb.MissingDependency, match=r"/nowhere/libcuda\.so\.1 is not there.*arch='sm_90' compiles"
    ):
        sb.compile(source, dialect="cuda")
    lib = sb.compile(source, dialect="cuda", arch="sm_90")
    assert Path(lib.__file__).read_bytes().startswith(b"\x7fELF")
    with pytest.raises(sb.MissingDependency):
        lib.k[1, 1](3)
    with pytest.raises(sb.BindError, match="arch is the name of an architecture, 'sm_90', got 'hopper'"):
        sb.compile(source, dialect="cuda", arch="hopper")
    with pytest.raises(sb.BindError, match="arch= is for dialect='cuda'"):
        sb.compile("int f();", arch="sm_90")
