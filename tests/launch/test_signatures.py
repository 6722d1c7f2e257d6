"""Many signatures on the drivers of the tests: what a kernel reads of each parameter is what the call gave."""

import random

import ml_dtypes
import numpy as np
import pytest
from test_parameters import HIP_PREAMBLE, PREAMBLE

import samebytes as sb

pytestmark = pytest.mark.full

_whole = random.Random(5)


def whole(low, high):
    return _whole.randint(low, high)


def half(low=-100, high=100):
    return whole(low, high) / 4


def _each(count, of):
    return tuple(of() for _ in range(count))


def _mixed():
    return (bytes([whole(0, 127)]), half(), whole(-3000, 3000))


def _told_mixed(v):
    return [v[0][0], v[1], v[2]]


# C++: what to give, what a kernel reads of it, and what that is.
TYPES = {
    "bool": (lambda: bool(whole(0, 1)), ("{}",), lambda v: [v]),
    "char": (lambda: bytes([whole(0, 127)]), ("{}",), lambda v: [v[0]]),
    "signed char": (lambda: whole(-128, 127), ("{}",), lambda v: [v]),
    "unsigned short": (lambda: whole(0, 65535), ("{}",), lambda v: [v]),
    "int": (lambda: whole(-(2**31), 2**31 - 1), ("{}",), lambda v: [v]),
    "long": (lambda: whole(-(2**52), 2**52), ("{}",), lambda v: [v]),
    "unsigned long long": (lambda: whole(0, 2**53), ("{}",), lambda v: [v]),
    "float": (half, ("{}",), lambda v: [v]),
    "double": (lambda: whole(0, 10**9) / 7, ("{}",), lambda v: [v]),
    "__half": (half, ("__half2float({})",), lambda v: [v]),
    "char3": (lambda: _each(3, lambda: whole(-128, 127)), ("{}.x", "{}.y", "{}.z"), list),
    "float2": (lambda: _each(2, half), ("{}.x", "{}.y"), list),
    "float3": (lambda: _each(3, half), ("{}.x", "{}.y", "{}.z"), list),
    "float4": (lambda: _each(4, half), ("{}.x", "{}.y", "{}.z", "{}.w"), list),
    "double2": (lambda: _each(2, half), ("{}.x", "{}.y"), list),
    "longlong2": (lambda: _each(2, lambda: whole(-(2**50), 2**50)), ("{}.x", "{}.y"), list),
    "Mixed": (_mixed, ("{}.a", "{}.b", "{}.c"), _told_mixed),
    "Three": (lambda: (_each(3, lambda: whole(0, 127)),), ("{}.a[0]", "{}.a[1]", "{}.a[2]"), lambda v: list(v[0])),
    "Packed": (lambda: (b"p", whole(-(2**31), 2**31 - 1)), ("{}.a", "{}.b"), lambda v: [v[0][0], v[1]]),
    "Sixteen": (lambda: (half(),), ("{}.x",), list),
    "Wide": (lambda: (_each(20, lambda: whole(-99, 99)),), ("{}.n[0]", "{}.n[19]"), lambda v: [v[0][0], v[0][19]]),
    "Nested": (
        lambda: ((_each(3, lambda: whole(0, 127)),), _mixed()), ("{}.t.a[2]", "{}.m.a", "{}.m.b", "{}.m.c"),
        lambda v: [v[0][0][2], *_told_mixed(v[1])],
    ),
    "Bits": (lambda: (whole(0, 7), whole(0, 127), whole(-9, 9)), ("{}.a", "{}.b", "{}.c"), list),
    "Small": (lambda: None, ("(int){}",), lambda v: [1]),
    "float*": (lambda: np.array([half(), half()], np.float32), ("{}[1]",), lambda v: [v[1]]),
}  # fmt: skip
OF_CUDA = {
    "__nv_bfloat16": (half, ("__bfloat162float({})",), lambda v: [float(ml_dtypes.bfloat16(v))]),
    "__nv_fp8_e4m3": (
        lambda: half(-8, 8), ("{}.__x",), lambda v: [int(np.array(v, ml_dtypes.float8_e4m3fn).view(np.uint8))],
    ),
    "__nv_fp8_e5m2": (
        lambda: half(-8, 8), ("{}.__x",), lambda v: [int(np.array(v, ml_dtypes.float8_e5m2).view(np.uint8))],
    ),
    "__half2": (lambda: _each(2, half), ("__low2float({})", "__high2float({})"), list),
    "samebytes::array<float, 1>": (
        lambda: np.array([half(), half(), half()], np.float32), ("{}.shape[0]", "{}.strides[0]", "{}.data[2]"),
        lambda v: [3, 1, v[2]],
    ),
    "samebytes::array<const float, 2>": (
        lambda: np.array([[half(), half()]] * 3, np.float32), ("{}.shape[0]", "{}.strides[0]", "{}.data[1]"),
        lambda v: [3, 2, v[0, 1]],
    ),
}  # fmt: skip


def signatures(types):
    """Each type between two that do not align it, and random lists."""
    chosen = random.Random(23)
    rows = [["char", name, "char"] for name in types]
    return [*rows, *([chosen.choice(list(types)) for _ in range(chosen.randint(2, 7))] for _ in range(40))]


def source(preamble, types):
    kernels = []
    for i, row in enumerate(signatures(types)):
        given = ", ".join(f"{name} p{j}" for j, name in enumerate(row))
        read = [e.format(f"p{j}") for j, name in enumerate(row) for e in types[name][1]]
        body = " ".join(f"out[{n}] = {e};" for n, e in enumerate(read))
        kernels.append(f"__global__ void k{i}({given}, double* out) {{ {body} }}")
    return preamble + "\n".join(kernels)


def check(lib, types, array):
    assert not [s for s in lib.__skipped__ if s.kind == "kernel"]
    rows = signatures(types)
    assert len(rows) >= 60
    for i, row in enumerate(rows):
        values = [types[name][0]() if name != "Small" else lib.Small.one for name in row]
        wanted = [float(n) for name, value in zip(row, values, strict=True) for n in types[name][2](value)]
        out = array(np.zeros(len(wanted)))
        held = [array(v) if isinstance(v, np.ndarray) else v for v in values]
        getattr(lib, f"k{i}")[1, 1](*held, out)
        assert out.array.tolist() == wanted, (row, values)


@pytest.mark.hardware
def test_on_cuda(fake):
    types = TYPES | OF_CUDA
    preamble = PREAMBLE + "#include <samebytes/array.hpp>\n"
    check(
        fake.knows(sb.compile(source(preamble, types), dialect="cuda", name="signatures")), types, fake.array
    )


def test_on_hip(hip):
    text = source(HIP_PREAMBLE, TYPES)
    check(hip.knows(sb.compile(text, dialect="hip", name="signatures_hip"), text), TYPES, hip.array)
