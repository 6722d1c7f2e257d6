"""Kernels of HIP, compiled by Clang, launched through a driver of the tests' own and run on the host."""

import pickle
from pathlib import Path

import numpy as np
import pytest
from device import REDUCTION

import samebytes as sb

pytestmark = pytest.mark.full

SOURCE = (
    """
#include <hip/hip_fp16.h>
struct View { float* data; int n; };
struct Point { char tag; double x; };
__constant__ float weights[2];
__device__ int counter;
/// y += a x
extern "C" __global__ void axpy(const float* x, float* y, float a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += a * x[i];
}
__global__ void viewed(View v, char c, float4 f) {
  if (threadIdx.x < v.n) v.data[threadIdx.x] = weights[1] * f.w + c;
  atomicAdd(&counter, 1);
}
__global__ void mixed(char c, Point p, __half h, double2 d, float* out) {
  out[0] = c, out[1] = p.tag, out[2] = p.x, out[3] = __half2float(h), out[4] = d.y;
}
__global__ void defaults(int* out, int n = 3) { *out = n; }
__global__ void chosen(int* out, float) { *out = 1; }
__global__ void chosen(int* out, double) { *out = 2; }
template <class T> __global__ void scaled(T* p, T a) { *p *= a; }
__global__ void scaled(int* p, int a) { *p = -a; }
enum class Mode { add, mul };
template <Mode M> __global__ void moded(int* p) { *p = int(M); }
"""
    + REDUCTION
)
ARCHITECTURES = ("gfx90a", "gfx942", "gfx1100")


@pytest.fixture(scope="session", autouse=True)
def _compiler():
    """No NVRTC is needed here."""


@pytest.fixture
def lib(hip):
    made = sb.compile(
        SOURCE, dialect="hip", name="hip_kernels", instantiate=["scaled<float>", "moded<Mode::mul>"]
    )
    if "axpy" not in hip._kernels:
        hip.knows(made, SOURCE)
    return made


def test_a_kernel_runs(lib, hip):
    x, y = hip.array(np.arange(10, dtype="f4")), hip.array(np.ones(10, "f4"))
    assert lib.axpy[3, 4](x, y, 2.5, 10) is None
    assert y.array.tolist() == [1 + 2.5 * i for i in range(10)]
    lib.axpy[3, 4](x=x, y=y, a=1, n=2)
    assert y.array[:3].tolist() == [1, 4.5, 6]
    assert hip.launches[-1].grid == (3, 1, 1)
    lib.axpy.for_each(10)(x, y, 1, 10)
    assert (hip.launches[-1].grid, hip.launches[-1].block) == ((1, 1, 1), (256, 1, 1))


def test_shared_memory_and_barriers(lib, hip):
    x, out = hip.array(np.arange(96, dtype="f4")), hip.array(np.zeros(3, "f4"))
    lib.sums[3, 32](x, out)
    assert out.array.tolist() == x.array.reshape(3, 32).sum(1).tolist()


def test_structs_halves_and_vectors_go_by_value(lib, hip):
    out = hip.array(np.zeros(5, "f4"))
    lib.mixed[1, 1](b"a", lib.Point(b"b", 2.5), 1.5, (1, -4), out)
    assert out.array.tolist() == [97, 98, 2.5, 1.5, -4]


SMALL = """
#include <samebytes/hip.hpp>
using namespace samebytes::hip;
struct Both { bfloat16 b; float8e5m2 f; };
__global__ void small(bfloat16 a, char c, float8e4m3 b, bfloat16x2 d, float8e5m2x4 e, Both s, unsigned char* out) {
  const void* from[] = {&a, &b, &d, &e, &s};
  const int sizes[] = {2, 1, 4, 4, 4};
  for (int i = 0; i < 5; ++i)
    for (int k = 0; k < sizes[i]; ++k) *out++ = static_cast<const unsigned char*>(from[i])[k];
  *out = c;
}
__global__ void swapped(bfloat16* x) { const bfloat16 first = x[0]; x[0] = x[1], x[1] = first; }
"""


def test_bfloat16_and_fp8_go_by_value(hip):
    lib = hip.knows(sb.compile(SMALL, dialect="hip", name="small_floats"), SMALL)
    assert not [s for s in lib.__skipped__ if s.kind == "kernel"]
    out = hip.array(np.full(16, 0xEE, np.uint8))
    lib.small[1, 1](1.5, b"\7", 448, (2, -3), (1, 2, 4, 57344), (0.5, 0.25), out)
    bfloat = np.array([1.5, 2, -3, 0.5], sb.bfloat16).tobytes()
    fp8 = np.array([1, 2, 4, 57344, 0.25], sb.float8e5m2).tobytes()
    expected = (
        bfloat[:2] + np.array(448, sb.float8e4m3).tobytes() + bfloat[2:6] + fp8[:4] + bfloat[6:] + fp8[4:]
    )
    assert out.array.tobytes()[:14] == expected
    assert out.array[15] == 7
    with pytest.raises(sb.RangeError, match="argument 3 'b'"):
        lib.small[1, 1](1.5, b"\7", 449 * 2, (2, -3), (1, 2, 4, 5), (0, 0), out)
    with pytest.raises(sb.ArrayError, match="the elements must be bfloat16"):
        lib.swapped[1, 1](hip.array(np.zeros(2, np.float16)))


