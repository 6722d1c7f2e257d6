"""The layouts that the comparison found wrong elsewhere: size and alignment in compiled code are the compiler's."""

from __future__ import annotations

from typing import Any

import pytest

import samebytes as sb

pytest.importorskip("numba", reason="Numba is not installed")
pytestmark = [pytest.mark.full, pytest.mark.filterwarnings("ignore::samebytes.BindWarning")]

# name, C++, size and alignment in bytes; None: C++ alone can hold it, and says so
ROWS = (
    ("Padded", "struct Padded { char c; float4 v; };", (32, 16)),
    ("Bits", "struct Bits { unsigned a : 3; unsigned b : 5; };", (4, 4)),
    ("Packed", "struct __attribute__((packed)) Packed { char c; int i; };", (5, 1)),
    ("Wide", "struct alignas(32) Wide { float f[4]; };", (32, 32)),
    ("Derived", "struct Base { int b; }; struct Derived : Base { int d; };", (8, 4)),
    ("Either", "union Either { int i; double d; };", (8, 8)),
    ("Virtual", "struct Virtual { int v; D virtual void f() {} };", None),
    (
        "Mixed",
        "enum A { a0 }; enum B { b0 }; struct Mixed { half h; bfloat b; bool f; A a; B c; int i; };",
        (20, 4),
    ),
    ("Empty", "struct Empty {};", None),
)
HEADS = {
    "numba": "#include <samebytes/vector.hpp>\n#define D\nusing float4 = samebytes::float32x4;\n"
    "using half = samebytes::float16; using bfloat = samebytes::bfloat16;\n",
    "numba_cuda": "#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n#define D __device__\n"
    "using bfloat = __nv_bfloat16;\n",
}


@pytest.mark.parametrize("target", HEADS)
def test_sizes_and_alignments(target: str) -> None:
    if target == "numba_cuda":
        pytest.importorskip("numba.cuda.core", reason="numba-cuda is not installed")
    text = HEADS[target] + "\n".join(cxx for _, cxx, _ in ROWS)
    uses = "".join(
        f"\nD inline int use_{name}({name}* p) {{ return sizeof({name}); }}" for name, _, _ in ROWS
    )
    lib = sb.compile(text + uses, target=target, name="layouts")
    for name, _, expected in ROWS:
        if expected is None:
            known = name in lib.__records__ or any(name in str(s) for s in lib.__skipped__)
            assert known or hasattr(lib, name), name
            continue
        layout = sb.numba_type(lib.__records__[name]).layout
        assert (layout.size, layout.align) == expected, name


POINT = "struct Point { int n; };\nstruct Tail { Point p[2]; Point* next; };\n"
# How a library is made, and the dialect of its classes.
SPOKEN: tuple[tuple[dict[str, Any], str, str], ...] = (
    ({}, "", "cxx"),
    ({"target": "numba"}, "inline int f(Point& p) { return p.n; }", "cxx"),
    ({"target": "numba_cuda"}, "__device__ inline int f(Point& p) { return p.n; }", "cuda"),
    ({"dialect": "cuda", "arch": "sm_80"}, "__global__ void f(Point p, Tail* t) {}", "cuda"),
)


def test_a_class_says_its_dialect() -> None:
    pytest.importorskip("numba.cuda.core", reason="numba-cuda is not installed")
    libs = [sb.compile(POINT + source, **options) for options, source, _ in SPOKEN]
    for lib, (_, _, dialect) in zip(libs, SPOKEN, strict=True):
        for hint in (
            lib.Point,
            sb.pointer[lib.Point],
            sb.const[lib.Point],
            sb.carray[lib.Point, 2],
            lib.Tail,
        ):
            assert sb.numba_type(hint) == sb.numba_type(hint, dialect), hint
        other = "cxx" if dialect == "cuda" else "cuda"
        assert sb.numba_type(lib.Point) != sb.numba_type(lib.Point, other)
    assert sb.numba_type(sb.int32) == sb.numba_type(sb.int32, "cxx")

    @sb.struct
    class Both:
        host: libs[0].Point  # type: ignore[name-defined]
        device: libs[2].Point  # type: ignore[name-defined]

    with pytest.raises(sb.LayoutError, match=r"several dialects \('cuda', 'cxx'\): say which one, dialect="):
        sb.numba_type(Both)


def test_signatures_have_the_types_of_the_classes() -> None:
    pytest.importorskip("numba.cuda.core", reason="numba-cuda is not installed")
    from numba import types
    from numba.core.typing import signature

    for options, source, _ in SPOKEN[1:3]:
        lib = sb.compile(POINT + source, arg_intent={"f": {"p": "inout_ptr"}}, **options)
        expected = signature(types.int32, types.CPointer(sb.numba_type(lib.Point)))
        assert sb.numba_signatures(lib.f) == (expected,)
