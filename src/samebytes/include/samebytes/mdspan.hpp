// From DLPack tensors to multidimensional spans and back: libcu++'s conversions for every library's mdspan.
//
//   auto m = samebytes::to_host_mdspan<Kokkos::mdspan<const float, Kokkos::dextents<int64_t, 2>>>(tensor);
//
// Needs <dlpack/dlpack.h> on the include path, or a DLPack header included before; SAMEBYTES_DISABLE_DLPACK
// leaves all of it out. Checks, their order and their words are libcu++'s; docs/mdspan.md lists the
// differences.
#pragma once

#if !defined(SAMEBYTES_DISABLE_DLPACK)
#if !defined(DLPACK_VERSION) && !defined(DLPACK_MAJOR_VERSION)
#if __has_include(<dlpack/dlpack.h>)
#include <dlpack/dlpack.h>
#elif __has_include(<dlpack.h>)
#include <dlpack.h>
#endif
#endif
#if defined(DLPACK_VERSION) || defined(DLPACK_MAJOR_VERSION)
#define SAMEBYTES_HAS_DLPACK 1
#endif
#endif

#if defined(SAMEBYTES_HAS_DLPACK)
#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <type_traits>

#include "dlpack_type.hpp"
#include "mapping.hpp"

// Since DLPack 1.2 a tensor of one dimension or more has strides.
#if defined(DLPACK_MAJOR_VERSION) && \
    (DLPACK_MAJOR_VERSION > 1 || (DLPACK_MAJOR_VERSION == 1 && DLPACK_MINOR_VERSION >= 2))
#define SAMEBYTES_DLPACK_STRIDES 1
#endif

namespace samebytes {
namespace span_detail {

inline void require(bool holds, const char* otherwise) {
  if (!holds) throw std::invalid_argument(otherwise);
}

template <class T>
constexpr type_code checked_type() noexcept {
  constexpr type_code type = dlpack_type<typename std::remove_cv<T>::type>::value;
  static_assert(type.bits != 0, "samebytes: DLPack has no name for this element type; see dlpack_type");
  return type;
}

template <class M>
void require_strides(const ::DLTensor& tensor) {
#if defined(SAMEBYTES_DLPACK_STRIDES)
  require(tensor.strides != nullptr, "strides=nullptr is not supported for DLPack v1.2 and later");
#else
  using mapping = typename M::mapping_type;
  if constexpr (M::rank() > 1 && !is_relaxed<mapping>::value && !is_strided<mapping>::value)
    require(tensor.strides != nullptr ||
                order_of<typename M::layout_type, typename M::extents_type>() != order::left,
            "strides must be non-null for layout_left");
#endif
}

template <class M>
M to_mdspan(const ::DLTensor& tensor) {
  using element = typename M::element_type;
  constexpr std::size_t rank = M::rank();
  constexpr type_code type = checked_type<element>();
  require(tensor.ndim == static_cast<std::int64_t>(rank), "DLTensor rank does not match expected rank");
  require(
      tensor.dtype.code == type.code && tensor.dtype.bits == type.bits && tensor.dtype.lanes == type.lanes,
      "DLTensor data type does not match expected type");
  const bool empty = tensor.shape && is_empty(tensor.shape, rank);
  require(tensor.data != nullptr || empty, "DLTensor data must be non-null");
  constexpr bool relaxed = is_relaxed<typename M::mapping_type>::value;
  if constexpr (relaxed)
    require(tensor.byte_offset % sizeof(element) == 0,
            "DLTensor byte_offset must be a multiple of element size");
  const std::int64_t offset = relaxed ? static_cast<std::int64_t>(tensor.byte_offset / sizeof(element)) : 0;
  // DLPack's byte_offset is unsigned; like a pointer's it may wrap.
  const auto base = reinterpret_cast<std::uintptr_t>(tensor.data);
  const std::uintptr_t start = relaxed || !base ? base : base + tensor.byte_offset;
  require(start % alignof(element) == 0, "DLTensor data must be aligned to the data type");
  auto* const data = reinterpret_cast<element*>(start);
  if constexpr (rank == 0) {
    return make_view<M>(data, nullptr, nullptr, offset);
  } else {
    require(tensor.shape != nullptr, "DLTensor shape must be non-null");
    for (std::size_t d = 0; d < rank; ++d) require(tensor.shape[d] >= 0, "DLTensor shapes must be positive");
    require_strides<M>(tensor);
    if (tensor.strides) return make_view<M>(data, tensor.shape, tensor.strides, offset);
    std::int64_t strides[rank];
    for (std::size_t d = 0; d < rank; ++d) strides[d] = dense_stride(order::right, tensor.shape, d, rank);
    return make_view<M>(data, tensor.shape, strides, offset);
  }
}

}  // namespace span_detail

// A view of a tensor in host memory (kDLCPU). M is an mdspan: its element type, rank, static extents and
// layout are checked against the tensor. The view owns nothing. Throws std::invalid_argument.
template <class M>
[[nodiscard]] M to_host_mdspan(const ::DLTensor& tensor) {
  span_detail::require(tensor.device.device_type == ::kDLCPU,
                       "DLTensor device type must be kDLCPU for host_mdspan");
  return span_detail::to_mdspan<M>(tensor);
}

// A view of a tensor in CUDA device memory (kDLCUDA), for device code.
template <class M>
[[nodiscard]] M to_device_mdspan(const ::DLTensor& tensor) {
  span_detail::require(static_cast<int>(tensor.device.device_type) == 2,
                       "DLTensor device type must be kDLCUDA for device_mdspan");
  return span_detail::to_mdspan<M>(tensor);
}

// A view of a tensor in CUDA managed memory (kDLCUDAManaged).
template <class M>
[[nodiscard]] M to_managed_mdspan(const ::DLTensor& tensor) {
  span_detail::require(static_cast<int>(tensor.device.device_type) == 13,
                       "DLTensor device type must be kDLCUDAManaged for managed_mdspan");
  return span_detail::to_mdspan<M>(tensor);
}

// Owns the shape and the strides of a tensor; the tensor is valid while this lives.
template <std::size_t Rank>
class dlpack_tensor {
 public:
  [[nodiscard]] ::DLTensor get() const& noexcept {
    ::DLTensor tensor = tensor_;
    tensor.shape = Rank ? const_cast<std::int64_t*>(shape_.data()) : nullptr;
    tensor.strides = Rank ? const_cast<std::int64_t*>(strides_.data()) : nullptr;
    return tensor;
  }
  ::DLTensor get() const&& = delete;

