// Holds what one call needs until it ends.
#pragma once
#include "ending.hpp"
#include "spec.hpp"

namespace samebytes {

// Locked buffers and references, released together. Needs the GIL whenever it is touched;
// allocates only beyond its inline slots. Buffers never move, because exporters may point into them.
class Keep {
 public:
  Keep() = default;
  Keep(const Keep&) = delete;
  Keep& operator=(const Keep&) = delete;
  ~Keep() {
    if ((buffers_ | objects_) && may_touch_python()) release();
  }

  Match lock(PyObject* exporter, int flags, Py_buffer** out);  // no: the exporter refuses
  void unlock();                                               // the buffer locked last
  bool hold(PyObject* stolen);  // false: MemoryError is set, the reference dropped
  void release();
  bool empty() const { return !(buffers_ | objects_); }
  int visit(visitproc visit, void* arg) const;
  // Calls `act` with each reference held, until it says false.
  bool each(bool (*act)(PyObject* object, PyObject* context), PyObject* context) const;

 private:
  static constexpr int kSlots = 4;
  Keep* more();

  int buffers_ = 0;
  int objects_ = 0;
  Keep* more_ = nullptr;
  Py_buffer buffer_[kSlots];
  PyObject* object_[kSlots];
};

// Bytes for as long as the call takes, aligned for every number; null: MemoryError.
char* room(Py_ssize_t size, Keep& keep);

}  // namespace samebytes
