// What NVRTC knows before its first line, for the parser: words, macros, vectors, the device's own functions.
// The compiler itself never sees this file.
#pragma once

// In place of <crt/host_defines.h>: the words that say where a function runs become annotations that can be
// read.
#define __HOST_DEFINES_H__
#define __device__ __attribute__((annotate("device")))
#define __host__ __attribute__((annotate("host")))
#define __global__ __attribute__((annotate("global")))
#define __tile_global__ __attribute__((annotate("tile")))
#define __tile__ __attribute__((annotate("tile")))
#define __tile_builtin__
#define __shared__
#define __constant__
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
#define __CUDA_INCLUDE_COMPILER_INTERNAL_HEADERS__

#define NULL 0
using size_t = decltype(sizeof 0);
using ptrdiff_t = decltype(static_cast<char*>(nullptr) - static_cast<char*>(nullptr));
using clock_t = long;

#include <cuda_runtime_api.h>
#include <device_types.h>
#include <vector_types.h>

extern const uint3 threadIdx, blockIdx;
extern const dim3 blockDim, gridDim;
extern const int warpSize;

extern "C" {
__device__ void* memcpy(void*, const void*, size_t);
__device__ void* memmove(void*, const void*, size_t);
__device__ void* memset(void*, int, size_t);
__device__ int memcmp(const void*, const void*, size_t);
__device__ void* malloc(size_t);
__device__ void free(void*);
__device__ int printf(const char*, ...);
}
__device__ bool isnan(float);
__device__ bool isnan(double);
__device__ bool isinf(float);
__device__ bool isinf(double);
__device__ bool isfinite(float);
__device__ bool isfinite(double);

namespace std {
template <class T>
class initializer_list {
 public:
  constexpr const T* begin() const noexcept { return data; }
  constexpr const T* end() const noexcept { return data + count; }
  constexpr size_t size() const noexcept { return count; }

 private:
  const T* data;
  size_t count;
};
}  // namespace std
