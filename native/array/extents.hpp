// Shape and stride rules shared by every array route. A dimension of extent 0 or 1, and every dimension of an
// empty array, puts no constraint on its stride.
#pragma once
#include "call/spec.hpp"

namespace samebytes {

inline bool rank_fits(const ArraySpec& spec, int64_t ndim) {
  return __builtin_expect(ndim == spec.ndim, 1) || spec.ndim < 0;
}

inline bool is_empty(int64_t ndim, const int64_t* shape) {
  for (int64_t d = 0; d < ndim; ++d)
    if (shape[d] == 0) return true;
  return false;
}

// Without gaps in C order; `unit` is the stride of neighbours: 1, or the itemsize where strides are bytes.
inline bool is_c_contiguous(int64_t ndim, const int64_t* shape, const int64_t* strides, int64_t unit) {
  if (!strides) return true;
  int64_t expected = unit;
  for (int64_t d = ndim; d-- > 0;) {
    if (shape[d] > 1 && strides[d] != expected) return is_empty(ndim, shape);
    expected *= shape[d];
  }
  return true;
}

// Whether strides in elements are of an order beyond those that routes check by themselves.
inline bool order_fits(Order order, int64_t ndim, const int64_t* shape, const int64_t* strides) {
  if (order < Order::fortran || is_empty(ndim, shape)) return true;
  int64_t expected = 1;
  for (int64_t d = 0; d < ndim; ++d) {
    if (shape[d] > 1 && (order == Order::fortran ? strides[d] != expected : strides[d] <= 0)) return false;
    expected *= shape[d];
  }
  return true;
}

// Writes C-order strides, in elements.
inline void c_strides(int64_t ndim, const int64_t* shape, int64_t* strides) {
  int64_t next = 1;
  for (int64_t d = ndim; d-- > 0;) {
    strides[d] = next;
    next *= shape[d];
  }
}

inline bool is_aligned(const ArraySpec& spec, const void* data) {
  return (reinterpret_cast<uintptr_t>(data) & spec.align_mask) == 0;
}

// Copies the shape and converts byte strides to elements. An unconstrained stride that does not divide
// becomes 0.
bool divide_strides(const ArraySpec& spec, int64_t ndim, const int64_t* shape, const int64_t* strides,
                    ArrayRef& out);

inline bool put_byte_strides(const ArraySpec& spec, int64_t ndim, const int64_t* shape,
                             const int64_t* strides, ArrayRef& out) {
  int64_t *to_shape = out.shape, *to_strides = out.strides;
  if (!to_shape) return true;
  const int64_t mask = spec.stride_mask;
  const int shift = spec.shift;
  for (int64_t d = 0; d < ndim; ++d) {
    const int64_t stride = strides[d];
    if (__builtin_expect((stride & mask) != 0, 0)) return divide_strides(spec, ndim, shape, strides, out);
    to_shape[d] = shape[d];
    to_strides[d] = stride >> shift;
  }
  return true;
}

// Copies shape and strides that already count elements; null strides mean C order.
inline void put_element_strides(int64_t ndim, const int64_t* shape, const int64_t* strides, ArrayRef& out) {
  if (!out.shape) return;
  for (int64_t d = 0; d < ndim; ++d) out.shape[d] = shape[d];
  if (!strides) return c_strides(ndim, shape, out.strides);
  for (int64_t d = 0; d < ndim; ++d) out.strides[d] = strides[d];
}

}  // namespace samebytes
