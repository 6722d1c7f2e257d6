"""Kernels of SYCL with each type and with random lists of them: every byte of every argument is what Python gave."""

from __future__ import annotations

import random
import re
import struct
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import samebytes as sb
from samebytes.launch.checking import check_sycl_kernel, compiled_as
from samebytes.launch.sycl import SyclCode
from samebytes.toolchain import spirv

pytest.importorskip("dpctl")
PREAMBLE = """
#include <sycl/sycl.hpp>
#include <samebytes/array.hpp>
using sycl::ext::oneapi::bfloat16;
#define KERNEL \\
  SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((sycl::ext::oneapi::experimental::nd_range_kernel<1>)) SYCL_EXTERNAL
struct Mixed { char a; double b; short c; };
struct Three { char a[3]; };
struct __attribute__((packed)) Packed { char a; int b; };
struct alignas(16) Sixteen { float x; };
struct alignas(64) Wide { int n[20]; };
struct Nested { Three t; Mixed m; };
struct Bits { unsigned a : 3; unsigned b : 7; int c; };
struct View { float* data; int n; };
enum class Small : unsigned char { one = 1 };
template <class T> void put(unsigned char*& out, const T& value) {
  const auto* bytes = reinterpret_cast<const unsigned char*>(&value);
  for (unsigned i = 0; i < sizeof(T); ++i) *out++ = bytes[i];
}
"""


def packed(form, *values):
    """The bytes of a value, and which of them count: ``x`` in the form is padding."""
    data = struct.pack(f"<{form}", *values)
    counts = np.ones(len(data), bool)
    place = 0
    for count, letter in re.findall(r"(\d*)([a-zA-Z?])", form):
        size = struct.calcsize(f"<{count}{letter}")
        counts[place : place + size] = letter != "x"
        place += size
    assert place == len(data)
    return data, counts


# A type of C++: what Python gives for it, and its bytes.
TYPES = {
    "bool": lambda lib, x: (True, packed("?", True)),
    "char": lambda lib, x: ("c", packed("c", b"c")),
    "signed char": lambda lib, x: (-5, packed("b", -5)),
    "unsigned short": lambda lib, x: (65535, packed("H", 65535)),
    "int": lambda lib, x: (-(2**31), packed("i", -(2**31))),
    "long": lambda lib, x: (2**40 + 1, packed("q", 2**40 + 1)),
    "unsigned long long": lambda lib, x: (2**64 - 2, packed("Q", 2**64 - 2)),
    "float": lambda lib, x: (0.1, packed("f", 0.1)),
    "double": lambda lib, x: (0.1, packed("d", 0.1)),
    "sycl::half": lambda lib, x: (-1.5, packed("e", -1.5)),
    "bfloat16": lambda lib, x: (2.5, packed("H", 0x4020)),
    "sycl::char3": lambda lib, x: (sb.int8x3(1, -2, 3), packed("3bx", 1, -2, 3)),
    "sycl::short2": lambda lib, x: (sb.int16x2(1, -2), packed("2h", 1, -2)),
    "sycl::float2": lambda lib, x: (sb.float32x2(1, 2), packed("2f", 1, 2)),
    "sycl::float3": lambda lib, x: (sb.float32x3(1, 2, 3), packed("3f4x", 1, 2, 3)),
    "sycl::float4": lambda lib, x: (sb.float32x4(1, 2, 3, 4), packed("4f", 1, 2, 3, 4)),
    "sycl::double2": lambda lib, x: (sb.float64x2(1, 2), packed("2d", 1, 2)),
    "sycl::long4": lambda lib, x: (sb.int64x4(1, 2, 3, -4), packed("4q", 1, 2, 3, -4)),
    "sycl::half2": lambda lib, x: (sb.float16x2(1, 2), packed("2e", 1, 2)),
    "Mixed": lambda lib, x: (lib.Mixed(b"a", 2.5, -3), packed("c7xdh6x", b"a", 2.5, -3)),
    "Three": lambda lib, x: (lib.Three(b"xyz"), packed("3s", b"xyz")),
    "Packed": lambda lib, x: (lib.Packed(b"p", -7), packed("ci", b"p", -7)),
    "Sixteen": lambda lib, x: (lib.Sixteen(0.25), packed("f12x", 0.25)),
    "Wide": lambda lib, x: (lib.Wide(tuple(range(20))), packed("20i48x", *range(20))),
    "Nested": lambda lib, x: (
        lib.Nested(lib.Three(b"uvw"), lib.Mixed(b"m", -1.0, 9)), packed("3s5xc7xdh6x", b"uvw", b"m", -1.0, 9)
    ),
    "Bits": lambda lib, x: (lib.Bits(a=5, b=100, c=-1), packed("H2xi", 5 | 100 << 3, -1)),
    "View": lambda lib, x: (lib.View(x, 12), packed("Qi4x", int(x), 12)),
    "Small": lambda lib, x: (lib.Small.one, packed("B", 1)),
    "float *": lambda lib, x: (x, packed("Q", int(x))),
    "const void *": lambda lib, x: (None, packed("Q", 0)),
    "samebytes::array<const float, 1>": lambda lib, x: (x, packed("Qqq", int(x), 12, 1)),
    "samebytes::array<float, 2>": lambda lib, x: (x.reshape(3, 4), packed("Q4q", int(x), 3, 4, 4, 1)),
    "samebytes::array<float, 4>": lambda lib, x: (
        x.reshape(1, 3, 2, 2), packed("Q8q", int(x), 1, 3, 2, 2, 12, 4, 2, 1)
    ),
}  # fmt: skip


