// Kernels of SYCL: what stands in the place of a shim where a plan's call is a launch by dpctl's C interface.
#pragma once
#include <Python.h>

namespace samebytes {

// The bytes of a launch, and LAUNCH_SYCL, the addresses of what stands in the places of overloads' shims.
int add_sycl_launch(PyObject* module);

}  // namespace samebytes
