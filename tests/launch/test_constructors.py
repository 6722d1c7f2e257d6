"""Constructors of kernels' structs, called from Python in each dialect; the same classes on the host are the oracle."""

from __future__ import annotations

import struct
from typing import Any

import numpy as np
import pytest
from test_initial_values import KINDS, compiled

import samebytes as sb

pytestmark = pytest.mark.full

CLASSES = """
#ifndef __device__
#define __device__
#define __host__
#define NOT_CUDA
#endif
namespace ns { enum class Way { up, down }; }
struct Pair { int x; float y; __host__ __device__ Pair(int a, float b) : x(a * 2), y(b) {} };
struct Several {
  long n; char how;
  __host__ __device__ Several() : n(1), how('d') {}
  __host__ __device__ explicit Several(int i) : n(i), how('i') {}
  __host__ __device__ Several(double d, int times = 2) : n(long(d) * times), how('f') {}
  __host__ __device__ Several(const Pair& p) : n(p.x), how('p') {}
};
struct Constant { int x = 3; ns::Way way;
  constexpr Constant(int a = 5, ns::Way w = ns::Way::down) : x(a), way(w) {} };
struct Plain { int x; Plain(int a) : x(a) { for (int i = 0; i < 3; ++i) x += i; } };
struct Outer {
  Pair pair; Constant all[2];
  __host__ __device__ Outer(Pair p) : pair(p), all{Constant(1), Constant()} {}
};
struct Hidden { int seen; Hidden(int a) : seen(a), hidden(a + 1) {} private: int hidden; };
inline int counted() { volatile int n = 40; return n + 1; }
struct Ran { int i = counted(); float f = 1; };
struct Loose { int i; float f = 2; };
"""
CALLS = (
    "Pair(1, 2.5)", "Pair(b=0.5, a=-3)", "Several()", "Several(7)", "Several(2.5)", "Several(2.5, 3)",
    "Several(lib.Pair(4, 0))", "Constant()", "Constant(7)", "Constant(w=lib.ns.Way.up)", "Plain(5)",
    "Outer(lib.Pair(1, 2))", "Hidden(4)", "Ran()", "Ran(f=3)", "Loose(f=1)", "Loose()",
)  # fmt: skip
# What is refused, and what the error says.
REFUSED = {
    "Pair()": "takes", "Pair(1)": "takes", "Pair('x', 1)": "int32", "Several('x')": "", "Plain()": "takes",
    "Pair(1, 2, 3)": "takes",
}  # fmt: skip


@pytest.fixture(scope="module")
def host() -> Any:
    return sb.compile(CLASSES, std="c++20")


@pytest.fixture(scope="module", params=list(KINDS))
def lib(request: pytest.FixtureRequest) -> Any:
    return compiled(request.param, CLASSES)


def test_they_make_what_they_make_on_the_host(host: Any, lib: Any) -> None:
    found = {call: [bytes(eval(f"lib.{call}", {"lib": one})) for one in (lib, host)] for call in CALLS}
    assert {call: made for call, made in found.items() if made[0] != made[1]} == {}


def test_what_no_constructor_takes_is_refused(lib: Any) -> None:
    for call, words in REFUSED.items():
        with pytest.raises(sb.Error, match=words):
            eval(f"lib.{call}", {"lib": lib})


def test_a_tuple_is_refused_with_a_hint_that_leads_somewhere(lib: Any) -> None:
    with pytest.raises(sb.ArgumentError, match=r"Pair\(\*x\) makes one"):
        sb.pack((1, 2.5), lib.Pair)
    assert lib.Pair(*(1, 2.5)).y == 2.5


DEVICES = """
struct View { float* data; int n; __host__ __device__ View(float* p, int m) : data(p), n(m < 0 ? 0 : m) {} };
struct On { int x; __device__ On(int a) : x(a + threadIdx.x) {} };
__device__ float loaded(const float* p) { return __ldg(p) * warpSize; }
struct Declared { int x; __host__ __device__ Declared(int a); };
template <class T> struct Made { T v; __host__ __device__ Made(T a) : v(a * 2) {} };
__global__ void k(View v, On w, dim3 d, Made<int> m, float* out) {
  out[0] = v.data[0] + loaded(out) + d.y + m.v;
  __syncthreads();
}
"""
KERNEL = """
struct Pair { int x; float y; __host__ __device__ Pair(int a, float b) : x(a * 2), y(b) {} };
struct View { float* data; int n; __host__ __device__ View(float* p, int m) : data(p), n(m < 0 ? 0 : m) {} };
__global__ void k(Pair v, dim3 d, View w, double* o) {
  o[0] = v.y + v.x; o[1] = d.x + 10 * d.y + 100 * d.z; o[2] = w.n + w.data[0];
}
"""


def test_what_devices_alone_run_is_refused_on_the_host() -> None:
    source = (
        DEVICES.replace("struct Broken", "struct Whole")
        .replace("Broken(", "Whole(")
        .replace(" + missing", "")
    )
    lib = sb.compile(source, dialect="cuda", arch="sm_80", expose=["*", "dim3"])
    with pytest.raises(sb.ArgumentError, match="no constructor"):
        lib.On(1)
    with pytest.raises(sb.ArgumentError, match="Python calls no constructor of On"):
        sb.pack((1,), lib.On)
    with pytest.raises(sb.BindError, match="Declared"):
        lib.Declared(1)
    assert bytes(lib.dim3(2, 3)) == struct.pack("3I", 2, 3, 1)


def test_a_launch_gets_what_they_make(fake: Any) -> None:
    lib = fake.knows(sb.compile(KERNEL, dialect="cuda", expose=["*", "dim3"]))
    out, data = fake.array(np.zeros(3)), fake.array(np.full(4, 0.5, "f4"))
    view = lib.View(data, 7)
    assert view.data.address == data.__cuda_array_interface__["data"][0]
    for _ in range(2):
        lib.k[1, 1](lib.Pair(1, 2.5), lib.dim3(1, 2), view, out)
        assert out.array.tolist() == [4.5, 121, 7.5]
        out.array[:] = 0
    with pytest.raises(sb.ArgumentError, match=r"Pair\(\*x\) makes one"):
        lib.k[1, 1]((1, 2.5), lib.dim3(), view, out)
    with pytest.raises(sb.ArrayError, match="CUDA device memory"):
        lib.View(np.ones(3, "f4"), 1)
