// Lists and tuples as the arguments of a kernel launch: see call/launch.cpp.
#pragma once
#include "call/plan.hpp"

namespace samebytes {

// HIP's `extra`, or `kernelParams`: an address that is valid while `keep` lives.
Match take_launch(bool extra, PyObject* object, void*& address, CallResources& resources);

PyObject* set_launch_number(PyObject*, PyObject* args);

}  // namespace samebytes
