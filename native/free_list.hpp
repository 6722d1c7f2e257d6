// Blocks of dead objects, kept for the next ones of the same size: views come and go often.
#pragma once
#include <Python.h>

#include <cstdint>

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

// The same for objects of many sizes, up to a limit, whose types may have finalizers.
class SizedFreeList {
 public:
  // The number of a size in bytes, for take() and give(); 0: such objects are not kept.
  static uint8_t bucket(size_t size) {
    const size_t number = (size + kStep - 1) / kStep;
    return number < kBuckets ? static_cast<uint8_t>(number) : 0;
  }

  // What objects of a bucket take, in bytes.
  static size_t room(uint8_t bucket) { return bucket * kStep; }

  // Uninitialised but for the head, and not tracked; null: there is none.
  PyVarObject* take(PyTypeObject* type, uint8_t bucket, Py_ssize_t count) {
    Bucket& of = buckets_[bucket];
    if (!of.count) return nullptr;
    return PyObject_InitVar(static_cast<PyVarObject*>(of.blocks[--of.count]), type, count);
  }

  // The last step of a tp_dealloc but for the reference to the type; false: the object is still to be freed.
  bool give(PyObject* object, uint8_t bucket) {
    Bucket& of = buckets_[bucket];
    if (!bucket || of.count >= kKept || PyObject_GC_IsFinalized(object)) return false;
    of.blocks[of.count++] = object;
    return true;
  }

 private:
  static constexpr size_t kStep = 16, kBuckets = 17;
  static constexpr int kKept = kKeptBlocks / 2;
  struct Bucket {
    int count = 0;
    void* blocks[kKept + 1];
  };
  Bucket buckets_[kBuckets];
};

}  // namespace samebytes
