// C++ exceptions as Python's: those of calls, and those that leave a destructor, where nobody can catch them.
#include "call/thrown.hpp"

#include <cstdio>
#include <cstring>

#include "call/pending.hpp"

namespace samebytes {

namespace {

// By samebytes_cause.
PyObject* const* classes(Py_ssize_t& count) {
  static PyObject* const all[] = {PyExc_RuntimeError, PyExc_ValueError,    PyExc_IndexError,
                                  PyExc_MemoryError,  PyExc_OverflowError, PyExc_RuntimeError,
                                  PyExc_StopIteration};
  static_assert(samebytes_invalid_argument == 1 && samebytes_out_of_range == 2 && samebytes_bad_alloc == 3 &&
                samebytes_overflow_error == 4 && samebytes_other == 5 && samebytes_end == 6 &&
                sizeof all / sizeof *all == 7);
  return count = sizeof all / sizeof *all, all;
}

void raise(int code, const char* text, size_t length) {
  if (code == samebytes_end) return PyErr_SetNone(PyExc_StopIteration);
  Py_ssize_t count;
  PyObject* const* const all = classes(count);
  const Ref message = Ref::steal(PyUnicode_DecodeUTF8(text, length, "replace"));
  if (message) PyErr_SetObject(all[code > 0 && code < count ? code : 0], message.get());
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
  raise(error.samebytes_code, error.samebytes_message,
        strnlen(error.samebytes_message, sizeof error.samebytes_message));
  return nullptr;
}

Ref exceptions_by_code() {
  Py_ssize_t count;
  PyObject* const* const all = classes(count);
  Ref found = Ref::steal(PyTuple_New(count));
  for (Py_ssize_t i = 0; found && i < count; ++i) PyTuple_SET_ITEM(found.get(), i, Py_NewRef(all[i]));
  return found;
}

int add_unraised(PyObject* module) {
  const Ref address = Ref::steal(PyLong_FromVoidPtr(reinterpret_cast<void*>(unraised)));
  return address ? PyModule_AddObjectRef(module, "UNRAISED", address.get()) : -1;
}

}  // namespace samebytes
