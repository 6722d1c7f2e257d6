// HIP's words for the parser, which reads its headers as the host's compiler does: those that say where a
// function runs become annotations that can be read. The compiler itself never sees this file.
#pragma once

// In place of <hip/amd_detail/host_defines.h>.
#define HIP_INCLUDE_HIP_AMD_DETAIL_HOST_DEFINES_H
#define HIP_INCLUDE_HIP_HCC_DETAIL_HOST_DEFINES_H
#define GENERIC_GRID_LAUNCH 1
#define __device__ __attribute__((annotate("device")))
#define __host__ __attribute__((annotate("host")))
#define __global__ __attribute__((annotate("global")))
#define __shared__
#define __constant__
#define __managed__ __attribute__((annotate("managed")))
#define __noinline__ __attribute__((noinline))
#define __forceinline__ inline __attribute__((always_inline))
#define __hip_img_chk__
#define __launch_bounds__(...)
#define __align__(n) __attribute__((aligned(n)))

#include <hip/hip_runtime.h>

#undef __launch_bounds__
#define __launch_bounds__(...)
extern const uint3 threadIdx, blockIdx;
extern const dim3 blockDim, gridDim;
extern const int warpSize;
