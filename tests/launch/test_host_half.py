"""Functions of the host in a .cu, compiled by nvcc: they launch by <<<>>> the very code that Python launches."""

import ctypes
import pickle
import sys
import warnings
from types import SimpleNamespace

import numpy as np
import pytest

import samebytes as sb
from samebytes.toolchain.cuda import find_cudart, find_nvcc

pytestmark = pytest.mark.full

SOURCE = """
#include <cuda_runtime.h>
#include <cuda/std/mdspan>
#include <cuda/std/span>
#include <samebytes/array.hpp>
#include <stdexcept>
#include <string>
struct Pair { float a, b; };
__device__ int counter;
__constant__ float scale[2];
__global__ void axpy(float a, const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += a * x[i];
  if (!i) counter = counter + 1;
}
template <class T> __global__ void fill(T* y, T v) { y[threadIdx.x] = v * scale[0]; }
static __global__ void seven(int* p) { *p = 7; }
__device__ float on_device(float x) { return x; }
__host__ __device__ float on_both(float x) { return x + 1; }
namespace ns {
/// y += a x
int launch(float a, const float* x, float* y, int n = 2) {
  if (n > 0) axpy<<<(n + 3) / 4, 4>>>(a, x, y, n);
  return n;
}
}
void fill_floats(float* y, Pair v) { fill<<<1, dim3(4)>>>(y, v.a + v.b); }
extern "C" void to_seven(int* p) { seven<<<1, 1>>>(p); }
int set_scale(float v) { float s[2] = {v, v}; return cudaMemcpyToSymbol(scale, s, sizeof s); }
int past_scale() { float s[3] = {}; return cudaMemcpyToSymbol(scale, s, sizeof s); }
int get_counter() { int n = 0; cudaMemcpyFromSymbol(&n, counter, sizeof n); return n; }
int of_text(const std::string& text) { return text.size(); }
int plain(int a, const char* text) { return a + text[0]; }
void throws(float* x) { axpy<<<1, 1>>>(1, x, x, 1); throw std::out_of_range("said"); }
int too_many(float* x) { axpy<<<1, 1, 1 << 20>>>(1, x, x, 1); return cudaGetLastError(); }
int many(float* x) {
  if (int code = cudaFuncSetAttribute(axpy, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 16)) return code;
  axpy<<<1, 1, 1 << 16>>>(1, x, x, 1);
  return cudaGetLastError();
}
int on_stream(float* x, unsigned long long s) {
  axpy<<<1, 1, 0, (cudaStream_t)s>>>(1, x, x, 1);
  return cudaPeekAtLastError();
}
float* first_of(samebytes::array<float, 2> a) {
  fill<<<1, 1>>>(a.data, 1.0f * a.shape[0] * 10 + a.shape[1]);
  return a.data;
}
int span_of(cuda::std::span<float, 4> s) { fill<<<1, dim3(4)>>>(s.data(), 3.0f); return s.size(); }
int sides(const cuda::std::mdspan<const float, cuda::std::dims<2>, cuda::std::layout_stride>& m) {
  return m.extent(0) * 100 + m.extent(1) * 10 + m.stride(0);
}
struct S { void run() {} };
template <class T> void of_any(T* x) { fill<<<1, 1>>>(x, T(1)); }
void occupancy() { int n; cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, axpy, 32, 0); }
void elsewhere(float*);
void calls_elsewhere(float* x) { elsewhere(x); }
"""
# What is not bound, with a part of its reason.
SKIPPED = {
    "S::run()": "it is a member of a class of the host",
    "occupancy()": "CUDA's runtime would look for a copy",
    "elsewhere(float *)": "no source or library given defines it",
    "calls_elsewhere(float *)": "uses elsewhere(float*), which no source",
}


@pytest.fixture
def lib(fake):
    try:
        find_nvcc()
    except sb.MissingDependency as reason:
        pytest.skip(str(reason))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sb.BindWarning)
        made = sb.compile(SOURCE, dialect="cuda", name="wrapped", instantiate=["fill<double>"])
    return fake.knows(made)


def test_descriptors_show_the_memory_of_the_device(lib, fake):
    lib.set_scale(1)
    x = fake.array(np.zeros((2, 2), np.float32))
    assert lib.first_of(x).address == x.array.ctypes.data
    assert x.array[0, 0] == 22
    flat = fake.array(np.zeros(4, np.float32))
    assert (lib.span_of(flat), flat.array.tolist()) == (4, [3] * 4)
    assert lib.sides(fake.array(np.zeros((2, 3), np.float32))) == 233
    for function, wrong in (
        (lib.first_of, np.zeros((2, 2), np.float32)), (lib.first_of, flat),
        (lib.span_of, fake.array(np.zeros(5, "f4"))), (lib.first_of, fake.array(np.zeros((2, 2)))),
        (lib.sides, fake.array(np.zeros((2, 2), "i4"))),
    ):  # fmt: skip
        with pytest.raises(sb.ArrayError, match=r"expected .*CUDA device memory"):
            function(wrong)


