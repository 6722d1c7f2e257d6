// From the array descriptor that Python fills to the span or mdspan that a function declares; shims include
// it.
#pragma once
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <type_traits>

#include "array.hpp"
#include "mapping.hpp"

namespace samebytes {
namespace span_detail {

template <class S, class = void>
struct is_mdspan : std::false_type {};
template <class S>
struct is_mdspan<S, std::void_t<typename S::mapping_type>> : std::true_type {};

template <class S>
S make_span(typename S::element_type* data, std::int64_t extent, std::int64_t stride) {
  if (extent > 1 && stride != 1) throw std::invalid_argument("a span shows neighbours only");
  if (S::extent != static_cast<std::size_t>(-1) && S::extent != static_cast<std::size_t>(extent))
    throw std::invalid_argument("the array does not have the span's extent");
  return S(data, static_cast<std::size_t>(extent));
}

}  // namespace span_detail

// Python has checked the array; what is checked again here is what the class could not survive.
template <class S>
S from_descriptor(const void* descriptor) {
  using element = typename S::element_type;
  if constexpr (span_detail::is_mdspan<S>::value) {
    const auto& a = *static_cast<const array<element, S::rank()>*>(descriptor);
    if constexpr (S::rank() == 0) {
      return span_detail::make_view<S>(a.data, nullptr, nullptr, 0);
    } else {
      std::int64_t shape[S::rank()], strides[S::rank()];
      for (std::size_t d = 0; d < S::rank(); ++d) {
        shape[d] = static_cast<std::int64_t>(a.extent(d));
        strides[d] = a.stride(d);
      }
      return span_detail::make_view<S>(a.data, shape, strides, 0);
    }
  } else {
    const auto& a = *static_cast<const array<element, 1>*>(descriptor);
    return span_detail::make_span<S>(a.data, static_cast<std::int64_t>(a.extent(0)), a.stride(0));
  }
}

}  // namespace samebytes
