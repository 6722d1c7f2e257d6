"""The floor: a hard-coded METH_FASTCALL extension with full checks, the least that any binding can cost."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from cases import A1, A2, FLOOR, SUN, Call, Data, array_calls
from peers.base import Peer, build_extension

SOURCE = r"""
#include "floor.hpp"
#define NPY_NO_DEPRECATED_API NPY_2_0_API_VERSION
#include <numpy/arrayobject.h>

struct SunObject {
  PyObject_HEAD
  Sun value;
};
static PyTypeObject* sun_type;
static PyArray_Descr* float32;

static inline bool as_array(PyObject* o, bool writable, Array* out) {
  if (Py_TYPE(o) != &PyArray_Type) return refuse("expected a numpy.ndarray");
  auto* a = reinterpret_cast<PyArrayObject_fields*>(o);
  int need = NPY_ARRAY_ALIGNED | (writable ? NPY_ARRAY_WRITEABLE : 0);
  if (a->descr != float32 || a->nd != 1 || (a->flags & need) != need) return refuse("unsuitable array");
  int64_t stride = a->strides[0];
  if (stride % 4) return refuse("stride is no multiple of the element");
  *out = {reinterpret_cast<float*>(a->data), {uint64_t(a->dimensions[0])}, {uint64_t(stride / 4)}};
  return true;
}

static inline bool as_sun(PyObject* o, Sun* out) {
  if (Py_TYPE(o) == sun_type) {
    *out = reinterpret_cast<SunObject*>(o)->value;
    return true;
  }
  if (!PyTuple_CheckExact(o) || PyTuple_GET_SIZE(o) != 3) return refuse("expected a Sun");
  return as_float(PyTuple_GET_ITEM(o, 0), &out->azimuth) &&
         as_float(PyTuple_GET_ITEM(o, 1), &out->altitude) && as_double(PyTuple_GET_ITEM(o, 2), &out->cell);
}

static PyObject* a1(PyObject*, PyObject* const* args, Py_ssize_t n) {
  double x;
  if (!count(n, 1) || !as_double(args[0], &x)) return nullptr;
  return PyFloat_FromDouble(work::a1(x));
}

static PyObject* a2(PyObject*, PyObject* const* args, Py_ssize_t n) {
  int32_t i;
  float x;
  if (!count(n, 2) || !as_int32(args[0], &i) || !as_float(args[1], &x)) return nullptr;
  return PyFloat_FromDouble(work::a2(i, x));
}

static PyObject* d(PyObject*, PyObject* const* args, Py_ssize_t n) {
  Sun sun;
  if (!count(n, 1) || !as_sun(args[0], &sun)) return nullptr;
  return PyFloat_FromDouble(work::d(sun));
}

static int sun_init(PyObject* self, PyObject* args, PyObject*) {
  return as_sun(args, &reinterpret_cast<SunObject*>(self)->value) ? 0 : -1;
}

static PyMethodDef functions[] = {function("a1", a1), function("a2", a2), function("b", b),
                                  function("c", c),   function("d", d),   {}};
static PyModuleDef module = {PyModuleDef_HEAD_INIT, "floor_calls", nullptr, -1, functions};

PyMODINIT_FUNC PyInit_floor_calls() {
  import_array();
  static PyType_Slot slots[] = {{Py_tp_init, reinterpret_cast<void*>(sun_init)}, {0, nullptr}};
  static PyType_Spec spec = {"floor_calls.Sun", sizeof(SunObject), 0, Py_TPFLAGS_DEFAULT, slots};
  float32 = PyArray_DescrFromType(NPY_FLOAT32);
  sun_type = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&spec));
  PyObject* self = PyModule_Create(&module);
  PyModule_AddObjectRef(self, "Sun", reinterpret_cast<PyObject*>(sun_type));
  return self;
}
"""


def prepare(build: Path, data: Data) -> dict[str, Call]:
    lib = build_extension(build, "floor_calls", SOURCE, include=[np.get_include()])
    sun = (lib.d, (lib.Sun(*SUN),))
    calls = {"a1": (lib.a1, A1), "a2": (lib.a2, A2), "d": sun, "d_other": sun, "d_tuple": (lib.d, (SUN,))}
    return calls | array_calls([("1", data.arrays)], lib.b, lib.c)


PEERS = (Peer(FLOOR, prepare, ("numpy",)),)
