// The array descriptor that a kernel or a function receives: address, shape and strides (in elements).
#pragma once

#if !defined(__CUDACC_RTC__)
#include <cstddef>
#include <cstdint>
#endif

#if defined(__CUDACC__) || defined(__HIP__)
#define SAMEBYTES_HD __host__ __device__
#else
#define SAMEBYTES_HD
#endif

namespace samebytes {

#if defined(__CUDACC_RTC__)
using extent_type = unsigned long long;
using difference_type = long long;
#else
using extent_type = std::uint64_t;
using difference_type = std::int64_t;
#endif

namespace detail {
template <class A, class B>
struct same {};
template <class A>
struct same<A, A> {
  using type = A;
};
}  // namespace detail

// Machine representation: {T* data; uint64 shape[Rank]; uint64 strides[Rank]}. A negative stride is stored in
// two's complement. The members are public because the layout is the interface.
template <class T, extent_type Rank>
struct array {
  using element_type = T;
  using size_type = extent_type;

  T* data;
  extent_type shape[Rank];
  extent_type strides[Rank];

  static constexpr SAMEBYTES_HD extent_type rank() noexcept { return Rank; }

  constexpr SAMEBYTES_HD extent_type extent(extent_type dimension) const noexcept { return shape[dimension]; }

  constexpr SAMEBYTES_HD difference_type stride(extent_type dimension) const noexcept {
    return static_cast<difference_type>(strides[dimension]);
  }

  constexpr SAMEBYTES_HD extent_type size() const noexcept {
    extent_type product = 1;
    for (extent_type d = 0; d < Rank; ++d) product *= shape[d];
    return product;
  }

  template <class... Index>
  constexpr SAMEBYTES_HD T& operator()(Index... index) const noexcept {
    static_assert(sizeof...(Index) == Rank, "one index per dimension");
    const difference_type at[] = {static_cast<difference_type>(index)...};
    difference_type offset = 0;
    for (extent_type d = 0; d < Rank; ++d) offset += at[d] * static_cast<difference_type>(strides[d]);
    return data[offset];
  }

  constexpr SAMEBYTES_HD T& operator[](extent_type index) const noexcept {
    static_assert(Rank == 1, "operator[] is for one dimension; write a(i, j)");
    return data[static_cast<difference_type>(index) * static_cast<difference_type>(strides[0])];
  }

  // To read-only. A template, so that an array that is read-only already has no conversion to itself.
  template <class U, class = typename detail::same<U, const T>::type>
  constexpr SAMEBYTES_HD operator array<U, Rank>() const noexcept {
    array<U, Rank> view{};
    view.data = data;
    for (extent_type d = 0; d < Rank; ++d) {
      view.shape[d] = shape[d];
      view.strides[d] = strides[d];
    }
    return view;
  }
};

// Rank 0 is one element: shape[0] would be no ISO C++.
template <class T>
struct array<T, 0> {
  using element_type = T;
  using size_type = extent_type;

  T* data;

  static constexpr SAMEBYTES_HD extent_type rank() noexcept { return 0; }
  static constexpr SAMEBYTES_HD extent_type size() noexcept { return 1; }
  constexpr SAMEBYTES_HD T& operator()() const noexcept { return *data; }

  template <class U, class = typename detail::same<U, const T>::type>
  constexpr SAMEBYTES_HD operator array<U, 0>() const noexcept {
    return array<U, 0>{data};
  }
};

static_assert(sizeof(array<float, 2>) == 40 && alignof(array<float, 2>) == 8, "the descriptor of rank 2");
static_assert(sizeof(array<float, 0>) == 8, "the descriptor of rank 0");

}  // namespace samebytes
