// Why the C++ object of a handle is gone, in Python's words.
#pragma once
#include "object/handle.hpp"

namespace samebytes {

// Null: the object is there, or nobody said. Borrowed
PyObject* why_gone(PyObject* handle);
// The handle itself dies.
void forget_why(const void* handle);

// Python is told of a call that C++ left by the exception that is raised now, and that may have taken
// arguments over.
void note_losses(PyObject* name, PyObject* const* args, int count);

int add_gone_functions(PyObject* module);

}  // namespace samebytes
