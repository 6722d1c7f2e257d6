// The array descriptor that a kernel or a function receives: address, shape and strides (in elements).
//
// For g++, clang, nvcc, NVRTC, HIP and SYCL; needs no include of its own. Its bytes are those of libcu++'s
// mdspan<T, dims<Rank>, layout_stride>, and it converts from and to every mdspan (libcu++, Kokkos, C++23)
// through that mdspan's own members.
#pragma once

// For those who loop over shape and strides on the host: std::size_t and std::uint64_t.
#if !defined(__CUDACC_RTC__) && !defined(__CUDA_ARCH__) && !defined(__HIP_DEVICE_COMPILE__) && \
    !defined(__SYCL_DEVICE_ONLY__)
#include <cstddef>
#include <cstdint>
#endif

#if defined(__clang__) && (defined(__HIP__) || defined(__CUDA__))
#define SAMEBYTES_HD __attribute__((host)) __attribute__((device))
#elif defined(__CUDACC__)
#define SAMEBYTES_HD __host__ __device__
#else
#define SAMEBYTES_HD
#endif

namespace samebytes {

using extent_type = decltype(sizeof 0);
using difference_type = decltype(static_cast<char*>(nullptr) - static_cast<char*>(nullptr));
static_assert(sizeof(extent_type) == 8 && sizeof(difference_type) == 8,
              "the descriptor is for 64-bit machines");

template <class T, extent_type Rank>
struct array;

namespace detail {

template <class A, class B>
inline constexpr bool same = false;
template <class A>
inline constexpr bool same<A, A> = true;

template <bool Condition>
struct enabled {};
template <>
struct enabled<true> {
  using type = int;
};
template <bool Condition>
using enable = typename enabled<Condition>::type;

template <class T>
struct plain {
  using type = T;
};
template <class T>
struct plain<T&> : plain<T> {};
template <class T>
struct plain<T&&> : plain<T> {};
template <class T>
struct plain<const T> : plain<T> {};
template <class...>
using void_of = void;
template <class T>
SAMEBYTES_HD T declared() noexcept;

// T* may become U* without a cast and without another step: float* to const float*.
template <class T, class U, class = void>
inline constexpr bool qualifies = false;
template <class T, class U>
inline constexpr bool qualifies<T, U, void_of<decltype(static_cast<U (*)[1]>(declared<T (*)[1]>()))>> = true;

// What every mdspan has; a descriptor has no mapping.
template <class M, class = void>
inline constexpr bool is_mdspan = false;
template <class M>
inline constexpr bool is_mdspan<
    M, void_of<typename M::element_type, typename M::mapping_type, typename M::extents_type,
               decltype(declared<const M&>().data_handle()), decltype(declared<const M&>().mapping()),
               decltype(declared<const M&>().extent(0))>> = true;

template <class M, class T, extent_type Rank, bool = is_mdspan<M>>
inline constexpr bool can_come_from = false;
template <class M, class T, extent_type Rank>
inline constexpr bool can_come_from<M, T, Rank, true> =
    M::rank() == Rank && M::is_always_strided() && qualifies<typename M::element_type, T>;

template <class M, class T, extent_type Rank, bool = is_mdspan<M>>
inline constexpr bool has_shape = false;
template <class M, class T, extent_type Rank>
inline constexpr bool has_shape<M, T, Rank, true> =
    M::rank() == Rank && M::extents_type::rank_dynamic() == Rank && qualifies<T, typename M::element_type>;

// mapping(extents, strides), as layout_stride's; the array of strides is the one that the mapping itself
// returns.
template <class M, class = void>
inline constexpr bool takes_strides = false;
template <class M>
inline constexpr bool takes_strides<
    M, void_of<decltype(typename M::mapping_type(declared<typename M::extents_type>(),
                                                 declared<const typename M::mapping_type&>().strides()))>> =
    true;

template <class M, class T, extent_type Rank, bool = has_shape<M, T, Rank>>
inline constexpr bool can_become = false;
template <class M, class T, extent_type Rank>
inline constexpr bool can_become<M, T, Rank, true> = takes_strides<M>;

template <extent_type... D>
struct numbers {};
template <extent_type N, extent_type... D>
struct count : count<N - 1, N - 1, D...> {};
template <extent_type... D>
struct count<0, D...> {
  using type = numbers<D...>;
};

template <class M, class T, extent_type... D>
constexpr SAMEBYTES_HD M to_mdspan(T* data, const extent_type* shape, const extent_type* strides,
                                   numbers<D...>) {
  using extents = typename M::extents_type;
  using index = typename extents::index_type;
  typename plain<decltype(declared<const typename M::mapping_type&>().strides())>::type steps{};
  const int each[] = {((steps[D] = static_cast<index>(strides[D])), 0)...};
  static_cast<void>(each);
  return M(data, typename M::mapping_type(extents(static_cast<index>(shape[D])...), steps));
}

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

