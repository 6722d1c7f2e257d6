// Vectors of one to four numbers with CUDA's layout, and storage for the small floating formats that C++17
// lacks.
//
// Layout rule, as in CUDA's vector_types.h: one and three elements are aligned as the element, two and four
// as a whole but never to more than 16 bytes. The host side of Python's samebytes.float32x4 and so on.
#pragma once
#include <cstdint>

namespace samebytes {

// The bits of a number; arithmetic is the business of whoever has a type for it.
struct float16 {
  std::uint16_t bits;
};  // IEEE 754 binary16
struct bfloat16 {
  std::uint16_t bits;
};  // the upper half of binary32
struct float8e4m3 {
  std::uint8_t bits;
};  // "fn": no infinities, largest 448
struct float8e5m2 {
  std::uint8_t bits;
};  // the upper half of binary16

#define SAMEBYTES_VECTORS(NAME, T)                                                              \
  struct NAME##x1 {                                                                             \
    T x;                                                                                        \
  };                                                                                            \
  struct alignas(2 * sizeof(T)) NAME##x2 {                                                      \
    T x, y;                                                                                     \
  };                                                                                            \
  struct NAME##x3 {                                                                             \
    T x, y, z;                                                                                  \
  };                                                                                            \
  struct alignas(4 * sizeof(T) < 16 ? 4 * sizeof(T) : 16) NAME##x4 {                            \
    T x, y, z, w;                                                                               \
  };                                                                                            \
  static_assert(sizeof(NAME##x2) == 2 * sizeof(T) && sizeof(NAME##x3) == 3 * sizeof(T), #NAME); \
  static_assert(sizeof(NAME##x4) == 4 * sizeof(T) && alignof(NAME##x3) == alignof(T), #NAME)

SAMEBYTES_VECTORS(int8, std::int8_t);
SAMEBYTES_VECTORS(int16, std::int16_t);
SAMEBYTES_VECTORS(int32, std::int32_t);
SAMEBYTES_VECTORS(int64, std::int64_t);
SAMEBYTES_VECTORS(uint8, std::uint8_t);
SAMEBYTES_VECTORS(uint16, std::uint16_t);
SAMEBYTES_VECTORS(uint32, std::uint32_t);
SAMEBYTES_VECTORS(uint64, std::uint64_t);
SAMEBYTES_VECTORS(float16, float16);
SAMEBYTES_VECTORS(bfloat16, bfloat16);
SAMEBYTES_VECTORS(float8e4m3, float8e4m3);
SAMEBYTES_VECTORS(float8e5m2, float8e5m2);
SAMEBYTES_VECTORS(float32, float);
SAMEBYTES_VECTORS(float64, double);

#undef SAMEBYTES_VECTORS

}  // namespace samebytes
