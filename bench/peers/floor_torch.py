"""The floors for torch tensors: hard-coded against torch's C++ API, and through the DLPack exchange API."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from cases import EXCHANGE_FLOOR, TORCH_FLOOR, Call, Data, array_calls
from peers.base import LeftOut, Peer, build_extension

CXX = r"""
#include <torch/csrc/autograd/python_variable.h>
#include "floor.hpp"

static inline bool as_array(PyObject* o, bool writable, Array* out) {
  if (!THPVariable_CheckExact(o)) return refuse("expected a torch.Tensor");
  const c10::TensorImpl* t = THPVariable_Unpack(o).unsafeGetTensorImpl();
  c10::IntArrayRef shape = t->sizes();
  if (!t->is_cpu() || t->layout() != at::kStrided || t->dtype() != caffe2::TypeMeta::Make<float>() ||
      shape.size() != 1 || t->is_neg() || t->requires_grad())
    return refuse("unsuitable tensor");
  const c10::Storage& storage = t->storage();
  if (!storage) return refuse("tensor without storage");
  // Writing goes through mutable_data, which ends copy-on-write sharing.
  auto* first = static_cast<float*>(writable ? storage.mutable_data() : const_cast<void*>(storage.data()));
  float* data = first + t->storage_offset();
  if (reinterpret_cast<uintptr_t>(data) % alignof(float)) return refuse("unaligned tensor");
  *out = {data, {uint64_t(shape[0])}, {uint64_t(t->strides()[0])}};
  return true;
}

static PyMethodDef functions[] = {function("b", b), function("c", c), {}};
static PyModuleDef module = {PyModuleDef_HEAD_INIT, "floor_torch_cxx", nullptr, -1, functions};
PyMODINIT_FUNC PyInit_floor_torch_cxx() { return PyModule_Create(&module); }
"""

EXCHANGE = r"""
#include <ATen/dlpack.h>
#include "floor.hpp"

static PyTypeObject* tensor_type;
static const DLPackExchangeAPI* api;

static inline bool as_array(PyObject* o, bool, Array* out) {
  if (Py_TYPE(o) != tensor_type) return refuse("expected a torch.Tensor");
  DLTensor t;
  if (api->dltensor_from_py_object_no_sync(o, &t)) return false;
  if (t.device.device_type != kDLCPU || t.dtype.code != kDLFloat || t.dtype.bits != 32 ||
      t.dtype.lanes != 1 || t.ndim != 1)
    return refuse("unsuitable tensor");
  auto* data = reinterpret_cast<float*>(static_cast<char*>(t.data) + t.byte_offset);
  if (reinterpret_cast<uintptr_t>(data) % alignof(float)) return refuse("unaligned tensor");
  *out = {data, {uint64_t(t.shape[0])}, {uint64_t(t.strides[0])}};
  return true;
}

static PyMethodDef functions[] = {function("b", b), function("c", c), {}};
static PyModuleDef module = {PyModuleDef_HEAD_INIT, "floor_torch_exchange", nullptr, -1, functions};

PyMODINIT_FUNC PyInit_floor_torch_exchange() {
  PyObject* torch = PyImport_ImportModule("torch");
  PyObject* type = torch ? PyObject_GetAttrString(torch, "Tensor") : nullptr;
  PyObject* capsule = type ? PyObject_GetAttrString(type, "__dlpack_c_exchange_api__") : nullptr;
  if (!capsule) return nullptr;
  tensor_type = reinterpret_cast<PyTypeObject*>(type);
  api = static_cast<const DLPackExchangeAPI*>(PyCapsule_GetPointer(capsule, "dlpack_exchange_api"));
  return api ? PyModule_Create(&module) : nullptr;
}
"""


def preparing(name: str, source: str, links: tuple[str, ...]) -> Callable[[Path, Data], dict[str, Call]]:
    """A `prepare` that builds one of the two sources against the installed torch."""

    def prepare(build: Path, data: Data) -> dict[str, Call]:
        if data.tensors is None:
            raise LeftOut("The floors for torch are left out: torch does not import.")
        import torch

        root = Path(torch.__file__).parent
        include = [root / "include", root / "include/torch/csrc/api/include"]
        abi = f"-D_GLIBCXX_USE_CXX11_ABI={int(torch.compiled_with_cxx11_abi())}"
        flags = [abi, "-std=c++20", f"-L{root / 'lib'}", *links, f"-Wl,-rpath,{root / 'lib'}"]
        lib = build_extension(build, name, source, include=include, flags=flags)
        return array_calls([("2", data.tensors)], lib.b, lib.c)

    return prepare


_LINKS = ("-ltorch_python", "-ltorch_cpu", "-lc10")
PEERS = (
    Peer(TORCH_FLOOR, preparing("floor_torch_cxx", CXX, _LINKS), ("torch",)),
    Peer(EXCHANGE_FLOOR, preparing("floor_torch_exchange", EXCHANGE, ()), ("torch",)),
)
