"""cffi: API mode (compiled) and ABI mode (dlopen), from_buffer for NumPy, data_ptr for torch."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from cases import A1, A2, SUN, Call, Data, array_calls
from peers.base import BENCH, Peer, build_extension, build_library

DECLARATIONS = """
typedef struct Sun { float azimuth, altitude; double cell; } Sun;
double a1(double x);
float a2(int32_t i, float x);
float b(const float* x, int64_t n);
void c(const float* x, const float* y, float* out, int64_t n, float scale, int32_t shift);
double d(Sun sun);
"""


def _api(build: Path) -> tuple[Any, Any]:
    from cffi import FFI

    ffi = FFI()
    ffi.cdef(DECLARATIONS)
    ffi.set_source("cffi_calls", (BENCH / "exports.cpp").read_text(), source_extension=".cpp")
    text = build / "cffi" / "cffi_calls.cpp"
    text.parent.mkdir(parents=True, exist_ok=True)
    ffi.emit_c_code(str(text))
    module = build_extension(build, "cffi_calls", text.read_text())
    return module.ffi, module.lib


def _abi(build: Path) -> tuple[Any, Any]:
    from cffi import FFI

    ffi = FFI()
    ffi.cdef(DECLARATIONS)
    source = (BENCH / "exports.cpp").read_text()
    return ffi, ffi.dlopen(str(build_library(build, "exports", source, flags=["-fvisibility=default"])))


def preparing(load: Callable[[Path], tuple[Any, Any]]) -> Callable[[Path, Data], dict[str, Call]]:
    """A `prepare` over one of the two modes."""

    def prepare(build: Path, data: Data) -> dict[str, Call]:
        ffi, lib = load(build)
        from_buffer, cast = ffi.from_buffer, ffi.cast
        array, pointer = ffi.typeof("float[]"), ffi.typeof("float*")
        b_, c_ = lib.b, lib.c

        def b(x):
            return b_(from_buffer(array, x), x.size)

        def c(x, y, out, scale, shift):
            inputs = from_buffer(array, x), from_buffer(array, y)
            c_(*inputs, from_buffer(array, out, require_writable=True), x.size, scale, shift)

        def b_torch(x):
            return b_(cast(pointer, x.data_ptr()), x.numel())

        def c_torch(x, y, out, scale, shift):
            addresses = (
                cast(pointer, x.data_ptr()),
                cast(pointer, y.data_ptr()),
                cast(pointer, out.data_ptr()),
            )
            c_(*addresses, x.numel(), scale, shift)

        sun = ffi.new("Sun*", SUN)
        calls = {"a1": (lib.a1, A1), "a2": (lib.a2, A2), "d": (lib.d, (sun[0],)), "d_tuple": (lib.d, (SUN,))}
        calls |= array_calls([("1", data.arrays)], b, c)
        return calls | (array_calls([("2", data.tensors)], b_torch, c_torch) if data.tensors else {})

    return prepare


PEERS = (
    Peer("cffi, API mode", preparing(_api), ("cffi",), "released"),
    Peer("cffi, ABI mode", preparing(_abi), ("cffi",), "released"),
)
