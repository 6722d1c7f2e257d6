// What calls a function when nothing refers to it any more.
#pragma once
#include <Python.h>

namespace samebytes {

int add_ending_type(PyObject* module);

}  // namespace samebytes
