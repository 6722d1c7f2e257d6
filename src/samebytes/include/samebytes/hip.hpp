// The small floating formats and their vectors for HIP, under one name in every version of ROCm.
//
// Where ROCm has a type, the name stands for it; what it lacks are structs of the same bytes, laid out as
// CUDA's vectors: one and three elements are aligned as one element, two and four as a whole.
#pragma once

#include <hip/hip_fp16.h>
#include <hip/hip_runtime.h>
#include <hip/hip_version.h>
#if __has_include(<hip/hip_bf16.h>)
#include <hip/hip_bf16.h>
#else
#include <hip/hip_bfloat16.h>
#endif
#if __has_include(<hip/hip_fp8.h>)
#include <hip/hip_fp8.h>
#endif

namespace samebytes {
namespace hip {

#define SAMEBYTES_X2(NAME, T)              \
  struct alignas(2 * sizeof(T)) NAME##x2 { \
    T x, y;                                \
  }
#define SAMEBYTES_X3(NAME, T) \
  struct NAME##x3 {           \
    T x, y, z;                \
  }
#define SAMEBYTES_X4(NAME, T)              \
  struct alignas(4 * sizeof(T)) NAME##x4 { \
    T x, y, z, w;                          \
  }

#if __has_include(<hip/hip_bf16.h>)
using bfloat16 = ::__hip_bfloat16;
using bfloat16x2 = ::__hip_bfloat162;
#else
using bfloat16 = ::hip_bfloat16;
SAMEBYTES_X2(bfloat16, bfloat16);
#endif

// ROCm 6.2 has AMD's own 8-bit formats only; the standard's (OCP) came with 6.3, and this macro with them.
#if defined(HIP_FP8_TYPE_OCP)
using float8e4m3 = ::__hip_fp8_e4m3;
using float8e5m2 = ::__hip_fp8_e5m2;
using float8e4m3x2 = ::__hip_fp8x2_e4m3;
using float8e5m2x2 = ::__hip_fp8x2_e5m2;
using float8e4m3x4 = ::__hip_fp8x4_e4m3;
using float8e5m2x4 = ::__hip_fp8x4_e5m2;
#else
struct float8e4m3 {
  unsigned char __x;
};
struct float8e5m2 {
  unsigned char __x;
};
SAMEBYTES_X2(float8e4m3, float8e4m3);
SAMEBYTES_X2(float8e5m2, float8e5m2);
SAMEBYTES_X4(float8e4m3, float8e4m3);
SAMEBYTES_X4(float8e5m2, float8e5m2);
#endif

SAMEBYTES_X3(float16, ::__half);
SAMEBYTES_X4(float16, ::__half);
SAMEBYTES_X3(bfloat16, bfloat16);
SAMEBYTES_X4(bfloat16, bfloat16);
SAMEBYTES_X3(float8e4m3, float8e4m3);
SAMEBYTES_X3(float8e5m2, float8e5m2);

#undef SAMEBYTES_X2
#undef SAMEBYTES_X3
#undef SAMEBYTES_X4

}  // namespace hip
}  // namespace samebytes
