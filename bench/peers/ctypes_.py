"""ctypes: declared argument types, ndpointer for NumPy, data_ptr for torch."""

from __future__ import annotations

import ctypes
from pathlib import Path

from numpy.ctypeslib import ndpointer

from cases import A1, A2, SUN, Call, Data, array_calls
from peers.base import BENCH, Peer, build_library


class Sun(ctypes.Structure):
    _fields_ = [("azimuth", ctypes.c_float), ("altitude", ctypes.c_float), ("cell", ctypes.c_double)]


def prepare(build: Path, data: Data) -> dict[str, Call]:
    source = (BENCH / "exports.cpp").read_text()
    path = str(build_library(build, "exports", source, flags=["-fvisibility=default"]))
    array = ndpointer("float32", ndim=1, flags="C_CONTIGUOUS")
    output = ndpointer("float32", ndim=1, flags="C_CONTIGUOUS,WRITEABLE")
    float_, int32, int64 = ctypes.c_float, ctypes.c_int32, ctypes.c_int64

    def declare(name: str, result: type | None, *parameters: type):
        # A fresh handle per declaration: the same symbol is declared once for arrays and once for addresses.
        function = ctypes.CDLL(path)[name]
        function.restype, function.argtypes = result, parameters
        return function

    a1, a2 = declare("a1", ctypes.c_double, ctypes.c_double), declare("a2", float_, int32, float_)
    b_array, b_address = declare("b", float_, array, int64), declare("b", float_, ctypes.c_void_p, int64)
    c_array = declare("c", None, array, array, output, int64, float_, int32)
    c_address = declare("c", None, *[ctypes.c_void_p] * 3, int64, float_, int32)

    def b(x):
        return b_array(x, x.size)

    def c(x, y, out, scale, shift):
        c_array(x, y, out, x.size, scale, shift)

    def b_torch(x):
        return b_address(x.data_ptr(), x.numel())

    def c_torch(x, y, out, scale, shift):
        c_address(x.data_ptr(), y.data_ptr(), out.data_ptr(), x.numel(), scale, shift)

    calls = {"a1": (a1, A1), "a2": (a2, A2), "d": (declare("d", ctypes.c_double, Sun), (Sun(*SUN),))}
    calls |= array_calls([("1", data.arrays)], b, c)
    return calls | (array_calls([("2", data.tensors)], b_torch, c_torch) if data.tensors else {})


PEERS = (Peer("ctypes", prepare, ("numpy",), "released"),)
