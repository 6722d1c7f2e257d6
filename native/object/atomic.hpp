// Atomics where they lie.
#pragma once
#include <Python.h>

namespace samebytes {

int add_atomic(PyObject* module);

}  // namespace samebytes
