"""Kernels of CUDA, compiled by NVRTC, launched through a driver of the tests' own and run by a machine for PTX."""

import copy
import gc
import inspect
import pickle
import re
import subprocess
import sys
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


@pytest.mark.hardware
def test_a_kernel_runs(lib, fake):
    x, y = fake.array(np.arange(10, dtype=np.float32)), fake.array(np.ones(10, np.float32))
    assert lib.saxpy[3, 4](2.5, x, y, 10) is None
    assert y.array.tolist() == [1 + 2.5 * i for i in range(10)]
    lib.saxpy[3, 4](a=1, x=x, y=y, n=2)
    assert y.array[:3].tolist() == [1, 4.5, 6]


@pytest.mark.hardware
def test_structs_enumerations_and_booleans_go_by_value(lib, fake):
    out = fake.array(np.zeros(3))
    wide = lib.Wide(5, (1, 2, 3))
    lib.shapes.sums[1, 1](lib.Point(1.5, 2.25), wide, lib.Way.back, True, out)
    assert out.array.tolist() == [3.75, 8, -1]
    lib.shapes.sums[1, 1]((0.5, 2), wide, lib.Way.on, False, out)
    assert out.array.tolist() == [2.5, 8, 0]


@pytest.mark.hardware
def test_small_numbers_and_vectors_go_by_value(lib, fake):
    out = fake.array(np.zeros(3, np.float32))
    lib.halves[1, 1](1.1, ml_dtypes.bfloat16(2.5), sb.float32x4(1, 2, 3, 4), out)
    assert out.array.tolist() == [float(np.float16(1.1)), 2.5, 4]


@pytest.mark.hardware
def test_grids_and_blocks_have_three_extents(lib, fake):
    out = fake.array(np.zeros(24, np.int32))
    lib.places[(2, 3), (2, 2)](out)
    assert out.array.reshape(6, 4).tolist() == [[100 * y + x for x in range(4)] for y in range(6)]
    assert (fake.launches[-1].grid, fake.launches[-1].block) == ((2, 3, 1), (2, 2, 1))


@pytest.mark.hardware
def test_default_arguments_are_those_of_the_source(lib, fake):
    out = fake.array(np.zeros(2, np.int32))
    for call, found in (
        (lambda k: k(out), [3, 16]),
        (lambda k: k(out, 7), [7, 16]),
        (lambda k: k(out, step=1), [3, 1]),
    ):
        call(lib.filled[1, 1])
        assert out.array.tolist() == found


@pytest.mark.hardware
def test_arrays_of_structs_and_of_rows(lib, fake):
    points = np.zeros(2, np.dtype([("x", "f4"), ("y", "f8")], align=True))
    points["x"] = 4, 5
    rows = fake.array(np.zeros((2, 3), np.float32))
    lib.points[1, 1](fake.array(points), rows)
    assert rows.array[1, 2] == 5
    with pytest.raises(sb.ArrayError, match=r"the shape must be \[n, 3\]"):
        lib.points[1, 1](fake.array(points), fake.array(np.zeros((2, 4), np.float32)))


@pytest.mark.hardware
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


def test_streams_are_what_libraries_have(lib, fake):
    import ctypes

    class Of:
        def __init__(self, **names):
            self.__dict__.update(names)

    class Core:
        def __cuda_stream__(self):
            return 0, 0x50

    streams = (Of(cuda_stream=0x10), Of(ptr=0x20), Of(handle=ctypes.c_void_p(0x30)), Of(handle=0x40), Core(), 0x60,
               None, Of(handle=ctypes.c_void_p(None)))  # fmt: skip
    for stream in streams:
        lib.nothing[1, 1, stream]()
    assert [said.stream for said in fake.launches] == [0x10, 0x20, 0x30, 0x40, 0x50, 0x60, 0, 0]


def test_the_driver_says_the_block_where_none_is_given(lib, fake):
    lib.nothing[2, None](), lib.nothing.configured(grid=(2, 3), shared=40000)()
    assert [(s.grid, s.block) for s in fake.launches] == [((2, 1, 1), (768, 1, 1)), ((2, 3, 1), (256, 1, 1))]


@pytest.mark.parametrize(("n", "blocks"), [(1, 1), (768, 1), (769, 2)])
def test_for_each_launches_a_thread_for_each(n, blocks, lib, fake):
    x, y = fake.array(np.arange(n, dtype=np.float32)), fake.array(np.zeros(n, np.float32))
    lib.saxpy.for_each(n, stream=0x9)(2, x, y, n)
    assert (fake.launches[0].grid, fake.launches[0].stream) == ((blocks, 1, 1), 9)
    assert (y.array == 2 * np.arange(n)).all()


