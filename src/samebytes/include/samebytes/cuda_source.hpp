// What nvcc knows before the first line of a .cu, for the parser: words become annotations that can be read.
// The compiler itself never sees this file.
#pragma once

#define __HOST_DEFINES_H__  // in place of <crt/host_defines.h>
#define __device__ __attribute__((annotate("device")))
#define __host__ __attribute__((annotate("host")))
#define __global__ __attribute__((annotate("global")))
#define __tile_global__ __attribute__((annotate("tile")))
#define __tile__ __attribute__((annotate("tile")))
#define __tile_builtin__
#define __shared__
#define __constant__ __attribute__((annotate("device")))
#define __managed__ __attribute__((annotate("managed")))
#define __grid_constant__
#define __nv_pure__
#define __device_builtin__
#define __device_builtin_texture_type__
#define __device_builtin_surface_type__
#define __cudart_builtin__
#define __launch_bounds__(...)
#define __cluster_dims__(...)
#define __block_size__(...)
#define __maxnreg__(...)
#define __local_maxnreg__(...)
#define __no_return__ __attribute__((noreturn))
#define __noinline__ __attribute__((noinline))
#define __inline_hint__
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
#define __specialization_static
#define __volatile__ volatile
#define __thread__ __thread
#define __import__
#define __export__
#define __annotate__(...)
#define __location__(...)
#define CUDARTAPI
#define CUDARTAPI_CDECL

#include <cuda_runtime.h>

extern const uint3 threadIdx, blockIdx;
extern const dim3 blockDim, gridDim;
extern const int warpSize;
