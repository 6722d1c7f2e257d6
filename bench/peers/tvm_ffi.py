"""tvm-ffi: typed functions over TensorView, a reflected object for the struct."""

from __future__ import annotations

from pathlib import Path

from cases import A1, A2, SUN, Call, Data, array_calls
from peers.base import Peer, build_library

SOURCE = r"""
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/reflection/registry.h>
#include "cases.hpp"

namespace ffi = tvm::ffi;

class SunObj : public ffi::Object {
 public:
  Sun value;
  SunObj(double azimuth, double altitude, double cell)
      : value{static_cast<float>(azimuth), static_cast<float>(altitude), cell} {}
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("bench.Sun", SunObj, ffi::Object);
};

class SunRef : public ffi::ObjectRef {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(SunRef, ffi::ObjectRef, SunObj);
};

static float* data(const ffi::TensorView& x) {
  DLDataType dtype = x.dtype();
  TVM_FFI_ICHECK(dtype.code == kDLFloat && dtype.bits == 32 && dtype.lanes == 1);
  TVM_FFI_ICHECK(x.device().device_type == kDLCPU && x.ndim() == 1 && x.IsContiguous());
  return static_cast<float*>(x.data_ptr());
}

static double a1(double x) { return work::a1(x); }
static double a2(int32_t i, float x) { return work::a2(i, x); }
static double b(ffi::TensorView x) { return work::b(data(x), x.size(0)); }
static void c(ffi::TensorView x, ffi::TensorView y, ffi::TensorView out, float scale, int32_t shift) {
  TVM_FFI_ICHECK(y.size(0) == x.size(0) && out.size(0) == x.size(0));
  work::c(data(x), data(y), data(out), x.size(0), scale, shift);
}
static double d(SunRef sun) { return work::d(sun->value); }

TVM_FFI_DLL_EXPORT_TYPED_FUNC(a1, a1)
TVM_FFI_DLL_EXPORT_TYPED_FUNC(a2, a2)
TVM_FFI_DLL_EXPORT_TYPED_FUNC(b, b)
TVM_FFI_DLL_EXPORT_TYPED_FUNC(c, c)
TVM_FFI_DLL_EXPORT_TYPED_FUNC(d, d)

TVM_FFI_STATIC_INIT_BLOCK() {
  namespace refl = tvm::ffi::reflection;
  refl::ObjectDef<SunObj>().def(refl::init<double, double, double>());
}
"""


def prepare(build: Path, data: Data) -> dict[str, Call]:
    import tvm_ffi

    shared = Path(tvm_ffi.libinfo.find_libtvm_ffi())
    flags = [str(shared), f"-Wl,-rpath,{shared.parent}"]
    include = tvm_ffi.libinfo.include_paths()
    module = tvm_ffi.load_module(
        str(build_library(build, "tvm_ffi_calls", SOURCE, include=include, flags=flags))
    )

    @tvm_ffi.register_object("bench.Sun")
    class Sun(tvm_ffi.Object):
        def __init__(self, azimuth: float, altitude: float, cell: float) -> None:
            self.__ffi_init__(azimuth, altitude, cell)

    functions = {name: module.get_function(name) for name in ("a1", "a2", "b", "c", "d")}
    for function in functions.values():
        function.release_gil = False
    calls = {"a1": (functions["a1"], A1), "a2": (functions["a2"], A2), "d": (functions["d"], (Sun(*SUN),))}
    return calls | array_calls(data.families(), functions["b"], functions["c"])


PEERS = (Peer("tvm-ffi", prepare, ("apache-tvm-ffi",), "held (release_gil=False)"),)
