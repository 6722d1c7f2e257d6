// Kernels of CUDA: what stands in the place of a shim where a plan's call is a launch.
#pragma once
#include <Python.h>

namespace samebytes {

// The bytes of a launch, and the constant LAUNCH_CUDA, the address of what stands in the place of a shim.
int add_launch(PyObject* module);

}  // namespace samebytes