def test_variables_of_the_device(lib, hip):
    lib.weights, lib.counter = [1, 0.5], 0
    y = hip.array(np.zeros(2, "f4"))
    lib.viewed[1, 4](lib.View(y, 2), b"\1", (0, 0, 0, 8))
    assert y.array.tolist() == [5, 5]
    assert lib.counter == 4
    assert lib.weights.tolist() == [1, 0.5]


def test_overloads_defaults_and_templates(lib, hip):
    out, one = hip.array(np.zeros(1, "i4")), hip.array(np.full(1, 3, "f4"))
    lib.defaults[1, 1](out)
    assert out.array[0] == 3
    lib.chosen[1, 1](out, 1.0)
    assert out.array[0] == 2
    lib.scaled[sb.float32][1, 1](one, 2)
    assert one.array[0] == 6
    lib.scaled[1, 1](one, np.float32(2))
    lib.scaled.configured(grid=1, block=1)(out, 7)
    lib.moded[lib.Mode.mul][1, 1](other := hip.array(np.zeros(1, "i4")))
    assert (one.array[0], out.array[0], other.array[0]) == (12, -7, 1)


def test_it_need_not_wait(lib, hip):
    y, before = hip.array(np.ones(1, "f4")), hip.calls("wait")
    launch = lib.axpy.configured(grid=1, block=1, wait=False)
    seen = sb.view(y)
    for _ in range(65):
        last = launch(seen, seen, 0, 1)
    last.wait()
    assert last.done
    assert hip.calls("wait") == before


def test_what_is_wrong_is_one_error_and_no_launch(lib, hip):
    with pytest.raises(
        sb.ArrayError, match=r"axpy\(\) argument 1 'x': .*in ROCm device memory.*in host memory"
    ):
        lib.axpy[1, 1](np.zeros(2, "f4"), None, 1, 2)
    with pytest.raises(sb.ArrayError, match=r"expected contiguous float32\[n\].*got float64\[1\]"):
        lib.axpy[1, 1](hip.array(np.zeros(1)), None, 1, 2)
    with pytest.raises(sb.LaunchError, match="has no cooperative launches"):
        lib.axpy.configured(grid=1, block=1, cooperative=True)
    with pytest.raises(sb.LaunchError, match="shared is 65537 bytes, and the device takes 65536 at most"):
        lib.axpy[1, 1, None, 65537]
    assert not hip.launches


def test_the_drivers_errors(lib, hip):
    hip.code = 700
    words = r"axpy\(\) hipModuleLaunchKernel\(\) failed: CUDA_ERROR_ILLEGAL_ADDRESS"
    with pytest.raises(sb.LaunchError, match=words):
        lib.axpy[1, 1](None, None, 1, 0)


def test_kernels_are_pickled(lib, hip):
    assert pickle.loads(pickle.dumps(lib.axpy)) is lib.axpy


@pytest.mark.parametrize("arch", ARCHITECTURES)
def test_the_compiler_agrees(arch, hip):
    from test_parameters import agrees

    agrees("hip", arch)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"arch": "sm_90"}, "arch is the name of an architecture, 'gfx90a', got 'sm_90'"),
        ({"arch": "gfx90a", "flags": ["--offload-arch=gfx942"]}, "arch='gfx90a' says it"),
        ({"arch": "gfx90a", "libraries": ["m"]}, "kernels are one source"),
    ],
)
def test_options_that_are_refused(options, words, hip):
    with pytest.raises(sb.BindError, match=words):
        sb.compile("__global__ void k() {}", dialect="hip", **options)


def test_a_mistake_shows_the_users_line(hip):
    with pytest.raises(sb.CompileError, match=r"(?s)source\.hip:2:.*use of undeclared identifier 'nowhere'"):
        sb.compile("__global__ void k(int* p) {\n*p = nowhere; }", dialect="hip", arch="gfx90a")


@pytest.mark.filterwarnings("ignore:.*is built as a library of its own")
def test_variables_are_shared_or_refused(hip):
    lib = sb.compile(
        "__device__ int seen; template <class T> __global__ void k(T* p) { *p = seen; }",
        dialect="hip",
        arch="gfx90a",
    )
    with pytest.raises(sb.Error, match=r"has variables of the device of its own \(seen\)"):
        lib.k[sb.int32]


def test_the_code_of_the_page_runs(hip, monkeypatch):
    source = """template <class T> __global__ void scale(T* y, T a) { *y *= a; }
    __global__ void axpy(float a, const float* x, float* y, int n) {
      const int i = blockIdx.x * blockDim.x + threadIdx.x;
      if (i < n) y[i] += a * x[i];
    }"""
    page = (Path(__file__).parents[2] / "docs" / "kernels.md").read_text()
    (block,) = (
        b for b in (p.partition("\n```")[0] for p in page.split("```py\n")[1:]) if 'dialect="hip"' in b
    )
    compiled = sb.compile

    def known(text, **options):
        made = compiled(text, **options)
        return made if "arch" in options else hip.knows(made, text)

    monkeypatch.setattr(sb, "compile", known)
    x, y = hip.array(np.arange(1000, dtype="f4")), hip.array(np.ones(1000, "f4"))
    names = {"sb": sb, "source": source, "x": x, "y": y, "n": 1000}
    exec(block, names)
    assert (y.array == 1 + 2 * np.arange(1000)).all()
    assert names["there"].axpy.__name__ == "axpy"
