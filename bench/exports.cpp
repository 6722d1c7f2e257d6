// The same work as a plain C library, for the peers that call exported functions (cffi, ctypes).
#include "cases.hpp"

extern "C" {
double a1(double x) { return work::a1(x); }
float a2(std::int32_t i, float x) { return work::a2(i, x); }
float b(const float* x, std::int64_t n) { return work::b(x, n); }
void c(const float* x, const float* y, float* out, std::int64_t n, float scale, std::int32_t shift) {
  work::c(x, y, out, n, scale, shift);
}
double d(Sun sun) { return work::d(sun); }
}
