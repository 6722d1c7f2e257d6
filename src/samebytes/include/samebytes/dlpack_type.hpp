// What DLPack calls an element type: code, bits and lanes of any number or vector, whichever library declares
// it.
//
// Types of other libraries are known by name, so that this file includes none of them and may come before or
// after them. Specialise samebytes::dlpack_type for a type of your own.
#pragma once
#include <cfloat>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace samebytes {

// DLPack's DLDataType; bits are those of one lane.
struct type_code {
  std::uint8_t code;
  std::uint8_t bits;
  std::uint16_t lanes;
};

namespace span_detail {

template <class T>
constexpr std::string_view text_of() noexcept {
  return __PRETTY_FUNCTION__;
}

// The type's name as the compiler writes it; how it frames a name is learned from double.
template <class T>
constexpr std::string_view name_of() noexcept {
  constexpr std::string_view known = text_of<double>();
  constexpr std::size_t before = known.find("double"), after = known.size() - before - 6;
  std::string_view name = text_of<T>();
  name = name.substr(before, name.size() - before - after);
  if (name.substr(0, 2) == "::") name.remove_prefix(2);
  return name;
}

struct named_type {
  std::string_view name;
  type_code type;
};

// DLPack's codes: 0 int, 1 uint, 2 float, 4 bfloat, 10 e4m3fn, 12 e5m2, 14 e8m0fnu, 15 e2m3fn, 16 e3m2fn,
// 17 e2m1fn.
inline constexpr named_type named_types[] = {
    {"__int128", {0, 128, 1}},
    {"unsigned __int128", {1, 128, 1}},
    {"__int128 unsigned", {1, 128, 1}},
    {"_Float16", {2, 16, 1}},
    {"__fp16", {2, 16, 1}},
    {"__float128", {2, 128, 1}},
    {"_Float128", {2, 128, 1}},
    {"__bf16", {4, 16, 1}},
    {"__half", {2, 16, 1}},
    {"__half2", {2, 16, 2}},
    {"__nv_bfloat16", {4, 16, 1}},
    {"__nv_bfloat162", {4, 16, 2}},
    {"__hip_bfloat16", {4, 16, 1}},
    {"hip_bfloat16", {4, 16, 1}},
    {"__nv_fp8_e4m3", {10, 8, 1}},
    {"__nv_fp8x2_e4m3", {10, 8, 2}},
    {"__nv_fp8x4_e4m3", {10, 8, 4}},
    {"__nv_fp8_e5m2", {12, 8, 1}},
    {"__nv_fp8x2_e5m2", {12, 8, 2}},
    {"__nv_fp8x4_e5m2", {12, 8, 4}},
    {"__nv_fp8_e8m0", {14, 8, 1}},
    {"__nv_fp8x2_e8m0", {14, 8, 2}},
    {"__nv_fp8x4_e8m0", {14, 8, 4}},
    {"__nv_fp6_e2m3", {15, 6, 1}},
    {"__nv_fp6x2_e2m3", {15, 6, 2}},
    {"__nv_fp6x4_e2m3", {15, 6, 4}},
    {"__nv_fp6_e3m2", {16, 6, 1}},
    {"__nv_fp6x2_e3m2", {16, 6, 2}},
    {"__nv_fp6x4_e3m2", {16, 6, 4}},
    {"__nv_fp4_e2m1", {17, 4, 1}},
    {"__nv_fp4x2_e2m1", {17, 4, 2}},
    {"__nv_fp4x4_e2m1", {17, 4, 4}},
    {"samebytes::float16", {2, 16, 1}},
    {"samebytes::bfloat16", {4, 16, 1}},
    {"samebytes::float8e4m3", {10, 8, 1}},
    {"samebytes::float8e5m2", {12, 8, 1}},
};

// The first words of vectors: CUDA's and HIP's own ("float4", "double4_16a") and ours
// ("samebytes::float32x4").
inline constexpr named_type vector_words[] = {
    {"char", {0, 8, 1}},
    {"short", {0, 16, 1}},
    {"int", {0, 32, 1}},
    {"long", {0, 64, 1}},
    {"longlong", {0, 64, 1}},
    {"uchar", {1, 8, 1}},
    {"ushort", {1, 16, 1}},
    {"uint", {1, 32, 1}},
    {"ulong", {1, 64, 1}},
    {"ulonglong", {1, 64, 1}},
    {"float", {2, 32, 1}},
    {"double", {2, 64, 1}},
    {"samebytes::int8x", {0, 8, 1}},
    {"samebytes::int16x", {0, 16, 1}},
    {"samebytes::int32x", {0, 32, 1}},
    {"samebytes::int64x", {0, 64, 1}},
    {"samebytes::uint8x", {1, 8, 1}},
    {"samebytes::uint16x", {1, 16, 1}},
    {"samebytes::uint32x", {1, 32, 1}},
    {"samebytes::uint64x", {1, 64, 1}},
    {"samebytes::float16x", {2, 16, 1}},
    {"samebytes::float32x", {2, 32, 1}},
    {"samebytes::float64x", {2, 64, 1}},
    {"samebytes::bfloat16x", {4, 16, 1}},
    {"samebytes::float8e4m3x", {10, 8, 1}},
    {"samebytes::float8e5m2x", {12, 8, 1}},
    {"samebytes::cuda::float16x", {2, 16, 1}},
    {"samebytes::cuda::bfloat16x", {4, 16, 1}},
    {"samebytes::cuda::float8e4m3x", {10, 8, 1}},
    {"samebytes::cuda::float8e5m2x", {12, 8, 1}},
};

template <std::size_t N>
constexpr type_code find_type(const named_type (&table)[N], std::string_view name) noexcept {
  for (const named_type& row : table)
    if (row.name == name) return row.type;
  return {};
}

constexpr type_code find_vector(std::string_view name) noexcept {
  for (std::string_view suffix : {"_16a", "_32a"})
    if (name.size() > 4 && name.substr(name.size() - 4) == suffix) name.remove_suffix(4);
  const char digit = name.empty() ? '\0' : name.back();
  if (digit < '1' || digit > '4') return {};
  type_code found = find_type(vector_words, name.substr(0, name.size() - 1));
  found.lanes = static_cast<std::uint16_t>(found.bits ? digit - '0' : 0);
  return found;
}

template <class T>
struct is_character
    : std::integral_constant<bool, std::is_same<T, wchar_t>::value || std::is_same<T, char16_t>::value ||
                                       std::is_same<T, char32_t>::value> {};

template <class T>
constexpr type_code number_type() noexcept {
  constexpr std::uint8_t bits = static_cast<std::uint8_t>(8 * sizeof(T));
  if constexpr (std::is_same<T, bool>::value)
    return {6, bits, 1};
  else if constexpr (std::is_integral<T>::value && !is_character<T>::value)
    return {static_cast<std::uint8_t>(std::is_signed<T>::value ? 0 : 1), bits, 1};
  else if constexpr (std::is_same<T, float>::value || std::is_same<T, double>::value)
    return {2, bits, 1};
  else if constexpr (std::is_same<T, long double>::value)
    // x87's 80 bits in 16 bytes are no IEEE binary128, which is what DLPack's 128-bit float is.
    return {2, static_cast<std::uint8_t>(LDBL_MANT_DIG == 113 ? bits : 0), 1};
  else {
    constexpr type_code found = find_type(named_types, name_of<T>());
    return found.bits ? found : find_vector(name_of<T>());
  }
}

template <class T>
struct pair_of {
  static constexpr type_code type{};
};

// std::complex<T>, cuda::std::complex<T>, Kokkos::complex<T> … of IEEE numbers: DLPack counts both parts'
// bits.
template <template <class> class Pair, class T>
struct pair_of<Pair<T>> {
  static constexpr type_code part = number_type<T>();
  static constexpr bool fits = name_of<Pair<T>>().find("complex<") != std::string_view::npos &&
                               part.code == 2 && part.bits <= 64 && part.lanes == 1 &&
                               sizeof(Pair<T>) == 2 * sizeof(T);
  static constexpr type_code type =
      fits ? type_code{5, static_cast<std::uint8_t>(2 * part.bits), 1} : type_code{};
};

}  // namespace span_detail

// Zero bits: DLPack has no name for such a type.
template <class T, class = void>
struct dlpack_type {
  static constexpr type_code pair = span_detail::pair_of<T>::type;
  static constexpr type_code value = pair.bits ? pair : span_detail::number_type<T>();
};
template <class T>
struct dlpack_type<const T, void> : dlpack_type<T> {};
template <class T>
struct dlpack_type<volatile T, void> : dlpack_type<T> {};
template <class T>
struct dlpack_type<const volatile T, void> : dlpack_type<T> {};

}  // namespace samebytes
