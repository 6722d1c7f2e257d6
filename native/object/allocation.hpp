// What becomes of the results of a C function that allocates.
#pragma once
#include <Python.h>

namespace samebytes {

constexpr int kMostFactors = 4;  // of the number of bytes

int add_allocation_type(PyObject* module);

}  // namespace samebytes