  array() = default;

  constexpr SAMEBYTES_HD array(T* address, const extent_type (&extents)[Rank],
                               const extent_type (&steps)[Rank]) noexcept
      : data(address), shape{}, strides{} {
    for (extent_type d = 0; d < Rank; ++d) {
      shape[d] = extents[d];
      strides[d] = steps[d];
    }
  }

  // From any mdspan of this rank whose elements may be seen as T. Never chosen for a copy: a descriptor is no
  // mdspan.
  template <class M, detail::enable<detail::can_come_from<M, T, Rank>> = 0>
  constexpr SAMEBYTES_HD array(const M& span) noexcept : data(span.data_handle()), shape{}, strides{} {
    for (extent_type d = 0; d < Rank; ++d) {
      shape[d] = static_cast<extent_type>(span.extent(d));
      strides[d] = static_cast<extent_type>(span.mapping().stride(d));
    }
  }

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

  // Whether every stride is positive: what a layout_stride mdspan demands of those it is made from.
  constexpr SAMEBYTES_HD bool strides_are_positive() const noexcept {
    for (extent_type d = 0; d < Rank; ++d) {
      if (stride(d) <= 0) return false;
    }
    return true;
  }

  template <class... Index>
  constexpr SAMEBYTES_HD T& operator()(Index... index) const noexcept {
    static_assert(sizeof...(Index) == Rank, "one index per dimension");
    const difference_type at[] = {static_cast<difference_type>(index)...};
    difference_type offset = 0;
    for (extent_type d = 0; d < Rank; ++d) offset += at[d] * stride(d);
    return data[offset];
  }

#if defined(__cpp_multidimensional_subscript)
  template <class... Index>
  constexpr SAMEBYTES_HD T& operator[](Index... index) const noexcept {
    return (*this)(index...);
  }
#else
  constexpr SAMEBYTES_HD T& operator[](extent_type index) const noexcept {
    static_assert(Rank == 1, "operator[] is for one dimension; write a(i, j)");
    return data[static_cast<difference_type>(index) * stride(0)];
  }
#endif

  // To read-only. A template, so that an array that is read-only already has no conversion to itself.
  template <class U, detail::enable<detail::same<U, const T>> = 0>
  constexpr SAMEBYTES_HD operator array<U, Rank>() const noexcept {
    return array<U, Rank>(data, shape, strides);
  }

  // To any mdspan of this rank with strides and without fixed extents. Every stride must be positive.
  template <class M, detail::enable<detail::can_become<M, T, Rank>> = 0>
  constexpr SAMEBYTES_HD operator M() const {
    return detail::to_mdspan<M>(data, shape, strides, typename detail::count<Rank>::type{});
  }
};

// Rank 0 is one element: shape[0] would be no ISO C++.
template <class T>
struct array<T, 0> {
  using element_type = T;
  using size_type = extent_type;

  T* data;

  array() = default;
  constexpr SAMEBYTES_HD array(T* address) noexcept : data(address) {}

  template <class M, detail::enable<detail::can_come_from<M, T, 0>> = 0>
  constexpr SAMEBYTES_HD array(const M& span) noexcept : data(span.data_handle()) {}

  static constexpr SAMEBYTES_HD extent_type rank() noexcept { return 0; }
  static constexpr SAMEBYTES_HD extent_type size() noexcept { return 1; }
  constexpr SAMEBYTES_HD T& operator()() const noexcept { return *data; }

  template <class U, detail::enable<detail::same<U, const T>> = 0>
  constexpr SAMEBYTES_HD operator array<U, 0>() const noexcept {
    return array<U, 0>(data);
  }

  template <class M, detail::enable<detail::has_shape<M, T, 0>> = 0>
  constexpr SAMEBYTES_HD operator M() const {
    return M(data, typename M::mapping_type());
  }
};

template <class M, detail::enable<detail::is_mdspan<M>> = 0>
array(const M&) -> array<typename M::element_type, M::rank()>;

static_assert(sizeof(array<float, 2>) == 40 && alignof(array<float, 2>) == 8, "the descriptor of rank 2");
static_assert(sizeof(array<float, 0>) == 8, "the descriptor of rank 0");
static_assert(__is_trivially_copyable(array<float, 2>) && __is_standard_layout(array<float, 2>),
              "only bytes");

}  // namespace samebytes
