// Keeps the exception that is on its way apart from code that must not see or change it.
#pragma once
#include <Python.h>

#include "object/ending.hpp"
#include "ref.hpp"

namespace samebytes {

// The exception that is raised now, with its traceback; it is raised no more.
inline Ref take_raised() {
#if PY_VERSION_HEX >= 0x030C0000
  return Ref::steal(PyErr_GetRaisedException());
#else
  PyObject *type, *value, *traceback;
  PyErr_Fetch(&type, &value, &traceback);
  PyErr_NormalizeException(&type, &value, &traceback);
  if (traceback) PyException_SetTraceback(value, traceback);
  Py_XDECREF(type);
  Py_XDECREF(traceback);
  return Ref::steal(value);
#endif
}

// PyErr_Occurred(), without a call where this thread is in a call that may call back.
inline bool is_raised() {
  const PyThreadState* const thread = calling_thread;
  if (!thread) return PyErr_Occurred();
#if PY_VERSION_HEX >= 0x030C0000
  return thread->current_exception;
#else
  return thread->curexc_type;
#endif
}

class PendingException {
 public:
  PendingException(const PendingException&) = delete;
  PendingException& operator=(const PendingException&) = delete;
#if PY_VERSION_HEX >= 0x030C0000
  PendingException() : value_(is_raised() ? PyErr_GetRaisedException() : nullptr) {}
  ~PendingException() {
    if (!may_touch_python()) return;
    report();
    if (value_) PyErr_SetRaisedException(value_);
  }

 private:
  PyObject* value_;
#else
  PendingException() {
    if (is_raised()) PyErr_Fetch(&type_, &value_, &traceback_);
  }
  ~PendingException() {
    if (!may_touch_python()) return;
    report();
    if (type_) PyErr_Restore(type_, value_, traceback_);
  }

 private:
  PyObject *type_ = nullptr, *value_ = nullptr, *traceback_ = nullptr;
#endif
  static void report() {
    if (is_raised()) PyErr_WriteUnraisable(nullptr);
  }
};

}  // namespace samebytes
