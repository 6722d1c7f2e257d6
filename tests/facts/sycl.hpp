// What the rows of sycl.tsv name.
#include <array>
#include <complex>
#include <cstdint>
#include <samebytes/array.hpp>
#include <sycl/sycl.hpp>

struct mixed {
  float a;
  std::complex<float> b;
  std::int8_t c;
  std::complex<double> d;
};
struct tuple_c_f3_s {
  char a;
  sycl::vec<float, 3> b;
  short c;
};
struct tuple_c_d4_s {
  char a;
  sycl::vec<double, 4> b;
  short c;
};
struct ticket {
  alignas(16) int line;
  alignas(16) int current;
};
