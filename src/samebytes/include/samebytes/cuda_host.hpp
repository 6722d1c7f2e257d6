// What CUDA's compiler knows by itself, for headers that are bound on the host without CUDA's own headers:
// its keywords mean nothing there, and its vectors are samebytes' with the same layout.
#pragma once

#ifndef __device__
#define __device__
#endif
#ifndef __host__
#define __host__
#endif
#ifndef __global__
#define __global__
#endif
#ifndef __constant__
#define __constant__
#endif
#ifndef __forceinline__
#define __forceinline__ inline __attribute__((always_inline))
#endif
#ifndef __launch_bounds__
#define __launch_bounds__(...)
#endif
#ifndef __align__
#define __align__(n) __attribute__((aligned(n)))
#endif

#ifdef __cplusplus
#include <samebytes/vector.hpp>

#define SAMEBYTES_VECTORS(NAME, VECTOR, T)                                          \
  using NAME##1 = samebytes::VECTOR##x1;                                            \
  using NAME##2 = samebytes::VECTOR##x2;                                            \
  using NAME##3 = samebytes::VECTOR##x3;                                            \
  using NAME##4 = samebytes::VECTOR##x4;                                            \
  static inline NAME##1 make_##NAME##1(T x) { return {x}; }                         \
  static inline NAME##2 make_##NAME##2(T x, T y) { return {x, y}; }                 \
  static inline NAME##3 make_##NAME##3(T x, T y, T z) { return {x, y, z}; }         \
  static inline NAME##4 make_##NAME##4(T x, T y, T z, T w) { return {x, y, z, w}; } \
  static_assert(sizeof(T) == sizeof(NAME##1), #NAME)

SAMEBYTES_VECTORS(char, int8, signed char);
SAMEBYTES_VECTORS(uchar, uint8, unsigned char);
SAMEBYTES_VECTORS(short, int16, short);
SAMEBYTES_VECTORS(ushort, uint16, unsigned short);
SAMEBYTES_VECTORS(int, int32, int);
SAMEBYTES_VECTORS(uint, uint32, unsigned);
SAMEBYTES_VECTORS(long, int64, long);
SAMEBYTES_VECTORS(ulong, uint64, unsigned long);
SAMEBYTES_VECTORS(longlong, int64, long long);
SAMEBYTES_VECTORS(ulonglong, uint64, unsigned long long);
SAMEBYTES_VECTORS(float, float32, float);
SAMEBYTES_VECTORS(double, float64, double);

#undef SAMEBYTES_VECTORS

struct dim3 {
  unsigned x = 1, y = 1, z = 1;
};
#endif
