// _native.View, the base of samebytes.ArrayView: one description of any array, in a form that C can hand on.
#pragma once
#include <Python.h>

#include <atomic>

#include "array/overlap.hpp"
#include "call/spec.hpp"
#include "object/instance.hpp"

namespace samebytes {

constexpr int kMaxRank = 64;  // what NumPy and memoryview can show

// What views of one element type, obtained by one protocol, share. Immutable but for `scalar` and `lasting`.
struct Elements {
  PyObject_HEAD;
  PyObject *type, *dtype_name, *dtype, *protocol;
  int64_t itemsize;                   // bytes
  ElementType dl;                     // zero bits: DLPack has no such type
  int shift;                          // itemsize is 1 << shift; -1: it is no power of two
  std::atomic<PyTypeObject*> scalar;  // what NumPy makes of one element, once that is known
  std::atomic<bool> lasting;          // kept by a cache, for ever
};

// Immutable once made, so that every thread may read it.
struct View {
  PyObject_HEAD;
  char* data;          // the element with all indices 0
  int64_t* shape;      // ndim numbers each, in one block
  int64_t* bytes;      // strides in bytes
  int64_t* strides;    // strides in elements; 0 where nothing constrains one that does not divide
  int64_t* canonical;  // the same, but C order's own where the elements lie in C order
  int64_t size;        // elements
  Elements* elements;
  PyObject* owner;
  PyObject* device;  // null: the host
  PyObject* stream;  // null: none
  PyObject* weak;
  int32_t ndim;
  int32_t device_type;  // DLPack's numbers
  int32_t device_id;
  bool readonly;
  Overlap overlap;  // of the elements: then C++ may not write
  bool on_host;     // host code may read the memory
  bool divisible;   // every stride that counts is a whole number of elements
  bool c_order;
  Dependent dependent;
  int64_t room[4 * 4];  // the block, while ndim <= 4
};

inline View* as_view(PyObject* object) { return reinterpret_cast<View*>(object); }
inline PyObject* as_object(View* view) { return reinterpret_cast<PyObject*>(view); }
bool is_view(PyObject* object);

// samebytes.ArrayView, the class of all views that the core makes; null until it is known.
extern std::atomic<PyTypeObject*> array_view __attribute__((visibility("hidden")));
extern PyObject* host_device;  // the Device that stands for the host

// What sb.view() gives for an object; null: exception set.
PyObject* show(PyObject* object);

PyObject* view_new(PyTypeObject* type, PyObject* args, PyObject* kwargs);
// So many elements at an address, one behind the other, on the device where `like` is; `stream` may be null.
PyObject* new_row(const View& like, uint64_t address, int64_t count, PyObject* owner, PyObject* stream);
PyObject* view_row(PyObject* self, PyObject* const* args, Py_ssize_t count);

// A new record; null: exception set.
Elements* new_elements(PyObject* type, PyObject* dtype_name, PyObject* dtype, PyObject* protocol,
                       int64_t itemsize, ElementType dl);

// A writable host view of class ArrayView. Its maker fills data, shape and bytes, then calls settle() or,
// for a part of another view, derive(). Null: exception set.
View* new_view(Elements* elements, Py_ssize_t ndim, PyObject* owner);
bool make_room(View* view, Py_ssize_t ndim);  // false: MemoryError is set
void free_view(PyObject* view);               // the last step of its death
View* new_part(const View* of, Py_ssize_t ndim);

bool settle(View* view);  // checks ranges, then derive(); false: ValueError is set
void derive(View* view);  // everything that follows from data, shape, bytes and itemsize
bool is_fortran_contiguous(const View* view);

// How a route shows objects of its type. `make` gives null without an exception where Python must describe
// the object; `learn` keeps what such a description says of the elements, for the next object like this one.
struct Route;
struct Showing {
  PyObject* (*make)(PyObject* object, const Route& route);
  void (*learn)(PyObject* object, const View& described);
};
extern const Showing kShowNdarray, kShowTorch, kShowBuffer, kShowDLPack, kShowInterface, kShowView;

// For their `make`: null, with the exception cleared, since Python will ask again and word what it hears;
// what is no Exception (KeyboardInterrupt …) goes on.
PyObject* give_up();
PyObject* adopted(PyObject* capsule,
                  PyObject* producer);  // Python's view of a DLPack capsule; null: exception
bool is_by(const View& described, const char* protocol);

// Whether a np.dtype is a number's, in the machine's byte order: NumPy's own, or also ml_dtypes'. Such a
// dtype cannot be changed.
bool is_plain_number(PyObject* dtype, bool of_others);

PyObject* view_subscript(PyObject* self, PyObject* key);
PyObject* view_item(PyObject* self, Py_ssize_t i);
Py_ssize_t view_length(PyObject* self);
PyObject* view_transposed(PyObject* self, void*);

int export_buffer(PyObject* self, Py_buffer* buffer, int flags);
void release_buffer(PyObject* self, Py_buffer* buffer);

extern PyMethodDef view_dlpack_methods[];
PyObject* exchange_api(PyObject*, PyObject*);
PyObject* set_adopt(PyObject*, PyObject* function);
PyObject* describes(PyObject*, PyObject* function);

int add_view_type(PyObject* module);  // -1: exception set
int add_elements_type();
// What routes keep for ever. Not as statics of functions: making it may run a garbage collection, and so any
// Python code, which must neither meet a half-made static nor wait for one.
int add_buffer_route();
int add_dlpack_route();

}  // namespace samebytes
