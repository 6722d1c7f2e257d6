// What the rows of cxx.tsv name.
#include <array>
#include <complex>
#include <cstdint>
#include <samebytes/array.hpp>
#include <samebytes/vector.hpp>
#include <tuple>
#include <utility>

using samebytes::float32x3;
struct mixed {
  float a;
  std::complex<float> b;
  std::int8_t c;
  std::complex<double> d;
};
struct tuple_iii {
  int a, b, c;
};
struct tuple_c_f3_s {
  char a;
  samebytes::float32x3 b;
  short c;
};
struct tuple_c_f4_s {
  char a;
  samebytes::float32x4 b;
  short c;
};
struct alignas(16) complex_s {
  float real, imag;
};
struct ticket {
  alignas(16) int line;
  alignas(16) int current;
};
