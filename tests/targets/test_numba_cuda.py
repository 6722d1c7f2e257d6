"""Device code in kernels of numba.cuda, without a GPU: linked to PTX, whose constants are the calls' results."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import ptx
import pytest
import seed
from tests.tables import warns_at_first

import samebytes as sb

pytest.importorskip("numba.cuda.core", reason="numba-cuda is not installed")
pytest.importorskip("cuda.core", reason="cuda-core is not installed")
from numba import cuda, types
from numba.cuda.cudadrv import driver

pytestmark = [
    pytest.mark.full,
    pytest.mark.skipif(not driver._have_nvjitlink(), reason="nvJitLink is not installed (nvidia-nvjitlink)"),
]

HERE = Path(__file__).parent


FORMS = {
    "float32": "f",
    "float64": "d",
    "int32": "i",
    "int64": "q",
    "uint8": "B",
    "int16": "h",
    "uint32": "I",
}

SOURCE = r"""
#include <cuda_fp16.h>
#include <cuda_bf16.h>

struct Point { double x; double y; };
struct Box { Point low; Point high; int tags[3]; };
struct HV { char c; float4 a; };
enum class Col : short { red = -1, green = 2 };
enum Plain { zero, one, many = 7 };
struct Bits { unsigned a : 3; int b : 5; };
struct Small { __half h; __nv_bfloat16 b; bool flag; Col col; Plain p; int i; };

