// From the array descriptor that Python fills to the span or mdspan that a function declares; shims include
// it.
#pragma once
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
  if (extent > 1 && stride != 1) SAMEBYTES_REFUSE("a span shows neighbours only");
  if (S::extent != static_cast<std::size_t>(-1) && S::extent != static_cast<std::size_t>(extent))
    SAMEBYTES_REFUSE("the array does not have the span's extent");
  return S(data, static_cast<std::size_t>(extent));
}

// Python has checked the array; what is checked again here is what the class could not survive.
template <class S>
S from_descriptor(const void* descriptor) {
  using element = typename S::element_type;
  if constexpr (is_mdspan<S>::value) {
    const auto& a = *static_cast<const array<element, S::rank()>*>(descriptor);
    if constexpr (S::rank() == 0) {
      return make_view<S>(a.data, nullptr, nullptr, 0);
    } else {
      std::int64_t shape[S::rank()], strides[S::rank()];
      for (std::size_t d = 0; d < S::rank(); ++d) {
        shape[d] = static_cast<std::int64_t>(a.extent(d));
        strides[d] = a.stride(d);
      }
      return make_view<S>(a.data, shape, strides, 0);
    }
  } else {
    const auto& a = *static_cast<const array<element, 1>*>(descriptor);
    return make_span<S>(a.data, static_cast<std::int64_t>(a.extent(0)), a.stride(0));
  }
}

// A view of a library's own: what makes it gets the address, the extents, and the strides in elements.
template <std::size_t Rank, class S, class E>
S from_array(const void* descriptor, S (*make)(E*, const std::int64_t*, const std::int64_t*)) {
  const auto& a = *static_cast<const array<E, Rank>*>(descriptor);
  std::int64_t shape[Rank], strides[Rank];
  for (std::size_t d = 0; d < Rank; ++d) {
    shape[d] = static_cast<std::int64_t>(a.extent(d));
    strides[d] = a.stride(d);
  }
  return make(a.data, shape, strides);
}

}  // namespace span_detail

using span_detail::from_array;
using span_detail::from_descriptor;

}  // namespace samebytes
