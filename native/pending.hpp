// Keeps the exception that is on its way apart from code that must not see or change it.
#pragma once
#include <Python.h>

#include "ending.hpp"

namespace samebytes {

class PendingException {
 public:
  PendingException(const PendingException&) = delete;
  PendingException& operator=(const PendingException&) = delete;
#if PY_VERSION_HEX >= 0x030C0000
  PendingException() : value_(PyErr_GetRaisedException()) {}
  ~PendingException() {
    if (!may_touch_python()) return;
    report();
    PyErr_SetRaisedException(value_);
  }

 private:
  PyObject* value_;
#else
  PendingException() { PyErr_Fetch(&type_, &value_, &traceback_); }
  ~PendingException() {
    if (!may_touch_python()) return;
    report();
    PyErr_Restore(type_, value_, traceback_);
  }

 private:
  PyObject *type_, *value_, *traceback_;
#endif
  static void report() {
    if (PyErr_Occurred()) PyErr_WriteUnraisable(nullptr);
  }
};

}  // namespace samebytes
