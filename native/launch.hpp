// Lists and tuples as the arguments of a kernel launch: see launch.cpp.
#pragma once
#include "plan.hpp"

namespace samebytes {

// HIP's `extra`, or `kernelParams`: an address that is valid while `keep` lives.
Match take_launch(bool extra, PyObject* object, void*& address, Keep& keep);
// Bytes for as long as the call takes, aligned for every number; null: MemoryError.
char* room(Py_ssize_t size, Keep& keep);

PyObject* set_launch_number(PyObject*, PyObject* args);

}  // namespace samebytes
