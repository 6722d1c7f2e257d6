// Converts between double and the narrow floating formats, bit by bit: one rounding, to nearest even.
#pragma once
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

namespace samebytes {

inline uint64_t double_bits(double value) {
  uint64_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

// A format of 1 sign, `Exponent` exponent and `Mantissa` fraction bits. `infinity` is 0 where the format has
// none; `nan` is the canonical one; `largest` the largest finite magnitude.
template <int Exponent, int Mantissa, uint32_t Infinity, uint32_t Nan, uint32_t Largest>
struct SmallFloat {
  static constexpr int mantissa = Mantissa;
  static constexpr int bias = (1 << (Exponent - 1)) - 1;
  static constexpr uint32_t sign = 1u << (Exponent + Mantissa);
  static constexpr uint32_t infinity = Infinity;
  static constexpr uint32_t nan = Nan;
  static constexpr uint32_t largest = Largest;
};

using Float16 = SmallFloat<5, 10, 0x7C00, 0x7FFF, 0x7BFF>;
using BFloat16 = SmallFloat<8, 7, 0x7F80, 0x7FFF, 0x7F7F>;
using Float8E4M3 = SmallFloat<4, 3, 0, 0x7F, 0x7E>;  // CUDA's e4m3, "fn": no infinity
using Float8E5M2 = SmallFloat<5, 2, 0x7C, 0x7E, 0x7B>;

// The magnitude of a finite double in format F. The result runs on past F::largest instead of stopping there,
// so that the caller sees an overflow as a plain comparison.
template <class F>
uint32_t round_magnitude(double value) {
  const uint64_t bits = double_bits(value);
  const int biased = static_cast<int>(bits >> 52) & 0x7FF;
  if (biased == 0) return 0;  // zero, or a subnormal double: far below half of any format's least
  const int exponent = biased - 1023;
  const int least = 1 - F::bias;
  const bool subnormal = exponent < least;
  const int shift = 52 - F::mantissa + (subnormal ? least - exponent : 0);
  if (shift > 53) return 0;  // below half of the least subnormal
  const uint64_t significand = (bits & ((uint64_t{1} << 52) - 1)) | uint64_t{1} << 52;
  uint64_t rounded = significand >> shift;
  const uint64_t rest = significand & ((uint64_t{1} << shift) - 1);
  const uint64_t half = uint64_t{1} << (shift - 1);
  if (rest > half || (rest == half && (rounded & 1))) ++rounded;
  if (subnormal) return static_cast<uint32_t>(rounded);  // a carry yields the least normal number
  // `rounded` still has its leading one, which adds 1 to the exponent below.
  return (static_cast<uint32_t>(exponent + F::bias - 1) << F::mantissa) + static_cast<uint32_t>(rounded);
}

// IEEE-like conversion; false: finite, but too large for the format. NaN is CUDA's one NaN, without its sign.
template <class F>
bool round_to(double value, uint32_t& out) {
  const uint32_t sign = std::signbit(value) ? F::sign : 0;
  uint32_t magnitude;
  if (std::isnan(value)) {
    out = F::nan;
    return true;
  }
  if (std::isinf(value)) {
    magnitude = F::infinity;
  } else {
    magnitude = round_magnitude<F>(value);
    if (magnitude > F::largest) return false;
  }
  out = sign | magnitude;
  return true;
}

// As CUDA's __NV_SATFINITE constructors from double: whatever is too large, infinity included, becomes the
// largest. A NaN keeps its sign, and where the format has several, the upper bits of its payload.
template <class F>
uint32_t saturate_to(double value) {
  const uint32_t sign = std::signbit(value) ? F::sign : 0;
  if (std::isnan(value)) {
    uint64_t bits;
    std::memcpy(&bits, &value, sizeof(bits));
    const auto payload = static_cast<uint32_t>(bits >> (52 - F::mantissa)) & ((1u << F::mantissa) - 1);
    return sign | F::nan | (F::infinity ? payload : 0);
  }
  if (std::isinf(value)) return sign | F::largest;
  const uint32_t magnitude = round_magnitude<F>(value);
  return sign | (magnitude > F::largest ? F::largest : magnitude);
}

template <class F>
double widen(uint32_t bits) {
  const uint32_t magnitude = bits & (F::sign - 1);
  const uint32_t fraction = magnitude & ((1u << F::mantissa) - 1);
  const int biased = static_cast<int>(magnitude >> F::mantissa);
  double value;
  if (F::infinity ? magnitude > F::infinity : magnitude == F::nan) {
    value = std::numeric_limits<double>::quiet_NaN();
  } else if (F::infinity && magnitude == F::infinity) {
    value = std::numeric_limits<double>::infinity();
  } else if (biased == 0) {
    value = std::ldexp(fraction, 1 - F::bias - F::mantissa);
  } else {
    value = std::ldexp(fraction + (1u << F::mantissa), biased - F::bias - F::mantissa);
  }
  return std::copysign(value, bits & F::sign ? -1.0 : 1.0);
}

// float32 by the hardware's own rounding; false: finite, but too large.
inline bool round_to_float(double value, float& out) {
  out = static_cast<float>(value);
  return !std::isinf(out) || std::isinf(value);
}

// Bit-fields: `width` (1 to 64) bits that begin `offset` bits after `base`, little-endian.
inline uint64_t read_bits(const char* base, int64_t offset, int width) {
  const char* first = base + offset / 8;
  const int skip = static_cast<int>(offset % 8);
  unsigned __int128 word = 0;
  std::memcpy(&word, first, (skip + width + 7) / 8);
  const unsigned __int128 mask = (static_cast<unsigned __int128>(1) << width) - 1;
  return static_cast<uint64_t>((word >> skip) & mask);
}

inline void write_bits(char* base, int64_t offset, int width, uint64_t value) {
  char* first = base + offset / 8;
  const int skip = static_cast<int>(offset % 8);
  unsigned __int128 word = 0;
  std::memcpy(&word, first, (skip + width + 7) / 8);
  const unsigned __int128 mask = ((static_cast<unsigned __int128>(1) << width) - 1) << skip;
  word = (word & ~mask) | ((static_cast<unsigned __int128>(value) << skip) & mask);
  std::memcpy(first, &word, (skip + width + 7) / 8);
}

}  // namespace samebytes