def signatures():
    """Each type between two that do not align it, and random lists."""
    chosen = random.Random(17)
    rows = [["char", name, "char"] for name in TYPES]
    return [*rows, *([chosen.choice(list(TYPES)) for _ in range(chosen.randint(1, 9))] for _ in range(40))]


SIGNATURES = signatures()
SOURCE = PREAMBLE + "\n".join(
    f"KERNEL void k{i}(unsigned char* out, {', '.join(f'{t} p{j}' for j, t in enumerate(types))}) "
    f"{{ {' '.join(f'put(out, p{j});' for j in range(len(types)))} }}"
    for i, types in enumerate(SIGNATURES)
)


@pytest.fixture(scope="module")
def lib():
    return sb.compile(SOURCE, dialect="sycl", name="signatures")


def test_there_are_sixty():
    assert len(SIGNATURES) >= 60


@pytest.mark.parametrize("number", range(len(SIGNATURES)))
def test_the_bytes_of_a_launch_are_those_of_the_arguments(lib, number):
    x = sb.DeviceArray.from_host(np.zeros(12, "f4"), device="sycl")
    made = [TYPES[name](lib, x) for name in SIGNATURES[number]]
    wanted, counts = (np.concatenate(parts) for parts in zip(
        *((np.frombuffer(data, "u1"), mask) for _, (data, mask) in made), strict=True))  # fmt: skip
    out = sb.DeviceArray.from_host(np.zeros(len(wanted) + 8, "u1"), device="sycl")
    getattr(lib, f"k{number}")[1](out, *(value for value, _ in made))
    got = out.copy_to_host()
    assert got[: len(wanted)][counts].tobytes() == wanted[counts].tobytes()
    assert not got[len(wanted) :].any()


def test_every_mutation_of_number_size_or_kind_is_refused(lib):
    code = SyclCode(spirv.unpacked(Path(lib.__file__).read_bytes()))
    for kernel in lib.__model__.functions:
        linked, found = lib.__linker__.signature(kernel), code.parameters[kernel.symbol]
        check_sycl_kernel(linked, found)
        assert found == tuple(part for p in linked.parameters for part in compiled_as(p))
        count = len(found)
        for wrong, said in ((found[:-1], count - 1), ((*found, spirv.Parameter(4)), count + 1)):
            with pytest.raises(
                sb.LayoutError, match=rf"has {count} parameters, and its compiled code {said}"
            ):
                check_sycl_kernel(linked, wrong)
        for at, part in enumerate(found):
            kinds = {"value", "pointer", "local"} - {part.kind}
            others = [replace(part, size=size) for size in (part.size - 1, part.size + 1, 2 * part.size)]
            for other in (*others, *(replace(part, kind=kind) for kind in kinds)):
                name = re.escape(linked.parameters[at].name)
                with pytest.raises(sb.LayoutError, match=f"parameter '{name}'.*has {part.size} bytes"):
                    check_sycl_kernel(linked, (*found[:at], other, *found[at + 1 :]))