def _library(handle, **more):
    """A module with a current stream."""
    current = SimpleNamespace(ptr=handle)
    return SimpleNamespace(cuda=SimpleNamespace(get_current_stream=lambda: current, **more))


def test_they_are_functions_and_launch(lib, fake):
    x, y = fake.array(np.arange(4, dtype=np.float32)), fake.array(np.ones(4, np.float32))
    assert lib.ns.launch(2.5, x, y, 3) == 3
    assert y.array.tolist() == [1, 3.5, 6, 1]
    assert lib.ns.launch(a=1, x=x, y=y) == 2  # its default
    assert y.array.tolist() == [1, 4.5, 6, 1]
    assert "y += a x" in lib.ns.launch.__doc__
    lib.set_scale(2)
    lib.fill_floats(y, lib.Pair(1, 2))
    assert y.array.tolist() == [6] * 4
    lib.fill_floats(y, (2, 2))
    assert y.array.tolist() == [8] * 4
    p, z = fake.array(np.zeros(1, np.int32)), fake.array(np.ones(2))
    lib.to_seven(p)
    assert p.array[0] == 7
    lib.fill[sb.float64][1, 2](z, 1.5)  # asked for with the source: it shares its variables
    assert z.array.tolist() == [3, 3]
    assert lib.plain(1, "A") == 66
    assert lib.of_text("four") == 4
    assert lib.on_both(1) == 2
    assert pickle.loads(pickle.dumps(lib.ns.launch)) is lib.ns.launch
    assert "ns::launch(" in str(sb.explain(lib))


def test_variables_of_the_device_are_one_for_both(lib, fake):
    x, y = fake.array(np.arange(4, dtype=np.float32)), fake.array(np.ones(4, np.float32))
    before = lib.counter
    lib.ns.launch(1, x, y, 4)
    lib.axpy[1, 4](1, x, y, 4)
    lib.ns.launch(1, x, y, 4)
    assert lib.counter == lib.get_counter() == before + 3
    lib.counter = 40
    assert lib.get_counter() == 40
    assert lib.set_scale(3) == 0
    assert lib.scale.tolist() == [3, 3]
    lib.scale = [0.5, 0]
    lib.fill_floats(y, (4, 0))
    assert y.array.tolist() == [2] * 4
    with pytest.raises(RuntimeError, match=r"cudaMemcpyToSymbol\(\) failed: CUDA_ERROR_INVALID_VALUE"):
        lib.past_scale()


def test_a_failed_launch_raises_at_the_call(lib, fake):
    x = fake.array(np.ones(1, np.float32))
    launch = r"the launch of _Z4axpyfPKfPfi<<<\(1, 1, 1\), \(1, 1, 1\), 1048576>>> failed: CUDA_ERROR_INVALID_VALUE"
    for _ in range(2):
        with pytest.raises(RuntimeError, match=launch):
            lib.too_many(x)
    assert lib.many(x) == 0  # as it asks for so much shared memory
    fake.library.fake_fail_later(700)
    with pytest.raises(RuntimeError, match=r"what it launched has failed: CUDA_ERROR_ILLEGAL_ADDRESS"):
        lib.on_stream(x, 0)
    assert lib.on_stream(x, 0x40) == 0
    assert fake.launches[-1].stream == 0x40
    waited = fake.calls("wait")
    with pytest.raises(IndexError, match="said"):
        lib.throws(x)
    assert fake.calls("wait") == waited + 1  # the arrays are the caller's


def test_pointers_take_arrays_of_the_device(lib, fake):
    x = fake.array(np.ones(4, np.float32))
    for wrong in (
        np.ones(4, np.float32),
        fake.array(np.ones(4)),
        "text",
        fake.array(np.ones(4, np.float32), readonly=True),
    ):
        with pytest.raises(
            (sb.ArrayError, sb.ArgumentError),
            match=r"argument .* 'y': expected contiguous float32.* in CUDA device memory",
        ):
            lib.ns.launch(1, x, wrong, 4)
    assert not fake.launches


def test_launches_are_on_the_current_stream(lib, fake, monkeypatch):
    x = fake.array(np.ones(1, np.float32))
    monkeypatch.setitem(sys.modules, "cupy", _library(0x50))
    lib.on_stream(x, 0)
    lib.on_stream(x, 0x40)
    assert [said.stream for said in fake.launches] == [0x50, 0x40]
    stream = SimpleNamespace(cuda_stream=0x60)
    torch = _library(0, is_initialized=lambda: True, current_stream=lambda device: stream)
    monkeypatch.setitem(sys.modules, "torch", torch)
    with pytest.raises(RuntimeError, match=r"different streams are current \(0x60 of torch, 0x50 of cupy\)"):
        lib.on_stream(x, 0)
    stream.cuda_stream = 0x50
    lib.on_stream(x, 0)
    assert fake.launches[-1].stream == 0x50


def test_what_is_captured_is_not_waited_for(lib, fake):
    x, stream = fake.array(np.ones(1, np.float32)), fake.stream()
    waited = fake.calls("wait")
    with fake.capture(stream) as recorded:
        lib.on_stream(x, stream)
    assert len(recorded) == 1
    assert fake.calls("wait") == waited


