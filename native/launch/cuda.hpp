// Kernels of CUDA: what stands in the place of a shim where a plan's call is a launch.
#pragma once
#include <Python.h>

namespace samebytes {

// The bytes of a launch, and LAUNCH_CUDA, the addresses of what stands in the places of overloads' shims.
int add_launch(PyObject* module);

}  // namespace samebytes
