// Reads NumPy arrays straight from their C struct; NumPy's function table is never needed.
#pragma once
#ifndef NPY_NO_DEPRECATED_API
#define NPY_NO_DEPRECATED_API NPY_2_0_API_VERSION
#endif
#include <numpy/ndarraytypes.h>

#include "array/extents.hpp"
#include "array/overlap.hpp"

namespace samebytes {

static_assert(sizeof(npy_intp) == sizeof(int64_t), "extents are read as 64-bit numbers");

// Arrays that only warn when written (np.broadcast_arrays) are read-only to us: their elements overlap.
constexpr int kWarnOnWrite = static_cast<int>(1u << 31);

inline const PyArrayObject_fields* array_fields(PyObject* array) {
  return reinterpret_cast<const PyArrayObject_fields*>(array);
}

// Bytes of one element. NumPy 1 had another struct; 2 is required.
inline int64_t array_itemsize(const PyArrayObject_fields* array) {
  return reinterpret_cast<const _PyArray_DescrNumPy2*>(array->descr)->elsize;
}

inline const int64_t* extents(const npy_intp* values) { return reinterpret_cast<const int64_t*>(values); }

// Whether C++ would write to elements that overlap. What is contiguous in either order has none that do.
inline bool writes_twice(const ArraySpec& spec, const PyArrayObject_fields* a) {
  constexpr int dense = NPY_ARRAY_C_CONTIGUOUS | NPY_ARRAY_F_CONTIGUOUS;
  return __builtin_expect(spec.writable && !(a->flags & dense), 0) &&
         may_overlap(a->nd, extents(a->dimensions), extents(a->strides), array_itemsize(a));
}

// The object's type has been checked.
inline bool ndarray_fits(const ArraySpec& spec, PyObject* object, ArrayRef& out) {
  const PyArrayObject_fields* a = array_fields(object);
  auto* dtype = reinterpret_cast<PyObject*>(a->descr);
  if (__builtin_expect(dtype != spec.dtype, 0) && !spec.accepts(dtype)) return false;
  if (!rank_fits(spec, a->nd) || (a->flags & spec.flag_mask) != spec.flags || !is_aligned(spec, a->data) ||
      writes_twice(spec, a))
    return false;
  out.data = a->data;
  return put_byte_strides(spec, a->nd, extents(a->dimensions), extents(a->strides), out);
}

void set_numpy_flags(ArraySpec& spec);

// numpy.ndarray (borrowed) once the running NumPy's array struct has been checked against its attributes.
PyTypeObject* ndarray_type();  // null: exception set

}  // namespace samebytes
