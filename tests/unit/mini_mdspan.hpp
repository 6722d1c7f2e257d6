// A small mdspan with the standard's members, for compilers whose library has none; and DLPack's structures.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#define DLPACK_MAJOR_VERSION 1
#define DLPACK_MINOR_VERSION 3
typedef enum : int32_t { kDLCPU = 1, kDLCUDA = 2, kDLCUDAManaged = 13 } DLDeviceType;
typedef struct {
  DLDeviceType device_type;
  int32_t device_id;
} DLDevice;
typedef struct {
  uint8_t code, bits;
  uint16_t lanes;
} DLDataType;
typedef struct {
  void* data;
  DLDevice device;
  int32_t ndim;
  DLDataType dtype;
  int64_t *shape, *strides;
  uint64_t byte_offset;
} DLTensor;
typedef struct DLManagedTensorVersioned {
  struct {
    uint32_t major, minor;
  } version;
  void* manager_ctx;
  void (*deleter)(struct DLManagedTensorVersioned*);
  uint64_t flags;
  DLTensor dl_tensor;
} DLManagedTensorVersioned;

namespace mini {

inline constexpr std::size_t dynamic_extent = static_cast<std::size_t>(-1);

template <class Index, std::size_t... N>
class extents {
 public:
  using index_type = Index;
  static constexpr std::size_t rank() noexcept { return sizeof...(N); }
  static constexpr std::size_t static_extent(std::size_t d) noexcept {
    constexpr std::size_t fixed[] = {N..., 0};
    return fixed[d];
  }
  extents() = default;
  template <class... I, class = std::enable_if_t<sizeof...(I) == sizeof...(N) && sizeof...(I) != 0>>
  explicit extents(I... n) : extent_{static_cast<Index>(n)...} {}
  Index extent(std::size_t d) const noexcept { return extent_[d]; }

 private:
  std::array<Index, sizeof...(N)> extent_{};
};

template <class Extents>
typename Extents::index_type count(const Extents& e) {
  std::uint64_t n = 1;  // wraps, as an mdspan's size does
  for (std::size_t d = 0; d < Extents::rank(); ++d) n *= static_cast<std::uint64_t>(e.extent(d));
  return static_cast<typename Extents::index_type>(n);
}

template <bool Left>
struct dense {
  template <class Extents>
  class mapping {
   public:
    using extents_type = Extents;
    using index_type = typename Extents::index_type;
    mapping() = default;
    mapping(const Extents& e) : extents_(e) {}
    const Extents& extents() const noexcept { return extents_; }
    index_type stride(std::size_t d) const noexcept {
      index_type s = 1;
      for (std::size_t i = Left ? 0 : d + 1; i < (Left ? d : Extents::rank()); ++i) s *= extents_.extent(i);
      return s;
    }
    index_type required_span_size() const noexcept { return count(extents_); }
    bool is_unique() const noexcept { return true; }
    bool is_exhaustive() const noexcept { return true; }

   private:
    Extents extents_{};
  };
};
struct layout_right : dense<false> {};
struct layout_left : dense<true> {};

struct layout_stride {
  template <class Extents>
  class mapping {
   public:
    using extents_type = Extents;
    using index_type = typename Extents::index_type;
    using array = std::array<index_type, Extents::rank()>;
    mapping() = default;
    mapping(const Extents& e, const array& s) : extents_(e), strides_(s) {}
    const Extents& extents() const noexcept { return extents_; }
    array strides() const noexcept { return strides_; }
    index_type stride(std::size_t d) const noexcept { return strides_[d]; }
    index_type required_span_size() const noexcept {
      if (count(extents_) == 0) return 0;
      index_type n = 1;
      for (std::size_t d = 0; d < Extents::rank(); ++d) n += (extents_.extent(d) - 1) * strides_[d];
      return n;
    }
    bool is_unique() const noexcept { return true; }
    bool is_exhaustive() const noexcept { return required_span_size() == count(extents_); }

   private:
    Extents extents_{};
    array strides_{};
  };
};

// libcu++'s: any stride, and an offset of the first element.
struct layout_stride_relaxed {
  template <class Extents>
  class mapping {
   public:
    using extents_type = Extents;
    using index_type = typename Extents::index_type;
    struct strides_type {
      template <class... S>
      explicit strides_type(S... s) : values{static_cast<std::int64_t>(s)...} {}
      std::array<std::int64_t, Extents::rank()> values;
    };
    mapping(const Extents& e, const strides_type& s, std::ptrdiff_t o)
        : extents_(e), strides_(s), offset_(o) {}
    const Extents& extents() const noexcept { return extents_; }
    const strides_type& strides() const noexcept { return strides_; }
    std::ptrdiff_t offset() const noexcept { return offset_; }
    std::ptrdiff_t stride(std::size_t d) const noexcept { return strides_.values[d]; }
    index_type required_span_size() const noexcept {
      index_type n = 1 + offset_;
      for (std::size_t d = 0; d < Extents::rank(); ++d) {
        if (extents_.extent(d) == 0) return 0;
        if (stride(d) > 0) n += (extents_.extent(d) - 1) * stride(d);
      }
      return n;
    }
    bool is_unique() const noexcept { return false; }
    bool is_exhaustive() const noexcept { return false; }

   private:
    Extents extents_;
    strides_type strides_;
    std::ptrdiff_t offset_;
  };
};

template <class T, class Extents, class Layout = layout_right>
class mdspan {
 public:
  using element_type = T;
  using extents_type = Extents;
  using layout_type = Layout;
  using mapping_type = typename Layout::template mapping<Extents>;
  using index_type = typename Extents::index_type;
  using data_handle_type = T*;
  static constexpr std::size_t rank() noexcept { return Extents::rank(); }
  mdspan(T* data, const mapping_type& mapping) : data_(data), mapping_(mapping) {}
  T* data_handle() const noexcept { return data_; }
  const mapping_type& mapping() const noexcept { return mapping_; }
  index_type extent(std::size_t d) const noexcept { return mapping_.extents().extent(d); }
  index_type size() const noexcept { return count(mapping_.extents()); }

 private:
  T* data_;
  mapping_type mapping_;
};

}  // namespace mini
