// CUDA's vectors under the specification's names where CUDA's own name depends on the toolkit, and those that
// no toolkit has: three or four __half, __nv_bfloat16, and three 8-bit numbers.
//
// Layout rule of ours, CUDA's for its own vectors: three elements are aligned as one element, four as a
// whole.
#pragma once

#if !defined(__CUDACC_RTC__)
#include <cuda_runtime_api.h>
#include <vector_types.h>
#endif
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

namespace samebytes {
namespace cuda {

#if defined(__CUDACC_VER_MAJOR__)
#define SAMEBYTES_CUDA_MAJOR __CUDACC_VER_MAJOR__
#else
#define SAMEBYTES_CUDA_MAJOR (CUDART_VERSION / 1000)
#endif

// CUDA 13 deprecates the plain names, as it adds kin with another alignment; the bytes are the same.
#if SAMEBYTES_CUDA_MAJOR >= 13
using int64x4 = ::longlong4_16a;
using uint64x4 = ::ulonglong4_16a;
using float64x4 = ::double4_16a;
#else
using int64x4 = ::longlong4;
using uint64x4 = ::ulonglong4;
using float64x4 = ::double4;
#endif
#undef SAMEBYTES_CUDA_MAJOR

#define SAMEBYTES_VECTORS(NAME, T) \
  struct NAME##x3 {                \
    T x, y, z;                     \
  };                               \
  static_assert(sizeof(NAME##x3) == 3 * sizeof(T), #NAME)

SAMEBYTES_VECTORS(float16, __half);
SAMEBYTES_VECTORS(bfloat16, __nv_bfloat16);
SAMEBYTES_VECTORS(float8e4m3, __nv_fp8_e4m3);
SAMEBYTES_VECTORS(float8e5m2, __nv_fp8_e5m2);

#undef SAMEBYTES_VECTORS

struct alignas(8) float16x4 {
  __half x, y, z, w;
};
struct alignas(8) bfloat16x4 {
  __nv_bfloat16 x, y, z, w;
};

}  // namespace cuda
}  // namespace samebytes
