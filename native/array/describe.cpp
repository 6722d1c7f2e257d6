// Builds the tuple that describes an array to Python's slow path.
#include "array/describe.hpp"

namespace samebytes {

namespace {

PyObject* numbers(int count, const int64_t* values, int64_t unit) {
  PyObject* tuple = PyTuple_New(count);
  for (int i = 0; tuple && i < count; ++i) {
    long long value;
    PyObject* number = nullptr;
    if (__builtin_mul_overflow(values[i], unit, &value))
      PyErr_SetString(PyExc_BufferError, "the producer gave a stride that no memory can hold");
    else
      number = PyLong_FromLongLong(value);
    if (!number)
      Py_CLEAR(tuple);
    else
      PyTuple_SET_ITEM(tuple, i, number);
  }
  return tuple;
}

}  // namespace

PyObject* description(const Description& d) {
  if (!d.dtype_info) return nullptr;
  PyObject* shape = numbers(d.ndim, d.shape, 1);
  PyObject* strides =
      d.strides || d.ndim == 0 ? numbers(d.ndim, d.strides, d.stride_unit) : Py_NewRef(Py_None);
  if (!shape || !strides) {
    Py_XDECREF(shape);
    Py_XDECREF(strides);
    Py_DECREF(d.dtype_info);
    return nullptr;
  }
  return Py_BuildValue("(KNNNLiiOO)", static_cast<unsigned long long>(reinterpret_cast<uintptr_t>(d.data)),
                       shape, strides, d.dtype_info, static_cast<long long>(d.itemsize), d.device_type,
                       d.device_id, d.readonly ? Py_True : Py_False, d.owner);
}

}  // namespace samebytes
