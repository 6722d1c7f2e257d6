"""Classes in compiled code: constructors, methods, static methods and operators, for the CPU and for GPUs."""

from __future__ import annotations

from typing import Any

import ptx
import pytest

import samebytes as sb

numba = pytest.importorskip("numba", reason="Numba is not installed")
pytestmark = pytest.mark.full

SOURCE = r"""
#ifndef __CUDACC__
#define __device__
#endif
struct V {
  double x, y;
  __device__ V(double a, double b = 2.0) : x(a), y(b) {}
  __device__ V operator+(const V& o) const { return V(x + o.x, y + o.y); }
  __device__ double operator[](int i) const { return i ? y : x; }
  __device__ double operator()(double k) const { return k * x; }
  __device__ V operator-() const { return V(-x, -y); }
  __device__ bool operator==(const V& o) const { return x == o.x && y == o.y; }
  __device__ V& operator+=(const V& o) { x += o.x; y += o.y; return *this; }
  __device__ void bump(int by = 1) { x += by; }
  __device__ double sum() const { return x + y; }
  __device__ static int make(int k) { return k + 1; }
  __device__ static V unit() { return V(1, 1); }
  __device__ explicit operator double() const { return x; }
  __device__ explicit operator bool() const { return x != 0; }
};
__device__ inline V operator*(const V& a, double k) { return V(a.x * k, a.y * k); }
__device__ inline V operator*(double k, const V& a) { return V(a.x * k, a.y * k); }
__device__ inline bool operator<(const V& a, const V& b) { return a.x < b.x; }
"""
# statements, then the expression; the object `a` is V(3, 4)
CASES = (
    ("", "lib.V(1.0).y", 2), ("", "lib.V(b=5.0, a=1.0).y", 5), ("", "lib.V(a).x", 3), ("", "a.sum()", 7),
    ("b = lib.V(1.0)\nb.bump()\nb.bump(by=4)", "b.x", 6), ("", "(a + lib.V(1.0)).y", 6), ("", "(a * 2.0).y", 8),
    ("", "(2.0 * a).x", 6), ("", "(-a).y", -4), ("", "a[0] + 10 * a[1]", 43), ("", "a(10.0)", 30),
    ("b = lib.V(1.0)\nb += a\nb += b", "b.y", 12), ("", "a == lib.V(3.0, 4.0)", 1), ("", "a < lib.V(1.0)", 0),
    ("", "lib.V.make(4)", 5), ("", "lib.V.unit().sum()", 2), ("", "float(a)", 3), ("", "1.0 if bool(a) else 0.0", 1),
    ("b = a + a\nb.bump()\nc = b\nc.x += 1", "b.x", 8),
)  # fmt: skip


def body(statements: str, last: str) -> str:
    return "\n".join(f"    {line}" for line in [*filter(None, statements.split("\n")), last])


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(SOURCE, target="numba", name="classes")


@pytest.mark.parametrize(("statements", "expression", "expected"), CASES)
def test_in_njit_as_in_python(lib: Any, statements: str, expression: str, expected: float) -> None:
    scope: dict[str, Any] = {"lib": lib}
    exec(f"def f(a):\n{body(statements, f'return {expression}')}\n", scope)
    assert numba.njit(scope["f"])(lib.V(3.0, 4.0)) == expected


def test_words(lib: Any) -> None:
    @numba.njit
    def wrong(a: Any) -> Any:
        return a.bump("x")

    with pytest.raises(
        numba.core.errors.TypingError, match=r"V\.bump\(\) argument 1 'by': expected int32, got"
    ):
        wrong(lib.V(1.0))


def test_in_kernels() -> None:
    pytest.importorskip("numba.cuda.core", reason="numba-cuda is not installed")
    from numba.cuda.cudadrv import driver

    if not driver._have_nvjitlink():
        pytest.skip("nvJitLink is not installed (nvidia-nvjitlink)")
    lib = sb.compile(SOURCE, target="numba_cuda", name="device_classes")
    scope: dict[str, Any] = {"lib": lib}
    lines = ["a = lib.V(3.0, 4.0)"]
    for i, (statements, expression, _) in enumerate(CASES):
        lines += [*filter(None, statements.split("\n")), f"out[{i}] = {expression}"]
    exec("def kernel(out):\n" + "\n".join(f"    {line}" for line in lines), scope)
    text = ptx.linked(scope["kernel"], numba.types.float64[::1])
    assert ptx.calls(text) == []
    assert ptx.numbers(text, "d") == [expected for _, _, expected in CASES]
