"""The floor: a hard-coded METH_FASTCALL extension with full checks, the least that any binding can cost."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from cases import A1, A2, FLOOR, SUN, Call, Data, array_calls, class_calls
from peers.base import Peer, build_extension

SOURCE = r"""
#include "floor.hpp"
#define NPY_NO_DEPRECATED_API NPY_2_0_API_VERSION
#include <numpy/arrayobject.h>

struct SunObject {
  PyObject_HEAD
  Sun value;
};
struct LabelObject {
  PyObject_HEAD
  Label value;
};
static PyTypeObject *sun_type, *label_type;
static PyArray_Descr *float32, *float64;

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

static PyObject* e(PyObject*, PyObject* const* args, Py_ssize_t n) {
  if (!count(n, 1)) return nullptr;
  auto* a = reinterpret_cast<PyArrayObject_fields*>(args[0]);
  Array x;
  if (Py_TYPE(args[0]) == &PyArray_Type && a->descr == float64) {
    const int need = NPY_ARRAY_ALIGNED | NPY_ARRAY_C_CONTIGUOUS;
    if (a->nd != 1 || (a->flags & need) != need) return refuse("unsuitable array"), nullptr;
    return PyFloat_FromDouble(work::e(reinterpret_cast<double*>(a->data), a->dimensions[0]));
  }
  return as_array(args[0], false, &x) ? PyFloat_FromDouble(work::b(x.data, x.shape[0])) : nullptr;
}

static PyObject* label_call(PyObject* type, PyObject* const* args, size_t nargsf, PyObject* names) {
  if (!count(PyVectorcall_NARGS(nargsf), 1) || names) return nullptr;
  Py_ssize_t size;
  const char* text = PyUnicode_Check(args[0]) ? PyUnicode_AsUTF8AndSize(args[0], &size) : nullptr;
  if (!text) return PyErr_Occurred() ? nullptr : (refuse("expected a str"), nullptr);
  PyObject* self = label_type->tp_alloc(label_type, 0);
  if (self) new (&reinterpret_cast<LabelObject*>(self)->value) Label(std::string(text, size));
  return self;
}

static void label_dealloc(PyObject* self) {
  reinterpret_cast<LabelObject*>(self)->value.~Label();
  label_type->tp_free(self);
  Py_DECREF(label_type);
}

static PyObject* length(PyObject* self, PyObject* const* args, Py_ssize_t n) {
  double more;
  if (!count(n, 1) || !as_double(args[0], &more)) return nullptr;
  return PyFloat_FromDouble(reinterpret_cast<LabelObject*>(self)->value.length(more));
}

static PyMethodDef label_methods[] = {function("length", length), {}};

static int sun_init(PyObject* self, PyObject* args, PyObject*) {
  return as_sun(args, &reinterpret_cast<SunObject*>(self)->value) ? 0 : -1;
}

static PyMethodDef functions[] = {function("a1", a1), function("a2", a2), function("b", b),
                                  function("c", c),   function("d", d),   function("e", e), {}};
static PyModuleDef module = {PyModuleDef_HEAD_INIT, "floor_calls", nullptr, -1, functions};

PyMODINIT_FUNC PyInit_floor_calls() {
  import_array();
  static PyType_Slot slots[] = {{Py_tp_init, reinterpret_cast<void*>(sun_init)}, {0, nullptr}};
  static PyType_Spec spec = {"floor_calls.Sun", sizeof(SunObject), 0, Py_TPFLAGS_DEFAULT, slots};
  static PyType_Slot label_slots[] = {{Py_tp_dealloc, reinterpret_cast<void*>(label_dealloc)},
                                      {Py_tp_methods, label_methods}, {0, nullptr}};
  static PyType_Spec label_spec = {"floor_calls.Label", sizeof(LabelObject), 0, Py_TPFLAGS_DEFAULT, label_slots};
  float32 = PyArray_DescrFromType(NPY_FLOAT32);
  float64 = PyArray_DescrFromType(NPY_FLOAT64);
  label_type = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&label_spec));
  label_type->tp_vectorcall = label_call;
  sun_type = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&spec));
  PyObject* self = PyModule_Create(&module);
  PyModule_AddObjectRef(self, "Label", reinterpret_cast<PyObject*>(label_type));
  PyModule_AddObjectRef(self, "Sun", reinterpret_cast<PyObject*>(sun_type));
  return self;
}
"""


def prepare(build: Path, data: Data) -> dict[str, Call]:
    lib = build_extension(build, "floor_calls", SOURCE, include=[np.get_include()])
    sun = (lib.d, (lib.Sun(*SUN),))
    calls = {"a1": (lib.a1, A1), "a2": (lib.a2, A2), "d": sun, "d_other": sun, "d_tuple": (lib.d, (SUN,))}
    calls |= class_calls(data.arrays, lib.e, lib.Label)
    return calls | array_calls([("1", data.arrays)], lib.b, lib.c)


PEERS = (Peer(FLOOR, prepare, ("numpy",)),)
