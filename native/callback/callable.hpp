// Python callables that C++ holds as std::function.
#pragma once
#include <Python.h>

namespace samebytes {

int add_callable_api(PyObject* module);

}  // namespace samebytes
