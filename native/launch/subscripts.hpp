// The base of kernels, which remembers their subscripts.
#pragma once
#include <Python.h>

namespace samebytes {

int add_subscripts(PyObject* module);

}  // namespace samebytes
