"""What the compiler records of kernels' parameters against the plans of launches, for several architectures."""

import random
import re
import struct
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import samebytes as sb
from samebytes.launch import checking
from samebytes.layouts.dialects import layout
from samebytes.model.signature import Signature
from samebytes.types import VOID

pytestmark = pytest.mark.full

ARCHITECTURES = ("sm_80", "sm_90", "sm_100", "sm_120")
PREAMBLE = """
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <cuda_fp8.h>
struct Mixed { char a; double b; short c; };
struct Three { char a[3]; };
struct __attribute__((packed)) Packed { char a; int b; };
struct alignas(16) Sixteen { float x; };
struct alignas(64) Wide { int n[20]; };
struct Nested { Three t; Mixed m; };
struct Derived : Sixteen { char more; };
struct Bits { unsigned a : 3; unsigned b : 7; int c; };
enum class Small : unsigned char { one = 1 };
"""
# A type of C++, its bytes and alignment as CUDA's compiler has them.
TYPES = (
    ("bool", 1), ("char", 1), ("signed char", 1), ("unsigned short", 2), ("int", 4), ("long", 8),
    ("unsigned long long", 8), ("float", 4), ("double", 8), ("__half", 2), ("__nv_bfloat16", 2),
    ("__nv_fp8_e4m3", 1), ("__nv_fp8_e5m2", 1), ("__half2", 4), ("char3", 3), ("float2", 8), ("float3", 12),
    ("float4", 16), ("double2", 16), ("longlong2", 16), ("Mixed", 24), ("Three", 3), ("Packed", 5), ("Sixteen", 16),
    ("Wide", 128), ("Nested", 32), ("Derived", 32), ("Bits", 8), ("Small", 1), ("float*", 8), ("const void*", 8),
    ("Mixed*", 8),
)  # fmt: skip


def signatures():
    """Each type between two that do not align it, and random lists."""
    chosen = random.Random(17)
    names = [name for name, _ in TYPES]
    rows = [["char", name, "char"] for name in names]
    return [*rows, *([chosen.choice(names) for _ in range(chosen.randint(1, 9))] for _ in range(40))]


SIGNATURES = signatures()
SOURCE = PREAMBLE + "\n".join(
    f"__global__ void k{i}({', '.join(f'{t} p{j}' for j, t in enumerate(types))}) {{}}"
    for i, types in enumerate(SIGNATURES)
)


@pytest.fixture(scope="module", params=ARCHITECTURES)
def lib(request):
    return sb.compile(SOURCE, dialect="cuda", arch=request.param, name="parameters")


def places_of(lib):
    code = Path(lib.__file__).read_bytes()
    return {f.name: sb.kernel_arguments(code, f.symbol) for f in lib.__model__.functions}


# The same for HIP, whose small floats have names of their own.
HIP_PREAMBLE = "#include <samebytes/hip.hpp>\n" + PREAMBLE.partition("#include <cuda_fp8.h>\n")[2]
_OF_HIP = {
    "__nv_bfloat16": "samebytes::hip::bfloat16", "__nv_fp8_e4m3": "samebytes::hip::float8e4m3",
    "__nv_fp8_e5m2": "samebytes::hip::float8e5m2",
}  # fmt: skip


def hip_source():
    """The signatures with HIP's types, and their source."""
    kept = [[_OF_HIP.get(t, t) for t in types] for types in SIGNATURES]
    kernels = (
        f"__global__ void k{i}({', '.join(f'{t} p{j}' for j, t in enumerate(types))}) {{}}"
        for i, types in enumerate(kept)
    )
    return kept, HIP_PREAMBLE + "\n".join(kernels)


def agrees(dialect, arch):
    """Every signature has the sizes and places that HIP's compiler records, and nothing else is accepted."""
    kept, source = hip_source()
    lib = sb.compile(source, dialect=dialect, arch=arch, name="parameters")
    assert len(kept) >= 60
    assert not [s for s in lib.__skipped__ if s.kind == "kernel"]
    check_sizes(lib, kept)
    check_mutations(lib, dialect)


def test_every_signature_is_bound_and_has_the_sizes_of_the_compiler(lib):
    assert not [s for s in lib.__skipped__ if s.kind == "kernel"]
    assert len(SIGNATURES) >= 60
    check_sizes(lib, SIGNATURES)


