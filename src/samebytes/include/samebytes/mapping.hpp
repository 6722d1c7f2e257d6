// Builds any library's mdspan from an address, a shape and strides, or says why its layout cannot show them.
//
// Nothing of the library is named: std::mdspan, Kokkos' and libcu++'s have the same members.
#pragma once
#ifdef __CUDACC_RTC__  // which has no standard library, and no exceptions
#include <cuda/std/cstddef>
#include <cuda/std/cstdint>
#include <cuda/std/limits>
#include <cuda/std/type_traits>
#include <cuda/std/utility>
#define SAMEBYTES_REFUSE(words) __trap()
#else
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <type_traits>
#include <utility>
#define SAMEBYTES_REFUSE(words) throw std::invalid_argument(words)
#endif

namespace samebytes {
namespace span_detail {

#ifdef __CUDACC_RTC__
namespace std = ::cuda::std;
#endif

template <class T>
using plain = typename std::remove_cv<typename std::remove_reference<T>::type>::type;

// The strides of layout_stride and of libcu++'s layout_stride_relaxed are given to their mapping; the latter
// has an offset beside them.
template <class Mapping, class = void>
struct is_strided : std::false_type {};
template <class Mapping>
struct is_strided<Mapping, std::void_t<decltype(std::declval<const Mapping&>().strides())>>
    : std::is_constructible<Mapping, const typename Mapping::extents_type&,
                            const plain<decltype(std::declval<const Mapping&>().strides())>&> {};

template <class Mapping, class = void>
struct is_relaxed : std::false_type {};
template <class Mapping>
struct is_relaxed<
    Mapping, std::void_t<typename Mapping::strides_type, decltype(std::declval<const Mapping&>().offset())>>
    : std::true_type {};

// The same library's extents with two dimensions, to ask a layout which of them is dense.
template <class Extents>
struct two_dimensions;
template <template <class, std::size_t...> class Extents, class Index, std::size_t... N>
struct two_dimensions<Extents<Index, N...>> {
  using type = Extents<Index, static_cast<std::size_t>(-1), static_cast<std::size_t>(-1)>;
};

enum class order { right, left, other };

template <class Layout, class Extents>
order order_of() {
  using two = typename two_dimensions<Extents>::type;
  using index = typename two::index_type;
  const typename Layout::template mapping<two> probe(two(index(2), index(3)));
  if (probe.stride(0) == 3 && probe.stride(1) == 1) return order::right;
  return probe.stride(0) == 1 && probe.stride(1) == 2 ? order::left : order::other;
}

inline bool is_empty(const std::int64_t* shape, std::size_t rank) noexcept {
  for (std::size_t d = 0; d < rank; ++d)
    if (shape[d] == 0) return true;
  return false;
}

inline std::int64_t times(std::int64_t a, std::int64_t b) {
  std::int64_t product;
  if (__builtin_mul_overflow(a, b, &product)) SAMEBYTES_REFUSE("shape overflow");
  return product;
}

// The stride of one dimension where the elements lie without gaps.
inline std::int64_t dense_stride(order o, const std::int64_t* shape, std::size_t dimension,
                                 std::size_t rank) {
  std::int64_t stride = 1;
  const std::size_t first = o == order::left ? 0 : dimension + 1, last = o == order::left ? dimension : rank;
  for (std::size_t d = first; d < last; ++d) stride = times(stride, shape[d]);
  return stride;
}

template <class Target, std::size_t... D>
Target from_numbers(const std::int64_t* numbers, std::index_sequence<D...>) {
  (void)numbers;
  return Target(static_cast<typename Target::index_type>(numbers[D])...);
}

// Like libcu++'s strides: numbers of a signed type.
template <class Target, std::size_t... D>
Target from_steps(const std::int64_t* numbers, std::index_sequence<D...>) {
  (void)numbers;
  return Target(numbers[D]...);
}

template <class Extents>
void check_extents(const std::int64_t* shape) {
  using index = typename Extents::index_type;
  for (std::size_t d = 0; d < Extents::rank(); ++d) {
    if (static_cast<std::uint64_t>(shape[d]) > static_cast<std::uint64_t>(std::numeric_limits<index>::max()))
      SAMEBYTES_REFUSE("DLTensor shape does not fit the mdspan's index type");
    const std::size_t fixed = Extents::static_extent(d);
    if (fixed != static_cast<std::size_t>(-1) && fixed != static_cast<std::size_t>(shape[d]))
      SAMEBYTES_REFUSE("DLTensor shape does not match the mdspan's static extents");
  }
}

// A dimension with at most one index, or of an array without elements, puts no constraint on its stride.
template <class M>
typename M::mapping_type dense_mapping(const std::int64_t* shape, const std::int64_t* strides,
                                       const typename M::extents_type& extents) {
  constexpr std::size_t rank = M::rank();
  const typename M::mapping_type mapping(extents);
  if constexpr (rank > 0) {
    const order o = order_of<typename M::layout_type, typename M::extents_type>();
    const bool empty = is_empty(shape, rank);
    for (std::size_t d = 0; d < rank && !empty; ++d) {
      const std::int64_t expected =
          o == order::other ? static_cast<std::int64_t>(mapping.stride(d)) : dense_stride(o, shape, d, rank);
      if (shape[d] > 1 && strides[d] != expected)
        SAMEBYTES_REFUSE(o == order::right  ? "DLTensor strides are not compatible with layout_right"
                         : o == order::left ? "DLTensor strides are not compatible with layout_left"
                                            : "DLTensor strides are not compatible with the layout");
    }
  }
  return mapping;
}

template <class M>
typename M::mapping_type strided_mapping(const std::int64_t* shape, const std::int64_t* strides,
                                         const typename M::extents_type& extents) {
  using mapping = typename M::mapping_type;
  constexpr std::size_t rank = M::rank();
  plain<decltype(std::declval<const mapping&>().strides())> kept{};
  if constexpr (rank > 0) {
    using index = typename M::index_type;
    constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<index>::max());
    const bool empty = is_empty(shape, rank);
    std::int64_t dense = 1;
    for (std::size_t d = rank; d-- > 0;) {
      std::int64_t stride = strides[d];
      if (stride <= 0) {
        if (shape[d] > 1 && !empty) SAMEBYTES_REFUSE("layout_stride requires strictly positive strides");
        stride = dense;  // never used; the mapping wants a positive number
      }
      if (static_cast<std::uint64_t>(stride) > most)
        SAMEBYTES_REFUSE("DLTensor strides do not fit the mdspan's index type");
      kept[d] = static_cast<index>(stride);
      if (shape[d] > 1 && __builtin_mul_overflow(dense, shape[d], &dense)) dense = 1;
    }
  }
  return mapping(extents, kept);
}

// How many elements before the first one the lowest address lies.
inline std::int64_t reach_below(const std::int64_t* shape, const std::int64_t* strides,
                                std::size_t rank) noexcept {
  std::int64_t below = 0;
  if (is_empty(shape, rank)) return 0;
  for (std::size_t d = 0; d < rank; ++d)
    if (strides[d] < 0) below -= (shape[d] - 1) * strides[d];
  return below;
}

// The view of elements whose first is at data + offset; the offset (in elements) is kept where the layout has
// one.
template <class M>
M make_view(typename M::element_type* data, const std::int64_t* shape, const std::int64_t* strides,
            std::int64_t offset) {
  using extents_type = typename M::extents_type;
  using mapping_type = typename M::mapping_type;
  constexpr auto dimensions = std::make_index_sequence<M::rank()>();
  check_extents<extents_type>(shape);
  const extents_type extents = from_numbers<extents_type>(shape, dimensions);
  if constexpr (is_relaxed<mapping_type>::value) {
    // An offset that is too small for negative strides would break the mapping's own precondition.
    const std::int64_t below = reach_below(shape, strides, M::rank());
    if (below > offset) {
      data -= below - offset;
      offset = below;
    }
    using strides_type = typename mapping_type::strides_type;
    return M(data, mapping_type(extents, from_steps<strides_type>(strides, dimensions), offset));
  } else if constexpr (is_strided<mapping_type>::value) {
    return M(data + offset, strided_mapping<M>(shape, strides, extents));
  } else {
    static_assert(std::is_constructible<mapping_type, const extents_type&>::value,
                  "samebytes: this layout's mapping is made neither of extents nor of extents and strides");
    return M(data + offset, dense_mapping<M>(shape, strides, extents));
  }
}

}  // namespace span_detail
}  // namespace samebytes