@pytest.mark.hardware
def test_for_each_of_nothing_checks_and_launches_nothing(lib, fake):
    x = fake.array(np.zeros(2, np.float32))
    assert lib.saxpy.for_each(0)(1, x, x, 0) is None
    with pytest.raises(sb.ArrayError, match=re.escape(HOST)):
        lib.saxpy.for_each(0)(1, FLOATS, x, 0)
    for n, error, words in ((-1, sb.ArgumentError, "n is an int from 0"), (1.0, sb.ArgumentError, "n is an int"),
                            (2**63, sb.LaunchError, "n is 9223372036854775808, and the device takes")):  # fmt: skip
        with pytest.raises(error, match=words):
            lib.nothing.for_each(n)
    assert not fake.launches


def test_more_shared_memory_than_usual_is_asked_for(lib, fake):
    much, more = lib.nothing[1, 1, None, 60000], lib.nothing[1, 1, None, 100000]
    much(), lib.nothing[1, 1](), more(), much()
    assert [said.shared for said in fake.launches] == [60000, 0, 100000, 60000]


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


@pytest.mark.hardware
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


@pytest.mark.hardware
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
    ((1, 1, "x"), sb.ArgumentError, "stream is a stream of PyTorch.*got str"),
    ((1, 1, 0, -1), sb.ArgumentError, "shared is an int"),
    ((1, 1, 0, 166913), sb.LaunchError, "shared is 166913 bytes, and the device takes 166912"),
    ((1, 1, True), sb.ArgumentError, "stream is a stream"),
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


OPTIONS = (
    ({"language": "c"}, "language='c' is not for dialect='cuda': kernels are C\\+\\+"),
    ({"nogil": True}, "each launch releases the GIL"),
    ({"sources": [__file__]}, "sources= is not for dialect='cuda': kernels are one source"),
    ({"libraries": ["m"]}, "libraries= is not for"),
    ({"library_dirs": ["."]}, "library_dirs= is not for"),
    ({"sanitize": "address"}, "sanitize= is not for"),
    ({"arg_intent": {"k": {"p": "out_ptr"}}}, "arg_intent= is not for .* writes to the arrays"),
    ({"config": {"Pythonize": {"P": {}}}}, "Pythonize= is not for"),
    ({"flags": ["-arch=sm_80"]}, "flags=.* arch='sm_90' says it"),
    ({"flags": ["--std=c++14"]}, "flags=.* std='c\\+\\+20' says it"),
    ({"flags": ["-rdc=true"]}, "flags=.* linked with nothing"),
    ({"flags": ["--nope"]}, "unrecognized option --nope"),
    ({"flags": ["-lm"]}, "unrecognized option -lm"),
    ({"arch": "sm_20"}, "arch='sm_20': NVRTC .* compiles for .*sm_90"),
    ({"arch": ""}, "arch is the name of an architecture"),
    ({"target": "numba"}, "target='numba' is not for dialect='cuda'"),
    ({"target": "numba_cuda"}, "arch= is not for target='numba_cuda'"),
    (
        {"dialect": "opencl"},
        "arch= is not for target='host': it is for kernels of dialect='cuda' and dialect='hip'",
    ),
    (
        {"dialect": "opencl", "arch": None},
        "code of dialect 'opencl' cannot be run yet; cxx, cuda, hip and sycl can",
    ),
)


@pytest.mark.parametrize("row", range(len(OPTIONS)))
def test_options_that_kernels_do_not_heed_are_refused(row):
    given, words = OPTIONS[row]
    with pytest.raises(sb.Error, match=words):
        sb.compile("__global__ void k(int* p) {}", **({"dialect": "cuda", "arch": "sm_90"} | given))


def test_flags_are_those_of_the_compiler(tmp_path):
    (tmp_path / "n.cuh").write_text("#define N 2\n")
    source = '#include "n.cuh"\n__global__ void k(float a, float* p, int (*q)[N + M]) { *p = 1 / a; }'
    flags = ["-I", str(tmp_path), "-D", "M=3", "-lineinfo", "--maxrregcount=32"]
    texts = []
    for more in ([], ["--use_fast_math"]):
        lib = sb.compile(source, dialect="cuda", arch="sm_90", flags=[*flags, *more])
        assert "q: pointer[carray[int32, 5]]" in lib.k.__doc__
        texts.append(Path(lib.__file__).with_suffix(".ptx").read_text())
        assert ".loc" in texts[-1]
        assert ".maxnreg 32" in texts[-1] or "maxnreg" not in texts[-1]
    assert "rcp.rn" in texts[0]
    assert "rcp.approx" in texts[1]