__device__ double add(double a, int b) { return a + b; }
__device__ int with_default(int a, int b = 3) { return a * 10 + b; }
__device__ bool flip(bool b) { return !b; }
__device__ signed char i8(signed char v) { return v; }
__device__ unsigned char u8(unsigned char v) { return v; }
__device__ Col col(Col c) { return c; }
__device__ Point middle(const Point& a, Point b) { return {(a.x + b.x) / 2, (a.y + b.y) / 2}; }
__device__ void shift(Point& p, double by) { p.x += by; p.y += by; }
__device__ Box grown(Box b) { b.tags[2] += 5; b.high.y = 9; return b; }
__device__ float4 twice(float4 v) { return make_float4(2 * v.x, 2 * v.y, 2 * v.z, 2 * v.w); }
__device__ HV hv(float x) { HV r{}; r.a.w = x; return r; }
__device__ bool aligned(const HV& v) { return reinterpret_cast<unsigned long long>(&v) % 16 == 0; }
__device__ Bits bits(int a, int b) { Bits r; r.a = a; r.b = b; return r; }
__device__ int sum_bits(Bits b) { return b.a + 10 * b.b; }
__device__ __half half_of(float x) { return __float2half(x); }
__device__ float of_half(__half x) { return __half2float(x); }
__device__ __half2 pair(float x, float y) { return __floats2half2_rn(x, y); }
__device__ float low(__half2 p) { return __low2float(p); }
__device__ __nv_bfloat16 bf(float x) { return __float2bfloat16(x); }
__device__ Small small(int i) { return {__float2half(0.5f), __float2bfloat16(2.0f), true, Col::red, many, i}; }
__device__ int of_small(Small s) { return s.i + (int)s.col + (int)s.p; }
__device__ void fill(float* p, int n) { for (int i = 0; i < n; ++i) p[i] = i; }
__device__ int over(int) { return 1; }
__device__ int over(double) { return 2; }
__device__ void out(int& a, float& b) { a = 3; b = 0.5f; }
__global__ void kernel(int* p) {}
void host_only(int) {}
__host__ int both_not(int x) { return x; }
__host__ __device__ int both(int x) { return x + 1; }
constexpr int LIMIT = 12;
"""
INTENTS = {"out": {"a": "out_return", "b": "out_return"}, "shift": {"p": "inout_ptr"}}


@pytest.fixture(scope="module")
def lib() -> Any:
    with warns_at_first(sb.BindWarning):
        return sb.compile(SOURCE, target="numba_cuda", name="device", arg_intent=INTENTS)


def text_of(lib: Any, statements: str, dtype: str = "float64") -> str:
    """The PTX of a kernel with statements that write to ``out``."""
    body = "\n".join(f"    {line}" for line in statements.splitlines())
    scope: dict[str, Any] = {"lib": lib, "sb": sb, "np": np, "cuda": cuda}
    exec(f"def kernel(out):\n{body}\n", scope)
    return str(ptx.linked(scope["kernel"], getattr(types, dtype)[::1]))


def values(lib: Any, statements: str, dtype: str = "float64") -> list[Any]:
    """What a kernel stores; nothing is called and nothing is kept in memory once it is linked."""
    text = text_of(lib, statements, dtype)
    assert ptx.calls(text) == []
    assert ".local" not in text
    return list(ptx.numbers(text, FORMS[dtype]))


def refused(lib: Any, statements: str) -> str:
    with pytest.raises(Exception, match="Failed in") as caught:
        text_of(lib, statements)
    return str(caught.value)


def test_calls_inline_away_and_give_the_right_numbers(lib: Any) -> None:
    assert values(lib, "out[0] = lib.add(1.5, 2)\nout[1] = lib.LIMIT") == [3.5, 12]
    assert values(lib, "out[0] = lib.with_default(4)\nout[1] = lib.with_default(4, b=5)", "int32") == [43, 45]
    assert values(lib, "out[0] = lib.flip(False)\nout[1] = lib.i8(-3)\nout[2] = lib.u8(200)", "int32") == [
        1,
        -3,
        200,
    ]
    assert values(lib, "out[0] = lib.over(1)\nout[1] = lib.over(1.5)\nout[2] = lib.both(6)", "int32") == [
        1,
        2,
        7,
    ]
    assert values(lib, "a, b = lib.out()\nout[0] = a\nout[1] = b") == [3, 0.5]
    assert values(lib, "out[0] = lib.col(lib.Col.red)\nout[1] = lib.many", "int32") == [-1, 7]


def test_records_are_values_and_places(lib: Any) -> None:
    made = "p = lib.Point(1.0, y=2.0)\np.x += 10\nlib.shift(p, 0.5)\nq = lib.middle(p, lib.Point(0.5, 0.5))\n"
    assert values(lib, made + "out[0] = p.x\nout[1] = p.y\nout[2] = q.x") == [11.5, 2.5, 6]
    nested = "b = lib.Box()\nb.high.x = 4.0\nb.tags[2] = 3\nb.low = lib.Point(7.0, 8.0)\nc = lib.grown(b)\n"
    stores = "out[0] = c.tags[2]\nout[1] = b.tags[2]\nout[2] = c.high.y + c.high.x + c.low.x"
    assert values(lib, nested + stores) == [8, 3, 20]


def test_a_record_that_several_names_share_in_a_loop_is_refused(lib: Any) -> None:
    loop = "best = lib.Point(0.0, 0.0)\nfor i in range(out.size):\n    p = lib.Point(1.0 * i, 2.0)\n    p.x += 1\n"
    assert "best and p name one record" in refused(
        lib, loop + "    if p.x > 3:\n        best = p\nout[0] = best.x"
    )
    copied = loop + "    if p.x > 3:\n        best = lib.Point(p)\nout[0] = best.x"
    assert ptx.calls(text_of(lib, copied)) == []
    read = loop.replace("    p.x += 1\n", "    best = lib.middle(best, p)\n") + "out[0] = best.x"
    assert ptx.calls(text_of(lib, read)) == []


def test_a_device_function_returns_the_value_of_what_it_made(lib: Any) -> None:
    def make(x: Any) -> Any:
        p = lib.Point(x, 1.0)
        p.y = 5.0
        return p

    text, result = cuda.compile(make, types.float64(types.float64).args, device=True, abi="numba", cc=ptx.CC)
    assert result == sb.numba_type(lib.Point, "cuda")
    assert "st." in text  # both fields go to the caller's storage, none to a stack that ends


def test_layouts(lib: Any) -> None:
    assert values(lib, "v = lib.hv(2.5)\nout[0] = v.a.w\nout[1] = lib.aligned(v)") == [2.5, 1]
    assert values(lib, "out[0] = lib.sum_bits(lib.bits(5, -3))\nout[1] = lib.bits(5, -3).b", "int32") == [
        -25,
        -3,
    ]
    assert values(lib, "s = lib.small(40)\nout[0] = lib.of_small(s)\nout[1] = s.p + 0\nout[2] = s.flag") == [
        46,
        7,
        1,
    ]
    record = sb.numba_type(lib.HV, "cuda")
    assert (record.layout.size, record.layout.align) == (32, 16)
    assert sb.numba_type(lib.Small, "cuda").layout.size == 16


def test_vectors_and_halves(lib: Any) -> None:
    twice = "v = lib.twice(sb.float32x4(1, 2, 3, 4))\n"
    assert values(lib, twice + "out[0] = v.w\nout[1] = (v + v * 2.0).x", "float32") == [8, 6]
    assert values(lib, "v = lib.twice(cuda.float32x4(1, 2, 3, 4))\nout[0] = v.z", "float32") == [6]
    # Halves are rounded by instructions that the compiler does not compute beforehand.
    text = text_of(lib, "out[0] = lib.of_half(lib.half_of(0.1))\nout[1] = lib.low(lib.pair(3, 4))", "float32")
    assert ptx.calls(text) == []
    assert "cvt.rn.f16.f32" in text
    assert "cvt.f32.f16" in text


def test_what_runs_on_the_host_is_skipped_with_the_reason(lib: Any) -> None:
    reasons = {s.name.partition("(")[0]: s.reason for s in lib.__skipped__}
    assert "kernel" in reasons["kernel"]
    assert "not declared __device__" in reasons["host_only"]
    assert "not declared __device__" in reasons["both_not"]
    model = lib.__model__
    bound = (
        len(model.functions)
        + len(model.records)
        + len(model.enums)
        + len(model.constants)
        + len(model.aliases)
    )
    assert bound + len(model.skipped) == model.exposed
    with pytest.raises(sb.ArgumentError, match=r"add\(\) runs on the GPU"):
        lib.add(1.0, 2)


def test_words(lib: Any) -> None:
    assert "add() argument 2 'b': expected int32, got float64" in refused(lib, "out[0] = lib.add(1.0, 2.0)")
    assert "expected Point, got" in refused(lib, "out[0] = lib.middle(lib.Point(), 1.0).x")
    assert "int8 (-128 to 127), got 300" in refused(lib, "out[0] = lib.i8(300)")


def test_a_wide_integer_is_checked_where_the_kernel_runs(lib: Any) -> None:
    text = text_of(lib, "out[0] = lib.i8(out.size)")
    assert "trap;" in text
    assert "trap;" not in text_of(lib, "out[0] = lib.both(np.int32(out.size))")


def test_arrays_are_addresses(lib: Any) -> None:
    def kernel(a: Any) -> None:
        lib.fill(a, 2)

    assert ptx.numbers(ptx.linked(kernel, types.float32[::1]), "f") == [0, 1]


def test_the_documented_example() -> None:
    lib = sb.bind(HERE / "stats.hpp", target="numba_cuda", arg_intent=seed.INTENTS)
    record, vector = sb.numba_type(lib.RunningStats, "cuda"), sb.numba_type(sb.float32x4, "cuda")
    for name in seed.INTENTS:
        expected = seed.signature(seed.SIGNATURES[name], record, vector)
        assert sb.numba_signatures(getattr(lib, name)) == (expected,)
    update = "s = lib.RunningStats()\nlib.stats_update(s, 2.0)\nlib.stats_update(s, 4.0)\n"
    mean = "m = cuda.local.array(1, np.float32)\nlib.stats_get_mean(s, m)\n"
    score = "grew, z = lib.stats_update_and_get_zscore(s, 6.0)\n"
    stores = "out[0] = m[0]\nout[1] = grew\nout[2] = z\nout[3] = s.count\nout[4] = s.sum_sq"
    assert values(lib, update + mean + score + stores) == [3, 1, 2, 3, 56]
    arrays = "t = lib.stats_get_matrix_3x4()\nv = lib.stats_get_vectors()\n"
    stores = "out[0] = t[7]\nout[1] = t[11]\nout[2] = v[2].w\nout[3] = v[1].x\nout[4] = len(t)"
    assert values(lib, arrays + stores) == [13, 23, 2.75, 1, 12]


# What each of CUDA's own headers must have at least, a call of it, and what it becomes: an instruction, or the bits of
# 0.14546764, which is cuRAND's first number of this seed.
CUDA_HEADERS = (
    ("cuda_fp16.h", 250, "out[0] = lib.__half2float(lib.__hadd(lib.__float2half(out[1]), lib.__float2half(out[2])))",
     "cvt.rn.f16.f32"),
    ("cuda_bf16.h", 250, "out[0] = lib.__bfloat162float(lib.__float2bfloat16(out[1]))", "cvt.rn.bf16.f32"),
    ("cuda_fp8.h", 50, "out[0] = lib.__nv_cvt_float_to_fp8(out[1], lib.__NV_SATFINITE, lib.__NV_E4M3)", "st.global"),
    ("curand_kernel.h", 150, "s = lib.curandStateXORWOW()\n    lib.curand_init(1234, 0, 0, s)\n"
     "    out[0] = lib.curand_uniform(s)", "1041560952"),
)  # fmt: skip


@pytest.mark.filterwarnings("ignore::samebytes.BindWarning")
@pytest.mark.parametrize(("header", "least", "statements", "instruction"), CUDA_HEADERS)
def test_cuda_s_own_headers(header: str, least: int, statements: str, instruction: str) -> None:
    lib = sb.bind(header, target="numba_cuda")
    assert len(lib.__model__.functions) >= least
    assert not [s for s in lib.__skipped__ if "refused" in s.reason and not s.kind.startswith("macro")]
    scope: dict[str, Any] = {"lib": lib}
    exec(f"def kernel(out):\n    {statements}\n", scope)
    text = ptx.linked(scope["kernel"], types.float32[::1])
    assert instruction in text
    assert ptx.calls(text) == []
