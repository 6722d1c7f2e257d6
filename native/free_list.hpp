// Blocks of dead objects, kept for the next ones of the same size: views come and go often.
#pragma once
#include <Python.h>

namespace samebytes {

#if defined(Py_GIL_DISABLED) || defined(__SANITIZE_ADDRESS__)
constexpr int kKeptBlocks = 0;  // the list has no lock; and reused memory hides mistakes
#else
constexpr int kKeptBlocks = 32;
#endif

// Of objects of one garbage-collected type without a finalizer. Needs the GIL.
template <class Object>
class FreeList {
 public:
  // Uninitialised but for the head, and not tracked; null: MemoryError is set.
  Object* take(PyTypeObject* type) {
    if (__builtin_expect(!count_, 0)) return PyObject_GC_New(Object, type);
    auto* object = reinterpret_cast<PyObject*>(blocks_[--count_]);
    return reinterpret_cast<Object*>(PyObject_Init(object, type));
  }

  // The last step of a tp_dealloc; the object is not tracked any more.
  void give(PyObject* object) {
    PyTypeObject* type = Py_TYPE(object);
    if (count_ < kKeptBlocks) {
      blocks_[count_++] = object;
    } else {
      PyObject_GC_Del(object);
    }
    Py_DECREF(type);
  }

 private:
  int count_ = 0;
  void* blocks_[kKeptBlocks + 1];
};

}  // namespace samebytes