def test_a_kernel_says_what_it_is():
    lib = sb.compile(
        "/// Adds.\n__global__ void k(float a, const float* x, int n = 3) {}", dialect="cuda", arch="sm_90"
    )
    assert str(inspect.signature(lib.k)) == "(a, x, n=3)"
    assert lib.k.__doc__.startswith("k(a: float32, x: pointer[const[float32]], n: int32 = 3) -> None\n")
    assert lib.k.__doc__.endswith("Adds.")
    (facts,) = sb.explain(lib.k).functions
    assert facts == sb.explain(lib, "k").functions[0]
    assert (facts.path, facts.gil, facts.returns) == (
        "launch",
        "releases the GIL until the kernel has run",
        "",
    )
    assert facts.cxx == "void k(float a, const float * x, int n)"
    assert [(a.takes, a.otherwise) for a in facts.arguments][1] == (
        "",
        "arrays in the device's memory, Pointer, None",
    )
    assert "launch path: the driver launches it" in str(sb.explain(lib))


def test_kernels_are_pickled_by_their_library_and_launches_are_not(lib, fake):
    assert pickle.loads(pickle.dumps(lib.shapes.sums)) is lib.shapes.sums
    assert copy.deepcopy(lib.saxpy) is copy.copy(lib.saxpy) is lib.saxpy
    with pytest.raises(TypeError, match=r"cannot pickle <nothing.*pickle the kernel"):
        pickle.dumps(lib.nothing[1, 1])
    script = f"import pickle; print(pickle.loads({pickle.dumps(lib.nothing)!r}))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "<kernel kernels.nothing>\n"


def test_code_for_another_device_says_so(fake):
    lib = sb.compile("__global__ void k() {}", dialect="cuda", arch="sm_90")
    fake.library.fake_fail_loading(209)
    try:
        with pytest.raises(
            sb.LaunchError, match=r"NO_BINARY_FOR_GPU.*compiled for sm_90, and the device is sm_80"
        ):
            lib.k[1, 1]
    finally:
        fake.library.fake_fail_loading(0)


def test_headers_of_the_host_are_not_there(tmp_path):
    source = "#include <cstdio>\n__global__ void k() {}\nint main() { std::puts(0); }\n"
    with pytest.raises(sb.BindError, match=r"'cstdio' file not found; .*#ifndef __CUDACC_RTC__ and #endif"):
        sb.compile(source, dialect="cuda", arch="sm_90")
    lines = source.splitlines()
    guarded = [lines[1], "#ifndef __CUDACC_RTC__", lines[0], lines[2], "#endif\n"]
    assert "k" in dir(sb.compile("\n".join(guarded), dialect="cuda", arch="sm_90"))


def test_what_is_left_out_says_why(fake):
    source = """
template <class T> __global__ void any(T v) {}
__global__ void deep(int& p) {}
struct Calls { void (*f)(int); };
__global__ void linked(Calls c) {}
__device__ int helper() { return 1; }
__global__ void declared(int n);
__global__ void fine(int* p) { *p = helper(); }
"""
    with pytest.warns(sb.BindWarning) as warned:
        lib = sb.compile(source, dialect="cuda", name="left_out")
    reasons = {s.name: s.reason for s in lib.__skipped__}
    assert reasons.keys() == {"deep", "linked", "helper()", "declared"}
    assert "it is declared, and not defined" in reasons["declared"]
    assert reasons["deep"].startswith("parameter 1 'p' (int &)")
    assert "helper" not in str(warned[0].message)
    assert repr(lib.fine) == "<kernel left_out.fine>"


@pytest.mark.hardware
def test_errors_of_the_compiler_show_the_lines_of_the_source(fake, tmp_path):
    source = "__device__ int f() { return 1; }\n__global__ void k(int* p) {\n  *p = g();\n}\n"
    with pytest.raises(sb.CompileError, match=r'source\.cu\(3\): error: identifier "g" is undefined'):
        sb.compile(source, dialect="cuda")
    (tmp_path / "k.cu").write_text(source)
    with pytest.raises(sb.CompileError, match=r'k\.cu\(3\): error: identifier "g" is undefined'):
        sb.compile(tmp_path / "k.cu", dialect="cuda")


@pytest.mark.hardware
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
        sb.MissingDependency, match=r"/nowhere/libcuda\.so\.1 is not there.*arch='sm_90' they are compiled"
    ):
        sb.compile(source, dialect="cuda")
    lib = sb.compile(source, dialect="cuda", arch="sm_90")
    assert Path(lib.__file__).read_bytes().startswith(b"\x7fELF")
    with pytest.raises(sb.MissingDependency):
        lib.k[1, 1](3)
    with pytest.raises(sb.BindError, match="arch is the name of an architecture, 'sm_90', got 'hopper'"):
        sb.compile(source, dialect="cuda", arch="hopper")
    with pytest.raises(
        sb.BindError, match="arch= is not for target='host': it is for kernels of dialect='cuda'"
    ):
        sb.compile("int f();", arch="sm_90")
