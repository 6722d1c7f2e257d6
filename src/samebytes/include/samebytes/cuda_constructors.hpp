// CUDA's words for the host's compiler, which compiles constructors of kernels' structs: what marks device
// code means nothing to it, and the bodies of such code are left out.
#pragma once

#include <cuda_runtime.h>

extern const uint3 threadIdx, blockIdx;
extern const dim3 blockDim, gridDim;
extern const int warpSize;
