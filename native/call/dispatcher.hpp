// Dispatcher: remembers which function a call's arguments mean, by what decides that without asking Python.
#pragma once
#include <Python.h>

namespace samebytes {

int add_dispatcher_type(PyObject* module);

}  // namespace samebytes
