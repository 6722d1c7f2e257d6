// What the floors share: exact scalar conversions, and the array functions over an `as_array` that each floor
// defines.
#pragma once
#include <Python.h>

#include <cmath>

#include "cases.hpp"

struct Array {  // strides in elements, as in samebytes::array
  float* data;
  uint64_t shape[1];
  uint64_t strides[1];
};

static bool refuse(const char* what) {
  PyErr_SetString(PyExc_TypeError, what);
  return false;
}

static inline bool count(Py_ssize_t got, Py_ssize_t expected) {
  return got == expected || refuse("wrong number of arguments");
}

static inline bool as_double(PyObject* o, double* out) {
  if (!PyFloat_CheckExact(o)) return refuse("expected a float");
  *out = PyFloat_AS_DOUBLE(o);
  return true;
}

static inline bool as_float(PyObject* o, float* out) {
  double wide;
  if (!as_double(o, &wide)) return false;
  *out = static_cast<float>(wide);
  return !(std::isinf(*out) && std::isfinite(wide)) || refuse("out of range");
}

static inline bool as_int32(PyObject* o, int32_t* out) {
  if (!PyLong_CheckExact(o)) return refuse("expected an int");
  int overflow;
  long wide = PyLong_AsLongAndOverflow(o, &overflow);
  *out = static_cast<int32_t>(wide);
  return (!overflow && *out == wide) || refuse("out of range");
}

static inline bool as_array(PyObject* o, bool writable, Array* out);

static PyObject* b(PyObject*, PyObject* const* args, Py_ssize_t n) {
  Array x;
  if (!count(n, 1) || !as_array(args[0], false, &x)) return nullptr;
  return PyFloat_FromDouble(work::b(x.data, x.shape[0]));
}

static PyObject* c(PyObject*, PyObject* const* args, Py_ssize_t n) {
  Array x, y, out;
  float scale;
  int32_t shift;
  if (!count(n, 5) || !as_array(args[0], false, &x) || !as_array(args[1], false, &y) ||
      !as_array(args[2], true, &out) || !as_float(args[3], &scale) || !as_int32(args[4], &shift))
    return nullptr;
  if (y.shape[0] != x.shape[0] || out.shape[0] != x.shape[0]) {
    refuse("lengths differ");
    return nullptr;
  }
  work::c(x.data, y.data, out.data, x.shape[0], scale, shift);
  Py_RETURN_NONE;
}

static inline PyMethodDef function(const char* name,
                                   PyObject* (*call)(PyObject*, PyObject* const*, Py_ssize_t)) {
  return {name, reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(call)), METH_FASTCALL, nullptr};
}
