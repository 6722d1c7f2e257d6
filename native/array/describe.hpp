// The tuple that describes any array to Python's slow path, and the functions that make it.
#pragma once
#include "array/array.hpp"

namespace samebytes {

struct Description {
  const void* data;
  int ndim;
  const int64_t* shape;
  const int64_t* strides;  // null: none given
  int64_t stride_unit;     // bytes per unit of `strides`
  PyObject* dtype_info;    // stolen; null: an exception is set
  int64_t itemsize;
  int device_type;  // DLPack's numbers
  int device_id;
  bool readonly;
  PyObject* owner;  // borrowed
};

// (address, shape, strides in bytes or None, dtype_info, itemsize, device_type, device_id, readonly, owner)
PyObject* description(const Description& d);

PyObject* describe_ndarray(PyObject*, PyObject* array);
PyObject* describe_buffer(PyObject*, PyObject* exporter);
PyObject* describe_dlpack(PyObject*, PyObject* capsule);
PyObject* describe_exchange(PyObject*, PyObject* object);

}  // namespace samebytes
