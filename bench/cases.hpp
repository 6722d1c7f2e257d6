// The work behind every call, the same for all peers: next to nothing, so that the price of the call is seen.
#pragma once
#include <cstdint>

struct Sun {
  float azimuth, altitude;
  double cell;
};

namespace work {

inline double a1(double x) { return x + 1.0; }
inline float a2(std::int32_t i, float x) { return static_cast<float>(i) + x; }
inline float b(const float* x, std::int64_t n) { return x[0] + static_cast<float>(n); }
inline void c(const float* x, const float* y, float* out, std::int64_t n, float scale, std::int32_t shift) {
  out[0] = scale * x[0] + y[0] + static_cast<float>(shift) + static_cast<float>(n);
}
inline double d(Sun sun) { return sun.azimuth + sun.cell; }

}  // namespace work
