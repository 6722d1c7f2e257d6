// Owning references to Python objects that release themselves.
#pragma once
#include <Python.h>

#include <utility>

#include "object/ending.hpp"

namespace samebytes {

class Ref {
 public:
  Ref() = default;
  Ref(Ref&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Ref& operator=(Ref&& other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Ref() {
    if (object_ && may_touch_python()) Py_DECREF(object_);
  }

  static Ref steal(PyObject* object) { return Ref(object); }
  static Ref borrow(PyObject* object) {
    Py_XINCREF(object);
    return Ref(object);
  }

  explicit operator bool() const { return object_ != nullptr; }
  PyObject* get() const { return object_; }
  PyObject* release() { return std::exchange(object_, nullptr); }

 private:
  explicit Ref(PyObject* object) : object_(object) {}
  PyObject* object_ = nullptr;
};

inline bool likely(bool condition) { return __builtin_expect(condition, 1); }
inline bool unlikely(bool condition) { return __builtin_expect(condition, 0); }

// Whether the exception says nothing of the object that was asked: such a one passes through, and nothing
// asks again. As errors.py has it.
inline bool is_overwhelmed() {
  return PyErr_ExceptionMatches(PyExc_RecursionError) || PyErr_ExceptionMatches(PyExc_MemoryError) ||
         !PyErr_ExceptionMatches(PyExc_Exception);
}

// Set an exception; always false.
inline bool type_error(const char* message) { return PyErr_SetString(PyExc_TypeError, message), false; }
inline bool value_error(const char* message) { return PyErr_SetString(PyExc_ValueError, message), false; }

}  // namespace samebytes
