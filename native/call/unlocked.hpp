// Memory that a call uses although nothing locks it: it is looked at again when all arguments are read, since
// Python code that ran meanwhile, or another thread, may have moved or freed it.
#pragma once
#include "array/array.hpp"

namespace samebytes {

// From the lowest byte of an array's elements to behind the highest.
struct Bytes {
  const char *low = nullptr, *high = nullptr;

  bool holds(const Bytes& other) const {
    return other.low == other.high || (low <= other.low && other.high <= high);
  }
  bool operator==(const Bytes& other) const { return low == other.low && high == other.high; }
};

Bytes reach(const void* data, int64_t ndim, const int64_t* shape, const int64_t* strides, int64_t unit,
            int64_t itemsize);

// The elements of an array of NumPy, or of a subclass, as they lie now.
Bytes ndarray_bytes(PyObject* array);

// Torch, once its shim is known: whether an object is a tensor, of a subclass, too; the storage behind it;
// and that C++ writes to it, which autograd learns from the tensor's version.
bool is_tensor(PyObject* object);
Bytes tensor_storage(PyObject* tensor);
Bytes tensor_bytes(PyObject* tensor);
void raise_version(PyObject* tensor);

// As raise_version(), once all arguments are known to fit, of the tensor that a view shows, if it shows one.
bool note_written_view(PyObject* view, CallResources& resources);
extern bool tensors_are_met __attribute__((visibility("hidden")));  // no view shows a tensor before

// The exporter whose buffer a Lock holds; null: this is none.
PyObject* locked_exporter(PyObject* object);

// Notes an argument, or a part of one, that was just read. What a call locks needs no note. false:
// MemoryError.
bool note(PyObject* object, const Route& route, CallResources& resources);
// An object that Python converted, or the owner of what a pointer points to, if it is an array; `written`:
// C++ may write to it.
bool note_source(PyObject* object, bool written, CallResources& resources);

// Right before C++ is entered, after all Python code: whether what was noted, and what the call holds, is
// still where it was.
bool settle(CallResources& resources, PyObject** moved);
// ... and raises what Python says of an argument that has moved; false: it did.
bool settle(CallResources& resources, PyObject* name, PyObject* const* args, int count);

// Whether an object is a tensor or a view of one.
bool shows_tensor(PyObject* object);

// Notes the views in what a conversion holds, where C++ may write: that of a pointer to const is read-only.
bool note_parts(PyObject* owners, CallResources& resources);

// What keeps a tensor behind a pointer that outlives the call which took it: a view, which knows the memory
// that was meant; it is read-only unless C++ may write. Other objects but views keep themselves. Null:
// exception set.
PyObject* lasting_view(PyObject* object, bool written);

// Tensors that C++ may write to get their new versions, now that nothing refuses the call.
void raise_versions(const CallResources& resources);

int add_unlocked_functions(PyObject* module);

}  // namespace samebytes
