// What a user of samebytes writes: plain C++ functions, nothing about Python.
#include <samebytes/array.hpp>
#include <stdexcept>

#include "cases.hpp"

using Input = samebytes::array<const float, 1>;
using Output = samebytes::array<float, 1>;

extern "C" double a1(double x) { return work::a1(x); }
extern "C" float a2(std::int32_t i, float x) { return work::a2(i, x); }
extern "C" float b(Input x) { return work::b(x.data, static_cast<std::int64_t>(x.shape[0])); }
float e(Input x) { return work::b(x.data, static_cast<std::int64_t>(x.shape[0])); }
double e(samebytes::array<const double, 1> x) {
  return work::e(x.data, static_cast<std::int64_t>(x.shape[0]));
}
extern "C" double d(Sun sun) { return work::d(sun); }

extern "C" void c(Input x, Input y, Output out, float scale, std::int32_t shift) {
  if (y.shape[0] != x.shape[0] || out.shape[0] != x.shape[0]) throw std::invalid_argument("lengths differ");
  work::c(x.data, y.data, out.data, static_cast<std::int64_t>(x.shape[0]), scale, shift);
}
