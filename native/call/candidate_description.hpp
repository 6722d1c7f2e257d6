// Reads the dictionary in which Python describes a candidate, entry by entry.
#pragma once
#include <Python.h>

namespace samebytes {

class CandidateDescription {
 protected:
  explicit CandidateDescription(PyObject* description) : description_(description) {}

  static bool fail(const char* message) {
    if (!PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, message);
    return false;
  }

  PyObject* get(const char* key) {
    PyObject* item = PyDict_GetItemString(description_, key);
    if (!item) PyErr_Format(PyExc_KeyError, "a candidate needs '%s'", key);
    return item;
  }

  PyObject* get_tuple(const char* key) {
    PyObject* item = get(key);
    if (item && !PyTuple_Check(item)) return PyErr_Format(PyExc_TypeError, "'%s' is a tuple", key);
    return item;
  }

  bool get_number(const char* key, unsigned long long limit, unsigned long long& out) {
    PyObject* item = get(key);
    if (!item) return false;
    if (!PyLong_Check(item)) return PyErr_Format(PyExc_TypeError, "'%s' is an int", key), false;
    out = PyLong_AsUnsignedLongLong(item);
    if (PyErr_Occurred()) return false;
    if (out > limit) return PyErr_Format(PyExc_ValueError, "'%s' is too large", key), false;
    return true;
  }

  template <class... Out>
  static bool parse(PyObject* item, const char* format, Out*... out) {
    if (PyTuple_Check(item)) return PyArg_ParseTuple(item, format, out...);
    PyErr_SetString(PyExc_TypeError, "a slot is a tuple");
    return false;
  }

  PyObject* description_;
};

}  // namespace samebytes
