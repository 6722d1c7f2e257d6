// What the rows of hip.tsv name.
#include <hip/hip_complex.h>
#include <hip/hip_fp16.h>
#include <hip/hip_runtime.h>

#include <complex>
#include <samebytes/array.hpp>

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
struct tuple_c_d4_s {
  char a;
  double4 b;
  short c;
};
struct ticket {
  alignas(16) int line;
  alignas(16) int current;
};
