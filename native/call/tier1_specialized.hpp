// What a specialized call takes for one argument, inlined into each of call/tier1_specialized.cpp's
// functions.
#pragma once
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "array/numpy.hpp"
#include "call/tier2_unrolled.hpp"

namespace samebytes {

// Two words by one store: a shim copies descriptors 16 bytes at a time, and a load that spans two stores
// still in flight waits for both.
SAMEBYTES_INLINE void store_pair(char* out, const void* first, const void* second) {
#ifdef __SSE2__
  const __m128d low = _mm_load_sd(static_cast<const double*>(first));
  _mm_storeu_pd(reinterpret_cast<double*>(out), _mm_loadh_pd(low, static_cast<const double*>(second)));
#else
  std::memcpy(out, first, 8);
  std::memcpy(out + 8, second, 8);
#endif
}

// One dimension, the commonest. A stride of one element is stored without a division.
SAMEBYTES_INLINE bool put_line(const ArraySpec& spec, const PyArrayObject_fields* array, char* slot) {
  if (array->nd != 1) return false;
  const int64_t stride = array->strides[0];
  store_pair(slot, &array->data, array->dimensions);
  char* const to = slot + 2 * sizeof(int64_t);
  if (likely(stride == spec.itemsize)) return store(to, int64_t{1}), true;
  // One element that is written under several indices is for the second tier to refuse.
  return store(to, stride >> spec.shift), !(stride & spec.stride_mask) && (stride || !spec.writable);
}

SAMEBYTES_INLINE bool put_grid(const ArraySpec& spec, const PyArrayObject_fields* array, char* slot) {
  if (array->nd != spec.ndim || writes_twice(spec, array)) return false;
  ArrayRef out;
  out.shape = reinterpret_cast<int64_t*>(slot + sizeof(void*));
  out.strides = out.shape + spec.ndim;
  store(slot, array->data);
  return put_byte_strides(spec, spec.ndim, extents(array->dimensions), extents(array->strides), out);
}

SAMEBYTES_INLINE bool accept_ndarray(const ArraySpec& spec, SpecializedKind kind, PyObject* object,
                                     char* slot) {
  const PyArrayObject_fields* array = array_fields(object);
  if (Py_TYPE(object) != plain_ndarray.load(std::memory_order_acquire) ||
      reinterpret_cast<PyObject*>(array->descr) != spec.dtype || !is_aligned(spec, array->data) ||
      ((array->flags ^ spec.flags) & spec.flag_mask))
    return false;
  if (likely(kind == SpecializedKind::line)) return put_line(spec, array, slot);
  if (kind == SpecializedKind::grid) return put_grid(spec, array, slot);
  return store(slot, array->data), true;
}

template <bool Arrays>
SAMEBYTES_INLINE bool accept_specialized(const Candidate& candidate, SpecializedKind kind, int i,
                                         PyObject* object, char* slot, void*& where) {
  if (Arrays && kind <= SpecializedKind::pointer)
    return accept_ndarray(*candidate.tiers.specs[i], kind, object, slot);
  if (kind <= SpecializedKind::float32) {
    if (!PyFloat_CheckExact(object)) return false;
    const double value = PyFloat_AS_DOUBLE(object);
    float narrow;
    if (kind == SpecializedKind::float64) return store(slot, value), true;
    return round_to_float(value, narrow) && (store(slot, narrow), true);
  }
  if (kind <= SpecializedKind::int64) {
    int64_t value;
    if (!PyLong_CheckExact(object) || !short_int(object, value)) return false;
    return store(slot, value), kind == SpecializedKind::int64 || static_cast<int32_t>(value) == value;
  }
  const Input& input = candidate.inputs[i];
  return accept_object(input, object, where) && !(reinterpret_cast<uintptr_t>(where) & input.align_mask);
}

}  // namespace samebytes
