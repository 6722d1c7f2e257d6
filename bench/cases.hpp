// The work behind every call, the same for all peers: next to nothing, so that the price of the call is seen.
#pragma once
#include <cstdint>
#include <string>

struct Sun {
  float azimuth, altitude;
  double cell;
};

struct Label {
  std::string text;
  explicit Label(const std::string& text) : text(text) {}
  double length(double more) const { return static_cast<double>(text.size()) + more; }
};

namespace work {

inline double a1(double x) { return x + 1.0; }
inline float a2(std::int32_t i, float x) { return static_cast<float>(i) + x; }
inline float b(const float* x, std::int64_t n) { return x[0] + static_cast<float>(n); }
inline double e(const double* x, std::int64_t n) { return x[0] - static_cast<double>(n); }
inline void c(const float* x, const float* y, float* out, std::int64_t n, float scale, std::int32_t shift) {
  out[0] = scale * x[0] + y[0] + static_cast<float>(shift) + static_cast<float>(n);
}
inline double d(Sun sun) { return sun.azimuth + sun.cell; }

}  // namespace work
