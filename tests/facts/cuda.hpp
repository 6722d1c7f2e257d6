// What the rows of cuda.tsv name.
#include <cuComplex.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp4.h>
#include <cuda_fp6.h>
#include <cuda_fp8.h>

#include <cuda/std/array>
#include <cuda/std/complex>
#include <cuda/std/cstdint>
#include <cuda/std/tuple>
#include <cuda/std/utility>
#if !defined(__CUDACC_RTC__)
#include <cuda_runtime_api.h>
#include <thrust/complex.h>

#include <complex>
#endif
#include <samebytes/array.hpp>

struct tuple_iii {
  int a, b, c;
};
struct tuple_bdh {
  bool a;
  double b;
  __half c;
};
struct tuple_c_f3_s {
  char a;
  float3 b;
  short c;
};
struct tuple_c_f4_s {
  char a;
  float4 b;
  short c;
};
struct tuple_c_cc64_s {
  char a;
  cuda::std::complex<float> b;
  short c;
};
struct point {
  int x, y, z;
};
struct alignas(16) complex_s {
  float real, imag;
};
struct ticket {
  alignas(16) int line;
  alignas(16) int current;
};
struct empty_s {};
struct has_empty {
  empty_s a;
  int b;
};
template <class T, unsigned long N>
using iad = samebytes::array<T, N>;
using iad0 = samebytes::array<float, 0>;
