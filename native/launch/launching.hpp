// What a kernel's subscript gives: a call of it is a launch.
#pragma once
#include <Python.h>

namespace samebytes {

int add_launching(PyObject* module);

}  // namespace samebytes
