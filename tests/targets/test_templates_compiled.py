"""Templates in @njit and in kernels: instantiated beforehand, by subscripts, and by the arguments of calls."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import ptx
import pytest

import machine
import samebytes as sb

numba = pytest.importorskip("numba", reason="Numba is not installed")
pytestmark = [pytest.mark.full, pytest.mark.filterwarnings("ignore::samebytes.BindWarning")]

SOURCE = r"""
#ifndef __CUDACC__
#define __device__
#endif
template <class T, int N> struct Vec {
  T d[N];
  __device__ Vec(T v) { for (int i = 0; i < N; ++i) d[i] = v; }
  __device__ T sum() const { T s = 0; for (int i = 0; i < N; ++i) s += d[i]; return s; }
  __device__ T operator[](int i) const { return d[i]; }
  __device__ Vec operator+(const Vec& o) const { return Vec(d[0] + o.d[0]); }
  __device__ void set(int i, T v) { d[i] = v; }
  __device__ static int size() { return N; }
};
using V3 = Vec<float, 3>;
template <class T> struct Pair { T x, y; __device__ T dot(Pair o) const { return x * o.x + y * o.y; } };
template <class T> __device__ T dot(Pair<T> a, Pair<T> b) { return a.dot(b); }
template <class T> __device__ T clamp(T x, T low, T high) { return x < low ? low : high < x ? high : x; }
template <int N, class T> __device__ T times(T a) { return a * N; }
template <class... Ts> __device__ int count(Ts... a) { return sizeof...(a); }
template <class T> __device__ void grow(T& x, T by) { x += by; }
template <class T> __device__ bool split(T x, T& whole) { whole = T(long(x)); return whole != x; }
template <class T> __device__ T first(const T* p) { return p[0]; }
template <class T> __device__ int parts(T x, T* whole, double* rest) {
  *whole = T(long(x));
  *rest = x - *whole;
  return 5;
}
template <class T> __device__ void next(T& out, T x) { out = x + 1; }
template <class T> __device__ void summed(const T* p, int n, T& s) { s = 0; for (int i = 0; i < n; ++i) s += p[i]; }
template <class T> __device__ void multiples(T x, T out[4]) { for (int i = 0; i < 4; ++i) out[i] = x * i; }
template <class T> struct Tub { T v; __device__ void get(T& out) const { out = v; } };
template <class T> __device__ int width(T x) { return sizeof(T); }
template <class T> __device__ int width_of(const T* p) { return sizeof(T); }
struct Scale {
  double k;
  template <class T> __device__ T times(T x) const { return T(x * k); }
  template <class T> __device__ void next(T x, T& out) const { out = T(x + k); }
  __device__ int times(bool) const { return -1; }
};
struct Doubling { template <class T> __device__ static void twice(T x, T& out) { out = x + x; } };
template <class T> __device__ T kind(T x) { return x; }
__device__ int kind(double, int) { return 42; }
struct Plain { int a; };
// Neither is inline: however many instantiations a kernel is linked with, they are there once.
__device__ int outside(int x) { return x + 1; }
template <class T> __device__ int through(T x) { return outside(int(x)); }
"""
RETURNED = "out_return"
INTENTS: dict[str, dict[str, object]] = {
    "split": {"whole": RETURNED},
    "grow": {"x": "inout_ptr"},
    "parts": {"whole": RETURNED, "rest": RETURNED},
    "next": {"out": RETURNED},
    "summed": {"s": RETURNED},
    "multiples": {"out": sb.out_array_return("double", 4)},
    "Tub.get": {"out": RETURNED},
    "Doubling.twice": {"out": RETURNED},
    "Scale.next": {"out": RETURNED},
}
# statements and what they leave in `out`
ROWS: tuple[tuple[str, list[float]], ...] = (
    ("out[0] = f.V3(2.0).sum()\nout[1] = f.V3.size()", [6, 3]),
    ("v = f.V3(2.0)\nv.set(1, 5.0)\nv.d[2] = 1.0\nout[0] = v[1]\nout[1] = v.sum()\nout[2] = (v + v)[0]", [5, 8, 4]),
    ("out[0] = f.Vec['double', 4](0.5).sum()", [2]),
    ("v = f.Vec[float, 2](0.5)\nv.set(0, 3.0)\nout[0] = v.sum()", [3.5]),
    ("p = f.Pair[int](2, 3)\np.x = 5\nout[0] = p.dot(f.Pair[int](1, 2))", [11]),
    ("p = f.Pair[int](2, 3)\nout[0] = f.dot(p, p)", [13]),
    ("out[0] = f.clamp(7, 1, 5)\nout[1] = f.clamp(7.5, 1.0, 9.0)\nout[2] = f.clamp['double'](0, 1, 2)", [5, 7.5, 1]),
    ("out[0] = f.times[3](4)\nout[1] = f.times[-2, float](0.5)\nout[2] = f.times[2](0.25)", [12, -1, 0.5]),
    ("out[0] = f.count(1, 2.5, True)\nout[1] = f.count()", [3, 0]),
    ("part, whole = f.split['double'](2.5)\nout[0] = part\nout[1] = whole", [1, 2]),
    ("part, whole = f.split(2.5)\nout[0] = part\nout[1] = whole", [1, 2]),
    ("out[0], out[1], out[2] = f.parts(2.5)", [5, 2, 0.5]),
    ("out[0], out[1], out[2] = f.parts(x=4)", [5, 4, 0]),
    ("out[0] = f.next(3) / 2\nout[1] = f.next(2.5)", [2, 3.5]),
    ("out[0] = out[1] = 1.5\nout[2] = f.summed(out, 2)", [1.5, 1.5, 3]),
    ("m = f.multiples(2.0)\nout[0] = m[1]\nout[1] = m[3]", [2, 6]),
    ("out[0] = f.Tub[float](2.5).get()\nout[1] = f.Doubling.twice(4)", [2.5, 8]),
    ("out[0] = 1.5\nf.grow['double'](out[:1], 2.0)", [3.5]),
    ("out[0] = f.kind(2.5)\nout[1] = f.kind(2.5, 3)\nout[2] = f.kind(x=4)", [2.5, 42, 4]),
    ("out[1] = 7.0\nout[0] = f.first(out[1:])", [7, 7]),
    ("out[0] = f.width(np.float32(2))\nout[1] = f.width(np.int8(2))\nout[2] = f.width(2.0)", [4, 1, 8]),
    ("out[0] = f.width_of(out)\nout[1] = f.width(np.float32(out[0]))", [8, 4]),
    ("s = f.Scale(2.5)\nout[0] = s.times(3)\nout[1] = s.times(3.0)\nout[2] = s.times(True)", [7, 7.5, -1]),
    ("s = f.Scale(2.5)\nout[0] = s.next(3)\nout[1] = s.next(3.0)", [5, 5.5]),
    ("out[0] = f.through(1)\nout[1] = f.through(2.5)\nout[2] = f.outside(5)", [2, 3, 6]),
)  # fmt: skip
REFUSED = (
    ("out[0] = f.clamp(1, 2.5, 3)", r"clamp\(int, double, int\): C\+\+ refuses it: .*conflicting types"),
    ("p = f.Plain(1)\nout[0] = f.clamp(p, p, p).a", r"clamp\(.*\): C\+\+ refuses it: "),
    ("out[0] = f.clamp((1, 2), 1, 2)", r"clamp\(\) cannot be deduced: argument 1: .* name the template's arguments"),
    ("out[0] = f.times[out.size](4)", r"times\[...\]: in compiled code a template's arguments are constants"),
    ("out[0] = f.Vec['nonsense', 3](1).sum()", r"Vec\[nonsense, 3\]: C\+\+ refuses it"),
    ("out[0] = f.times[3](4, 5)", r"times\(int, int\): C\+\+ refuses it"),
    ("out[0] = f.Scale(2.5).next(np.int8(3))", r"next\(\) is a template's, and next\(signed char\) is not there"),
    ("out[0] = f.next()", r"next\(\?\): C\+\+ refuses it"),
)  # fmt: skip
METHODS = (
    "(Scale &).times(int)",
    "(Scale &).times(double)",
    "(Scale &).next(int, int &)",
    "(Scale &).next(double, double &)",
)
TARGETS = ("numba", "numba_cuda")
_libraries: dict[str, Any] = {}


def library(target: str) -> Any:
    if target == "numba_cuda":
        pytest.importorskip("numba.cuda.core", reason="numba-cuda is not installed")
        from numba.cuda.cudadrv import driver

        if not driver._have_nvjitlink():
            pytest.skip("nvJitLink is not installed (nvidia-nvjitlink)")
    if target not in _libraries:
        _libraries[target] = sb.compile(
            SOURCE, target=target, name="templates", arg_intent=INTENTS,
            instantiate=["Vec<double, 4>", "clamp<int>", "times<3, int>", *METHODS],
        )  # fmt: skip
    return _libraries[target]


def results(target: str, lib: Any, statements: str, count: int, **names: Any) -> list[float]:
    body = "\n".join(f"    {line}" for line in statements.split("\n"))
    scope: dict[str, Any] = {"f": lib, "np": np, **names}
    exec(f"def use(out):\n{body}\n", scope)
    if target == "numba_cuda":
        text = ptx.linked(scope["use"], numba.types.float64[::1])
        assert ptx.calls(text) == []
        return list(machine.doubles(text))[:count]
    out = np.zeros(4)
    numba.njit(scope["use"])(out)
    return list(out[:count])


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(("statements", "expected"), ROWS)
def test_a_template(target: str, statements: str, expected: list[float]) -> None:
    assert results(target, library(target), statements, len(expected)) == expected


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(("statements", "words"), REFUSED)
def test_words(target: str, statements: str, words: str) -> None:
    lib = library(target)
    with pytest.raises(Exception, match=words):
        results(target, lib, statements, 1)


@pytest.mark.parametrize("target", TARGETS)
def test_python_instantiates_what_compiled_code_calls(target: str) -> None:
    lib = library(target)
    vec, five = lib.Vec["double", 5], lib.times[5, int]
    names = {"vec": vec, "five": five, "low": lib.clamp[int]}
    stores = "out[0] = vec(0.5).sum()\nout[1] = five(2)\nout[2] = low(9, 1, 4)"
    assert results(target, lib, stores, 3, **names) == [2.5, 10, 4]
    assert lib.Vec["double", 4] is lib.__instances__["Vec<double, 4>"]


def test_instantiations_of_device_code_are_not_called_by_python() -> None:
    lib = library("numba_cuda")
    with pytest.raises(sb.ArgumentError, match=r"times\(\) runs on the GPU"):
        lib.times[3, int](4)
    with pytest.raises(sb.CompileError, match=r"clamp<Plain>"):
        sb.compile(SOURCE, target="numba_cuda", name="templates", instantiate=["clamp<Plain>"])
    with pytest.raises(sb.BindError, match=r"nothing_such<int> cannot be instantiated"):
        sb.compile(SOURCE, target="numba_cuda", name="templates", instantiate=["nothing_such<int>"])


def test_one_kernel_calls_functions_of_several_libraries() -> None:
    library("numba_cuda")
    libs = [
        sb.compile(f"__device__ int f{i}(int x) {{ return x + {i}; }}", target="numba_cuda", name=f"lib{i}")
        for i in range(3)
    ]
    twin = sb.compile("__device__ int f0(int x) { return x + 0; }", target="numba_cuda", name="lib0")
    names = {f"lib{i}": lib for i, lib in enumerate(libs)} | {"twin": twin}
    stores = "out[0] = lib0.f0(1)\nout[1] = lib1.f1(1)\nout[2] = lib2.f2(1) + twin.f0(10)"
    assert results("numba_cuda", None, stores, 3, **names) == [1, 2, 13]


def test_a_device_function_compiled_before_an_instantiation_links_with_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The code that both are linked with is one, though the instantiation came later."""
    pytest.importorskip("numba.cuda.core", reason="numba-cuda is not installed")
    from numba import cuda
    from numba.cuda import dispatcher

    lib = library("numba_cuda")

    @cuda.jit(device=True)
    def before(x: Any) -> Any:
        return lib.outside(x)

    monkeypatch.setattr(dispatcher, "get_current_device", lambda: SimpleNamespace(compute_capability=ptx.CC))
    assert results("numba_cuda", lib, "out[0] = before(1)", 1, before=before) == [2]
    stores = "out[0] = before(1)\nout[1] = f.Vec['double', 7](0.5).sum()"
    assert results("numba_cuda", lib, stores, 2, before=before) == [2, 3.5]
