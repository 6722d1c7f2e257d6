// What Python asks libclang: see clang/queries.cpp.
#pragma once

#include <Python.h>

namespace samebytes {

int add_clang_queries(PyObject* module);

}  // namespace samebytes
