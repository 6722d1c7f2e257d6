// What kernels call that DPC++'s runtime links from a library of its own, and that code which is kept as
// SPIR-V has with it: the conversions of bfloat16.
#pragma once
#include <sycl/sycl.hpp>

#ifdef __SYCL_DEVICE_ONLY__
extern "C" {
__attribute__((sycl_device)) float __devicelib_ConvertBF16ToFINTEL(const std::uint16_t& number) noexcept {
  return __builtin_bit_cast(float, static_cast<std::uint32_t>(number) << 16);
}

// To the nearest, and of two to the even one; a NaN stays one.
__attribute__((sycl_device)) std::uint16_t __devicelib_ConvertFToBF16INTEL(const float& number) noexcept {
  const std::uint32_t bits = __builtin_bit_cast(std::uint32_t, number);
  if ((bits & 0x7FFFFFFF) > 0x7F800000) return static_cast<std::uint16_t>(bits >> 16 | 0x40);
  return static_cast<std::uint16_t>((bits + 0x7FFF + (bits >> 16 & 1)) >> 16);
}
}
#endif