def check_sizes(lib, signatures):
    found = places_of(lib)
    sizes = dict(TYPES)
    sizes |= {ours: sizes[name] for name, ours in _OF_HIP.items()}
    assert len(found) == len(signatures)
    for i, types in enumerate(signatures):
        assert [p.size for p in found[f"k{i}"]] == [sizes[t] for t in types]


def test_every_mutation_of_number_size_or_offset_is_refused(lib):
    check_mutations(lib, "cuda")


def check_mutations(lib, dialect):
    found = places_of(lib)
    for kernel in lib.__model__.functions:
        linked, places = lib.__linker__.signature(kernel), found[kernel.name]
        checking.check_kernel(linked, places, dialect)
        with pytest.raises(
            sb.LayoutError, match=rf"has {len(places)} parameters, and its compiled code {len(places) - 1}"
        ):
            checking.check_kernel(linked, places[:-1], dialect)
        with pytest.raises(sb.LayoutError, match="parameters, and its compiled code"):
            checking.check_kernel(linked, (*places, places[-1]), dialect)
        widest = 0
        for at, place in enumerate(places):
            name = f"parameter {at + 1} 'p{at}'"
            widest = max(widest, layout(linked.parameters[at].value_type, dialect).align)
            for size in (place.size - 1, place.size + 1, 2 * place.size):
                wrong = (*places[:at], replace(place, size=size), *places[at + 1 :])
                words = f"{re.escape(name)}.*has {place.size} bytes, and in its compiled code {size}"
                with pytest.raises(sb.LayoutError, match=words):
                    checking.check_kernel(linked, wrong, dialect)
            if widest <= 16:  # beyond, the offset is the architecture's
                wrong = (*places[:at], replace(place, offset=place.offset + 4), *places[at + 1 :])
                words = f"{re.escape(name)}.*at byte {place.offset}, and in its compiled code at {place.offset + 4}"
                with pytest.raises(sb.LayoutError, match=words):
                    checking.check_kernel(linked, wrong, dialect)


def test_code_of_another_source_is_not_bound(tmp_path):
    """As where a build's files were exchanged: the library is not made."""
    from samebytes.launch.code import Image
    from samebytes.launch.opening import open_kernels

    ours = sb.compile("__global__ void k(float a, float* p) {}", dialect="cuda", arch="sm_80", name="ours")
    other = sb.compile("__global__ void k(double a, float* p) {}", dialect="cuda", arch="sm_80")
    symbol = other.__model__.functions[-1].symbol
    module = ours.__model__
    mixed = replace(module, functions=tuple(replace(f, symbol=symbol) for f in module.functions))
    images = [Image(Path(other.__file__).read_bytes(), "sm_80")]
    with pytest.raises(
        sb.LayoutError, match=r"k\(\) parameter 1 'a' \(float\) has 4 bytes, and in its compiled code 8"
    ):
        open_kernels("mixed", mixed, ours.__linker__, images, lambda name: ())
    gone = replace(module, functions=(Signature("h", "h", (), VOID, "void", symbol="h"),))
    with pytest.raises(sb.LayoutError, match=r"h\(\) is not in the compiled code"):
        open_kernels("gone", gone, ours.__linker__, images, lambda name: ())


@pytest.mark.hardware
def test_the_bytes_of_a_launch_are_those_of_the_types(fake):
    types = ("char", "Mixed", "Three", "__half", "Wide", "__nv_fp8_e4m3", "Bits", "double")
    source = f"{PREAMBLE}__global__ void k({', '.join(types)}) {{}}"
    lib = fake.knows(sb.compile(source, dialect="cuda", name="bytes"))
    three, mixed = lib.Three(b"xyz"), lib.Mixed(b"a", 2.5, -3)
    bits = lib.Bits(a=5, b=100, c=-1)
    lib.k[1, 1](b"c", mixed, three, 1.5, lib.Wide(tuple(range(20))), 448.0, bits, 0.1)
    assert fake.launches[-1].data == [
        b"c",
        b"a" + bytes(7) + struct.pack("<dh", 2.5, -3) + bytes(6),
        b"xyz",
        struct.pack("<e", 1.5),
        np.arange(20, dtype=np.int32).tobytes() + bytes(48),
        b"\x7e",
        struct.pack("<Ii", 5 | 100 << 3, -1),
        struct.pack("<d", 0.1),
    ]
