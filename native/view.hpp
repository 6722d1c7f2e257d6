// _native.View, the base of samebytes.ArrayView: one description of any array, in a form that C can hand on.
#pragma once
#include <Python.h>

#include "spec.hpp"

namespace samebytes {

constexpr int kMaxRank = 64;  // what NumPy and memoryview can show

// Immutable once made, so that every thread may read it.
struct View {
  PyObject_HEAD;
  char* data;          // the element with all indices 0
  int64_t* shape;      // ndim numbers each, in one block
  int64_t* bytes;      // strides in bytes
  int64_t* strides;    // strides in elements; 0 where nothing constrains one that does not divide
  int64_t* canonical;  // the same, but C order's own where the elements lie in C order
  int64_t size;        // elements
  int64_t itemsize;    // bytes
  int32_t ndim;
  int32_t device_type;  // DLPack's numbers
  int32_t device_id;
  ElementType element;  // zero bits: DLPack has no such type
  bool readonly;
  bool on_host;    // host code may read the memory
  bool divisible;  // every stride that counts is a whole number of elements
  bool c_order, fortran_order;
  PyObject *type, *dtype_name, *shape_tuple, *bytes_tuple, *device, *protocol, *owner, *stream, *dtype;
  PyObject* weak;
  int64_t room[4 * 4];  // the block, while ndim <= 4
};

inline View* as_view(PyObject* object) { return reinterpret_cast<View*>(object); }
bool is_view(PyObject* object);

int export_buffer(PyObject* self, Py_buffer* buffer, int flags);
void release_buffer(PyObject* self, Py_buffer* buffer);

extern PyMethodDef view_dlpack_methods[];
PyObject* exchange_api(PyObject*, PyObject*);
PyObject* set_adopt(PyObject*, PyObject* function);

int add_view_type(PyObject* module);  // -1: exception set

}  // namespace samebytes
