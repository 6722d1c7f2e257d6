// What kind of file system a file is on: Python's os.statvfs does not say it.
#pragma once
#include <Python.h>

namespace samebytes {

int add_file_system(PyObject* module);  // -1: exception set

}  // namespace samebytes