 private:
  template <class M>
  friend dlpack_tensor<M::rank()> to_dlpack_tensor(const M&, ::DLDevice);
  ::DLTensor tensor_{};
  std::array<std::int64_t, Rank> shape_{}, strides_{};
};

// The tensor that shows what an mdspan shows; a mapping's own offset becomes byte_offset.
template <class M>
[[nodiscard]] dlpack_tensor<M::rank()> to_dlpack_tensor(const M& m, ::DLDevice device = {::kDLCPU, 0}) {
  using element = typename M::element_type;
  static_assert(std::is_pointer<typename M::data_handle_type>::value, "the data handle must be a pointer");
  constexpr type_code type = span_detail::checked_type<element>();
  dlpack_tensor<M::rank()> made;
  bool empty = false;
  if constexpr (M::rank() > 0) {
    for (std::size_t d = 0; d < M::rank(); ++d) {
      span_detail::require(static_cast<std::uint64_t>(m.extent(d)) <= INT64_MAX, "Extent is too large");
      made.shape_[d] = static_cast<std::int64_t>(m.extent(d));
      made.strides_[d] = static_cast<std::int64_t>(m.mapping().stride(d));
      empty = empty || made.shape_[d] == 0;
    }
  }
  ::DLTensor& tensor = made.tensor_;
  tensor.data = empty ? nullptr : const_cast<typename std::remove_cv<element>::type*>(m.data_handle());
  tensor.device = device;
  tensor.ndim = static_cast<int>(M::rank());
  tensor.dtype = {type.code, type.bits, type.lanes};
  if constexpr (span_detail::is_relaxed<typename M::mapping_type>::value)
    if (!empty) tensor.byte_offset = static_cast<std::uint64_t>(m.mapping().offset()) * sizeof(element);
  return made;
}

#if defined(DLPACK_MAJOR_VERSION)
namespace span_detail {
// In memory a number of 4 or 6 bits takes a byte of its own only where the producer says so; C++ reads
// sizeof(T).
template <class M>
const ::DLTensor& checked(const ::DLManagedTensorVersioned& managed) {
  using element = typename M::element_type;
  constexpr std::uint64_t read_only = 1, padded = 4;
  require(managed.version.major == 1, "only DLPack 1.x is understood");
  require(std::is_const<element>::value || !(managed.flags & read_only),
          "the tensor is read-only: the element type must be const");
  const auto& type = managed.dl_tensor.dtype;
  if (checked_type<element>().bits < 8 && type.bits < 8) {
    const int bits = type.lanes * (managed.flags & padded ? 8 : type.bits), held = 8 * sizeof(element);
    require(bits >= held, "the tensor packs its elements more tightly than C++ stores them");
    require(bits <= held, "the tensor stores its elements more widely than C++ does");
  }
  return managed.dl_tensor;
}
}  // namespace span_detail

// The same conversions from a managed tensor, whose flags say what a DLTensor cannot.
template <class M>
[[nodiscard]] M to_host_mdspan(const ::DLManagedTensorVersioned& managed) {
  return to_host_mdspan<M>(span_detail::checked<M>(managed));
}
template <class M>
[[nodiscard]] M to_device_mdspan(const ::DLManagedTensorVersioned& managed) {
  return to_device_mdspan<M>(span_detail::checked<M>(managed));
}
template <class M>
[[nodiscard]] M to_managed_mdspan(const ::DLManagedTensorVersioned& managed) {
  return to_managed_mdspan<M>(span_detail::checked<M>(managed));
}
#endif

}  // namespace samebytes
#endif
