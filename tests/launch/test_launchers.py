"""What other launchers get wrong, row by row: here it is right, or refused in words and not launched.

Rows are named after what others do (cuda.core 1.2, CuPy 14, ROCm 7); those of dpctl: ``tests/sycl/kernel_cases.py``.
"""

import ctypes
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

import samebytes as sb

pytestmark = [pytest.mark.full, pytest.mark.filterwarnings("ignore::samebytes.BindWarning")]

COMMON = """
struct Pair { float x; double y; };
struct alignas(64) Wide { int n[3]; };
struct Three { char a[3]; };
__global__ void real(float a, double* out) { out[0] = a; }
__global__ void whole(long n, int m, double* out) { out[0] = n; out[1] = m; }
__global__ void pair(char a, Pair p, char b, double* out) { out[0] = p.x; out[1] = p.y; out[2] = b; }
__global__ void three(char a, Three t, char b, double* out) { out[0] = t.a[2]; out[1] = b; }
__global__ void wide(char a, Wide w, char b, double* out) { out[0] = w.n[2]; out[1] = b; }
__global__ void first(const float* p, double* out) { out[0] = p ? p[0] : -1; out[1] = p ? p[1] : -1; }
__global__ void pairs(char a, __half2 h, char b, double* out) {
  out[0] = __low2float(h); out[1] = __high2float(h); out[2] = b;
}
"""
CUDA = """
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <cuda/std/complex>
""" + COMMON + """
__global__ void brain(__nv_bfloat16 a, double* out) { out[0] = __bfloat162float(a); }
__global__ void brains(char a, __nv_bfloat162 h, char b, double* out) {
  out[0] = __low2float(h); out[1] = __high2float(h); out[2] = b;
}
__global__ void complex(char a, cuda::std::complex<float> z, char b, double* out) {
  out[0] = z.real(); out[1] = z.imag(); out[2] = b;
}
__global__ void small(char a, cuda::std::complex<__half> z, double* out) { out[0] = __half2float(z.real()); }
"""  # fmt: skip
HIP = "#include <hip/hip_fp16.h>\n" + COMMON


class Fields(ctypes.Structure):
    _fields_ = (("x", ctypes.c_float), ("y", ctypes.c_double))


RECORD = np.zeros(1, np.dtype([("x", "f4"), ("y", "f8")], align=True))
RECORD["x"], RECORD["y"] = 1.5, 2.5
PAIR = [1.5, 2.5, 98]
_NO = sb.ArgumentError


def strided(f):
    return type(f([1.0]))(np.arange(8, dtype="f4")[::2])


# What happens elsewhere: the kernel, its arguments without the last, and what it reads, or what is said.
ROWS = {
    "cuda.core: a float is eight bytes, and a float parameter reads 0": ("real", lambda f, k: (2.5,), [2.5]),
    "CuPy: a float is a double": ("real", lambda f, k: (-0.25,), [-0.25]),
    "CuPy: an int is an int64": ("whole", lambda f, k: (-5, 7), [-5, 7]),
    "an int that is too large": ("whole", lambda f, k: (1, 2**31), (sb.RangeError, "argument 2 'm'")),
    "cuda.core refuses np.void": ("pair", lambda f, k: (b"a", RECORD[0], b"b"), PAIR),
    "np.void without fields": (
        "pair", lambda f, k: (b"a", np.void(bytes(16)), b"b"), (_NO, "'p'.*the dtype has no fields, and not x, y"),
    ),
    "cuda.core refuses tuples": ("pair", lambda f, k: (b"a", (1.5, 2.5), b"b"), PAIR),
    "a struct of the library": ("pair", lambda f, k: (b"a", k.Pair(1.5, 2.5), b"b"), PAIR),
    "cuda.core refuses ctypes structs": (
        "pair", lambda f, k: (b"a", Fields(1.5, 2.5), b"b"), (_NO, r"'p'.*Pair\(\.\.\.\) builds one"),
    ),
    "a struct of three bytes": ("three", lambda f, k: (b"a", (b"xyz",), b"b"), [ord("z"), 98]),
    "cuda.core refuses None": ("first", lambda f, k: (None,), [-1, -1]),
    "None is no number": ("real", lambda f, k: (None,), (_NO, "'a'.*got None")),
    "a ctypes number of another kind": ("whole", lambda f, k: (ctypes.c_float(1), 1), (_NO, "'n'.*got c_float")),
    "CuPy: a view is its address": ("first", lambda f, k: (strided(f),), (sb.ArrayError, "not contiguous")),
    "CuPy: an array of another type is its address": (
        "first", lambda f, k: (f(np.zeros(2)),), (sb.ArrayError, "the elements must be float32"),
    ),
    "ROCm: too few arguments": ("whole", lambda f, k: (1,), (TypeError, "got 2 arguments")),
    "ROCm: too many arguments": ("whole", lambda f, k: (1, 2, 3), (TypeError, "got 4 arguments")),
    "ROCm: a number for an address": ("first", lambda f, k: (4096,), (_NO, r"'p'.*sb\.Pointer\(address\) says")),
    "over-aligned parameters": ("wide", lambda f, k: (b"a", ((1, 2, 3),), b"b"), [3, 98]),
}  # fmt: skip
ROWS_OF_CUDA = {
    "cuda.core refuses bf16": ("brain", lambda f, k: (ml_dtypes.bfloat16(2.5),), [2.5]),
    "a float for a bf16": ("brain", lambda f, k: (2.5,), [2.5]),
    "__half2, by hidden pointer in functions": ("pairs", lambda f, k: (b"a", (1.5, 2.5), b"b"), PAIR),
    "__nv_bfloat162": ("brains", lambda f, k: (b"a", (1.5, 2.5), b"b"), PAIR),
    "cuda::std::complex<float>": ("complex", lambda f, k: (b"a", 1.5 + 2.5j, b"b"), PAIR),
    "cuda::std::complex<__half>": ("small", lambda f, k: (b"a", 1 + 2j), (_NO, "cuda::std::complex<__half>")),
}