def test_what_is_not_bound_says_why(lib):
    told = {s.name: s.reason for s in lib.__skipped__}
    for name, reason in SKIPPED.items():
        assert reason in told[name]
    assert not [name for name in told if name.startswith(("of_text", "plain", "ns::"))]
    assert all("/" not in (s.location.file if s.location else "") for s in lib.__skipped__)
    assert not told.keys() & {"on_device(float)", "on_both(float)"} - {
        s.name for s in lib.__skipped__ if s.is_quiet
    }
    with pytest.raises(AttributeError, match="CUDA's runtime would look for a copy"):
        lib.occupancy()


def test_cudas_own_runtime_does_the_rest(lib, fake, monkeypatch):
    if not find_cudart():
        pytest.skip("CUDA's runtime is not there")
    source = """
#include <cuda_runtime.h>
__global__ void k(int* p) { *p = 1; }
int version() { int v = 0; return cudaRuntimeGetVersion(&v), v; }
void launch_k(int* p, int* count) { k<<<1, 1>>>(p); ++*count; }
"""
    intents = {"launch_k": {"count": "inout_ptr"}}
    lib = fake.knows(sb.compile(source, dialect="cuda", arg_intent=intents))
    assert lib.version() >= 11000
    monkeypatch.setitem(sys.modules, "cupy", _library(0x50))
    p, count, waited = fake.array(np.zeros(1, np.int32)), np.ones(1, np.int32), fake.calls("wait")
    lib.launch_k(p, count)  # an intent has a pointer lead to the host's memory
    assert (p.array[0], count[0]) == (1, 2)
    # The runtime copies on the default stream: the launch is there, behind what is on the current one.
    assert fake.launches[-1].stream == 0
    assert fake.calls("wait") == waited + 2


def test_intents_are_of_functions_of_the_host(lib):
    source = "__global__ void k(int* p) { *p = 1; }\nvoid launch_k(int* p) { k<<<1, 1>>>(p); }"
    for name, words in (("k", "not for the kernel 'k'"), ("nothing", "unknown function 'nothing'")):
        with pytest.raises(sb.BindError, match=words):
            sb.compile(source, dialect="cuda", arch="sm_80", arg_intent={name: {"p": "inout_ptr"}})


def test_code_for_several_architectures_is_refused(lib):
    source = "__global__ void k(int* p) { *p = 1; }\nvoid launch_k(int* p) { k<<<1, 1>>>(p); }"
    with pytest.raises(sb.CompileError):
        sb.compile(source, dialect="cuda", arch="sm_80", flags=["-gencode=arch=compute_90,code=sm_90"])


def test_where_both_compilers_refuse_a_source_nvccs_words_are_shown(lib):
    source = """
#include <vector>
__global__ void k(int* p) { *p = nowhere; }
void launch_k(int* p) { k<<<1, 1>>>(p); }
"""
    with pytest.raises(
        sb.CompileError, match=r'nvcc refused the source: source.cu\(3\): error: identifier "nowhere"'
    ):
        sb.compile(source, dialect="cuda", arch="sm_80")


def test_where_nvcc_is_not_there_they_are_left_out(fake, monkeypatch):
    def none():
        raise sb.MissingDependency("no nvcc")

    monkeypatch.setattr("samebytes.toolchain.cuda.find_nvcc", none)
    monkeypatch.setattr("samebytes.make.host_launches.find_nvcc", none)
    source = """
__global__ void k(int* p) { *p = 1; }
void launch_k(int* p) { k<<<1, 1>>>(p); }
"""
    with pytest.warns(sb.BindWarning, match=r"launch_k.*: it launches kernels from the host by <<<>>>"):
        lib = fake.knows(sb.compile(source, dialect="cuda", arch="sm_80"))
    p = fake.array(np.zeros(1, np.int32))
    lib.k[1, 1](p)
    assert p.array[0] == 1
    with pytest.raises(AttributeError, match="launch_k"):
        lib.launch_k(p)


def test_errors_of_a_runtime_that_others_have_brought_are_theirs(fake):
    try:
        find_nvcc()
        runtime = ctypes.CDLL(find_cudart(), mode=ctypes.RTLD_GLOBAL)
    except (sb.MissingDependency, OSError) as reason:
        pytest.skip(str(reason))
    if not runtime.cudaGetDeviceCount(ctypes.byref(ctypes.c_int())):  # else this thread is told once more
        pytest.skip("CUDA's runtime finds a device, and has no error to tell")
    source = "#include <cuda_runtime.h>\n__global__ void k(int* p) { *p = 1; }\n"
    source += "int launch(int* p) { k<<<1, 1>>>(p); return cudaPeekAtLastError() + cudaGetLastError(); }"
    lib = fake.knows(sb.compile(source, dialect="cuda", name="theirs"))
    p = fake.array(np.zeros(1, np.int32))
    assert (lib.launch(p), p.array[0]) == (0, 1)
