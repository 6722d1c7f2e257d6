"""Every function of CUDA's own number headers in kernels: none leaves a call once it is linked."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Any

import numpy as np
import ptx
import pytest

import machine
import samebytes as sb
from samebytes.model.signature import Signature
from samebytes.types import CArray, Enum, Named, Pointer, Scalar, Struct, Type, Vector, unqualified
from samebytes.types.base import Void

pytest.importorskip("numba.cuda.core", reason="numba-cuda is not installed")
pytest.importorskip("cuda.core", reason="cuda-core is not installed")
from numba import cuda, types
from numba.cuda.cudadrv import driver

pytestmark = [
    pytest.mark.full,
    pytest.mark.skipif(not driver._have_nvjitlink(), reason="nvJitLink is not installed (nvidia-nvjitlink)"),
    pytest.mark.filterwarnings("ignore::samebytes.BindWarning"),
]


_MANY = 70  # functions in one kernel
# The arrays that a kernel of these is given: one of each format, so that nothing is computed beforehand.
_ARRAYS = {
    "float64": types.float64, "float32": types.float32, "int32": types.int32, "uint32": types.uint32,
    "int16": types.int16, "uint16": types.uint16, "int64": types.int64, "uint64": types.uint64,
    "uint8": types.uint8, "int8": types.int8, "char": types.int8, "float16": cuda.types.float16,
    "bfloat16": cuda.types.bfloat16, "float16x2": sb.numba_type(sb.float16x2, "cuda"),
    "bfloat16x2": sb.numba_type(sb.bfloat16x2, "cuda"),
}  # fmt: skip
_MATRICES = {"uint32_2": (types.uint32, 2), "uint32_3": (types.uint32, 3), "float64_2": (types.float64, 2)}
HEADERS = (("cuda_fp16.h", 271), ("cuda_bf16.h", 271), ("cuda_fp8.h", 128), ("curand_kernel.h", 171))


def given(type_: Type) -> str:
    """An argument for a parameter, in the source of a kernel."""
    bare = unqualified(type_)
    if isinstance(bare, Scalar):
        return "a_int8[0] != 0" if bare.name == "bool" else f"a_{bare.name}[0]"
    if isinstance(bare, Vector):
        items = ", ".join([given(bare.element)] * bare.size)
        return f"sb.{bare}({items})"
    if isinstance(bare, Enum):
        return f"lib.{bare.short_name}.{bare.members[0][0]}" if bare.scoped else f"lib.{bare.members[0][0]}"
    if isinstance(bare, Struct):
        return f"lib.{bare.short_name}()"
    assert isinstance(bare, Pointer)
    target = unqualified(bare.target)
    if isinstance(target, CArray):
        return f"a_{unqualified(target.element)}_{1 + len(target.shape)}"
    return f"lib.{target.name}()" if isinstance(target, Struct | Named) else f"a_{target}"


def kept(result: Type, name: str) -> str:
    """What keeps a result from being dropped."""
    bare = unqualified(result)
    if isinstance(bare, Vector):
        return f"np.float32({name}.x)"
    if isinstance(bare, Scalar) and bare.name == "bool":
        return f"1.0 if {name} else 0.0"
    return f"np.float32({name})" if isinstance(bare, Scalar) and bare.size == 2 else f"float({name})"


def statements(lib: Any, functions: list[Signature]) -> Iterator[str]:
    for i, function in enumerate(functions):
        call = f"lib.{function.name}({', '.join(given(p.value_type) for p in function.parameters)})"
        if isinstance(unqualified(function.result), Void | Struct | Pointer):
            yield call
        else:
            yield f"r{i} = {call}"
            yield f"out[{i}] = {kept(function.result, f'r{i}')}"


def compiled(lib: Any, lines: list[str]) -> str:
    scope: dict[str, Any] = {"lib": lib, "np": np, "sb": sb, "cuda": cuda}
    arrays = {n: t[::1] for n, t in _ARRAYS.items()}
    arrays |= {n: types.Array(t, rank, "C") for n, (t, rank) in _MATRICES.items()}
    arguments = ", ".join(f"a_{name}" for name in arrays)
    exec(f"def kernel(out, {arguments}):\n" + "\n".join(f"    {line}" for line in lines), scope)
    return str(ptx.linked(scope["kernel"], types.float64[::1], *arrays.values()))


@pytest.mark.parametrize(("header", "least"), HEADERS)
def test_every_function(header: str, least: int) -> None:
    lib = sb.bind(header, target="numba_cuda")
    assert len(lib.__model__.functions) >= least
    # Operators of numbers and vectors are those of the kernel's language, methods and constructors a test of their own.
    functions = [f for f in lib.__model__.functions if f.kind == "function" and f.name.isidentifier()]
    for start in range(0, len(functions), _MANY):
        text = compiled(lib, list(statements(lib, functions[start : start + _MANY])))
        assert ptx.calls(text) == []


# Operators and conversions of CUDA's small numbers, as Python spells them; `h` and `g` are 1.5 and -0.25.
_OPERATORS = (
    ("h + g", 1.25), ("h - g", 1.75), ("h * g", -0.375), ("h / g", -6), ("-h", -1.5), ("abs(g)", 0.25),
    ("T(2.0)", 2), ("T(np.float64(0.5))", 0.5), ("T(3)", 3),
)  # fmt: skip
_COMPARED = (("h == g", 0), ("h != g", 1), ("h < g", 0), ("h > g", 1), ("h <= h", 1), ("h >= g", 1))
_VECTORS = (
    ("v + w", (1.25, 3)),
    ("v - w", (1.75, 1)),
    ("v * w", (-0.375, 2)),
    ("v / w", (-6, 2)),
    ("-v", (-1.5, -2)),
)
_SMALL = (("float16", "cuda_fp16.h", "np.float16"), ("bfloat16", "cuda_bf16.h", "cuda.bfloat16"))


@pytest.mark.parametrize(("name", "header", "spelled"), _SMALL)
def test_operators_of_small_numbers(name: str, header: str, spelled: str) -> None:
    lines = [f"h = a_{name}[0]", f"g = a_{name}[1]", f"v = sb.{name}x2(h, {spelled}(2.0))",
             f"w = sb.{name}x2(g, {spelled}(1.0))"]  # fmt: skip
    expected: list[float] = []
    for text, value in _OPERATORS:
        lines.append(f"out[{len(expected)}] = np.float32({text.replace('T(', f'{spelled}(')})")
        expected.append(value)
    for text, value in _COMPARED:
        lines.append(f"out[{len(expected)}] = 1.0 if {text} else 0.0")
        expected.append(value)
    for text, pair in _VECTORS:
        for part, value in zip("xy", pair, strict=True):
            lines.append(f"out[{len(expected)}] = np.float32(({text}).{part})")
            expected.append(value)
    lib = sb.bind(header, target="numba_cuda")
    text = compiled(lib, lines)
    assert ptx.calls(text) == []
    run = machine.Machine(text)
    out = run.place(bytes(8 * len(expected)))
    given: list[bytes] = machine.array(out, (len(expected),), 8)
    for kind in _ARRAYS:
        values = (
            machine.encode(1.5, "bf16" if kind == "bfloat16" else "f16"),
            machine.encode(-0.25, "bf16" if kind == "bfloat16" else "f16"),
        )
        place = run.place(b"".join(v.to_bytes(2, "little") for v in values) + bytes(28))
        given += machine.array(place, (2,), 2)
    for _, rank in _MATRICES.values():
        given += machine.array(0, (0,) * rank, 8)
    run.run(*given)
    assert list(struct.unpack(f"<{len(expected)}d", run.memory[out : out + 8 * len(expected)])) == expected


def test_constructors_and_conversions_of_classes() -> None:
    """Formats that Numba has no numbers for are classes: made of numbers, and numbers made of them."""
    lib = sb.bind("cuda_fp8.h", target="numba_cuda")
    text = compiled(
        lib,
        ["e = lib.__nv_fp8_e8m0(4.0)", "out[0] = float(e)", "out[1] = float(lib.__nv_fp8_e8m0(a_float32[0]))",
         "u = lib.__nv_fp8_ue5m3(a_float64[0])", "out[2] = float(u)"],
    )  # fmt: skip
    assert ptx.calls(text) == []


SPANS = """
#include <cuda/std/mdspan>
#include <cuda/std/span>
template <class T> __device__ inline double sum_of(T x) { double s = 0; for (double v : x) s += v; return s; }
__device__ inline double sum(cuda::std::span<const double> x) { return sum_of(x); }
__device__ inline double sum3(cuda::std::span<const double, 3> x) { return sum_of(x); }
using extents = cuda::std::extents<int, cuda::std::dynamic_extent>;
__device__ inline double last(cuda::std::mdspan<const double, extents> x) { return x.data_handle()[x.extent(0) - 1]; }
"""


def test_a_kernel_gives_device_functions_spans():
    """The descriptor becomes the span without C++'s standard library; what it cannot be ends the kernel."""
    lib = sb.compile(SPANS, name="spans", target="numba_cuda", std="c++20")
    assert not lib.__skipped__

    def kernel(x, out):
        out[0] = lib.sum(x) + lib.sum3(x) + lib.last(x)

    text = ptx.linked(kernel, types.float64[::1], types.float64[::1])
    for count in (3, 4):
        run = machine.Machine(text, 1 << 16)
        x, out = run.place(struct.pack(f"<{count}d", *range(1, count + 1))), run.place(bytes(8))
        given = (*machine.array(x, (count,), 8), *machine.array(out, (1,), 8))
        if count != 3:
            with pytest.raises(machine.Trap):
                run.run(*given)
            continue
        run.run(*given)
        assert struct.unpack_from("<d", bytes(run.memory), out) == (15.0,)
