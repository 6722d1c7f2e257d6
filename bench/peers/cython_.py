"""Cython: typed functions over NumPy's C API, and over typed memoryviews."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np

from cases import A1, A2, SUN, Call, Data, array_calls
from peers.base import LeftOut, Peer, build_extension

SOURCE = """
# cython: language_level=3, boundscheck=False, wraparound=False
cimport numpy as cnp
from libc.stdint cimport int32_t, int64_t

cnp.import_array()

cdef extern from "cases.hpp":
    struct CSun "Sun":
        float azimuth, altitude
        double cell
    double work_a1 "work::a1"(double x)
    float work_a2 "work::a2"(int32_t i, float x)
    float work_b "work::b"(const float* x, int64_t n)
    void work_c "work::c"(const float* x, const float* y, float* out, int64_t n, float scale, int32_t shift)
    double work_d "work::d"(CSun sun)


cdef class Sun:
    cdef CSun value

    def __init__(self, float azimuth, float altitude, double cell):
        self.value = CSun(azimuth, altitude, cell)


cdef inline float* address(cnp.ndarray x) noexcept:
    return <float*>cnp.PyArray_DATA(x)


cdef inline bint suits(cnp.ndarray x, int flags) noexcept:
    return (
        cnp.PyArray_TYPE(x) == cnp.NPY_FLOAT32 and cnp.PyArray_NDIM(x) == 1 and cnp.PyArray_CHKFLAGS(x, flags)
    )


def a1(double x):
    return work_a1(x)


def a2(int32_t i, float x):
    return work_a2(i, x)


def d(Sun sun not None):
    return work_d(sun.value)


def b(cnp.ndarray x not None):
    if not suits(x, cnp.NPY_ARRAY_CARRAY_RO):
        raise TypeError("x: expected contiguous float32[n]")
    return work_b(address(x), cnp.PyArray_DIM(x, 0))


def c(cnp.ndarray x not None, cnp.ndarray y not None, cnp.ndarray out not None, float scale, int32_t shift):
    cdef int readable = cnp.NPY_ARRAY_CARRAY_RO
    if not (suits(x, readable) and suits(y, readable) and suits(out, cnp.NPY_ARRAY_CARRAY)):
        raise TypeError("expected contiguous float32[n]")
    cdef int64_t n = cnp.PyArray_DIM(x, 0)
    if cnp.PyArray_DIM(y, 0) != n or cnp.PyArray_DIM(out, 0) != n:
        raise ValueError("lengths differ")
    work_c(address(x), address(y), address(out), n, scale, shift)


def b_view(const float[::1] x not None):
    return work_b(&x[0], x.shape[0])


def c_view(
    const float[::1] x not None, const float[::1] y not None, float[::1] out not None,
    float scale, int32_t shift,
):
    if y.shape[0] != x.shape[0] or out.shape[0] != x.shape[0]:
        raise ValueError("lengths differ")
    work_c(&x[0], &y[0], &out[0], x.shape[0], scale, shift)
"""


def _module(build: Path):
    folder = build / "cython"
    folder.mkdir(parents=True, exist_ok=True)
    source, target = folder / "cython_calls.pyx", folder / "cython_calls.cpp"
    if not target.exists() or source.read_text() != SOURCE:
        source.write_text(SOURCE)
        command = [sys.executable, "-m", "cython", "--cplus", str(source), "-o", str(target)]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            raise LeftOut(f"Cython is left out: {done.stderr.strip()[-2000:]}")
    return build_extension(build, "cython_calls", target.read_text(), include=[np.get_include()])


def prepare(build: Path, data: Data) -> dict[str, Call]:
    lib = _module(build)
    calls = {"a1": (lib.a1, A1), "a2": (lib.a2, A2), "d": (lib.d, (lib.Sun(*SUN),))}
    return calls | array_calls([("1", data.arrays)], lib.b, lib.c)


def prepare_views(build: Path, data: Data) -> dict[str, Call]:
    lib = _module(build)
    return array_calls([("1", data.arrays)], lib.b_view, lib.c_view)


PEERS = (
    Peer("Cython, NumPy C API", prepare, ("cython", "numpy")),
    Peer("Cython, memoryviews", prepare_views, ("cython", "numpy")),
)