def check(row, lib, device):
    name, given, expected = row
    out = device.array(np.zeros(3))
    launch = getattr(lib, name)[1, 1]
    if isinstance(expected, list):
        launch(*given(device.array, lib), out)
        assert out.array.tolist()[: len(expected)] == expected
        return
    with pytest.raises(expected[0], match=f"(?s){name}\\(\\).*{expected[1]}"):
        launch(*given(device.array, lib), out)
    assert not device.launches


@pytest.mark.hardware
@pytest.mark.parametrize("row", ROWS | ROWS_OF_CUDA)
def test_of_cuda(row, fake):
    check((ROWS | ROWS_OF_CUDA)[row], fake.knows(sb.compile(CUDA, dialect="cuda", name="launchers")), fake)


def test_of_hip(hip):
    lib = hip.knows(sb.compile(HIP, dialect="hip", name="launchers_hip"), HIP)
    for row in ROWS.values():
        hip.launches.clear()
        check(row, lib, hip)
    # g++, which runs the kernels, has no __half2 of HIP's: what reaches the driver is looked at.
    with hip.capture(9) as recorded:
        lib.pairs[1, 1, 9](b"a", (1.5, 2.5), b"b", None)
    assert recorded[0].data[1] == np.array([1.5, 2.5], "f2").tobytes()


# Bytes from a char to the parameter behind it that is aligned by 64, as the compiler records them.
BEHIND = {"sm_80": 32, "sm_90": 48, "sm_100": 64, "sm_120": 64}


@pytest.mark.parametrize("arch", BEHIND)
def test_where_over_aligned_parameters_lie_is_the_architectures(arch):
    """Its driver gets an address for each parameter, and nobody computes their places."""
    lib = sb.compile(CUDA, dialect="cuda", arch=arch, name="launchers")
    symbol = next(f.symbol for f in lib.__model__.functions if f.name == "wide")
    places = sb.kernel_arguments(Path(lib.__file__).read_bytes(), symbol)
    assert [place.size for place in places] == [1, 64, 1, 8]
    wide = BEHIND[arch]
    assert [place.offset for place in places] == [0, wide, wide + 64, wide + 72]


def test_structs_that_begin_by_themselves_are_no_kernels_left_out(recwarn):
    """A16: their constructors are for the code of kernels."""
    lib = sb.compile(
        "struct B { int x = 3; }; struct E {};\n__global__ void k(B b, E e) {}",
        dialect="cuda",
        name="begun",
        arch="sm_80",
    )
    assert [str(skipped) for skipped in lib.__skipped__] == []
    assert not [str(w.message) for w in recwarn if issubclass(w.category, sb.BindWarning)]
