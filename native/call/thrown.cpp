// C++ exceptions as Python's: those of calls, and those that leave a destructor, where nobody can catch them.
#include "call/thrown.hpp"

#include <cstdio>
#include <cstring>

#include "call/pending.hpp"

namespace samebytes {

namespace {

void raise(int code, const char* text, size_t length) {
  PyObject* const classes[] = {PyExc_RuntimeError, PyExc_ValueError,    PyExc_IndexError,
                               PyExc_MemoryError,  PyExc_OverflowError, PyExc_RuntimeError};
  const bool known = code > 0 && code < static_cast<int>(sizeof classes / sizeof *classes);
  const Ref message = Ref::steal(PyUnicode_DecodeUTF8(text, length, "replace"));
  if (message) PyErr_SetObject(classes[known ? code : 0], message.get());
}

// In any thread, with or without the GIL. Told as Python tells what a __del__ raises.
void unraised(int code, const char* where, const char* message) {
  if (python_is_over()) {
    std::fprintf(stderr, "Exception ignored in %s: %s\n", where, message);
    return;
  }
  in_python([&] {
    const PendingException pending;
    const Ref place =
        Ref::steal(PyUnicode_DecodeUTF8(where, static_cast<Py_ssize_t>(std::strlen(where)), "replace"));
    if (!place) PyErr_Clear();
    raise(code, message, std::strlen(message));
    PyErr_WriteUnraisable(place.get());
  });
}

}  // namespace

PyObject* raise_shim_error(const ShimError& error) {
  raise(error.code, error.message, strnlen(error.message, sizeof error.message));
  return nullptr;
}

int add_unraised(PyObject* module) {
  const Ref address = Ref::steal(PyLong_FromVoidPtr(reinterpret_cast<void*>(unraised)));
  return address ? PyModule_AddObjectRef(module, "UNRAISED", address.get()) : -1;
}

}  // namespace samebytes
