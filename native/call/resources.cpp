// What one call holds: locked buffers and references.
#include "call/resources.hpp"

#include <cstddef>
#include <initializer_list>
#include <new>

namespace samebytes {

CallResources* CallResources::more() {
  if (!more_) more_ = new (std::nothrow) CallResources;
  if (!more_) PyErr_NoMemory();
  return more_;
}

Match CallResources::lock(PyObject* exporter, int flags, Py_buffer** out) {
  if (buffers_ == kSlots) {
    CallResources* next = more();
    return next ? next->lock(exporter, flags, out) : Match::error;
  }
  if (PyObject_GetBuffer(exporter, &buffer_[buffers_], flags) != 0) {
    for (PyObject** error : {&PyExc_BufferError, &PyExc_TypeError, &PyExc_ValueError}) {
      if (!PyErr_ExceptionMatches(*error)) continue;
      PyErr_Clear();
      return Match::no;
    }
    return Match::error;
  }
  *out = &buffer_[buffers_++];
  return Match::yes;
}

void CallResources::unlock() {
  if (more_ && more_->buffers_) return more_->unlock();
  PyBuffer_Release(&buffer_[--buffers_]);
}

bool CallResources::hold(PyObject* stolen) {
  if (objects_ == kSlots) {
    CallResources* next = more();
    if (next) return next->hold(stolen);
    Py_DECREF(stolen);
    return false;
  }
  object_[objects_++] = stolen;
  return true;
}

bool CallResources::note(const Unlocked& unlocked) {
  if (noted_ == note_room_) {
    CallResources* next = more();
    return next && next->note(unlocked);
  }
  notes_[noted_++] = unlocked;
  return true;
}

// Room doubles whenever the number is a power of two.
bool CallResources::write(const char* data, Py_ssize_t size) {
  if (!(written_count_ & (written_count_ - 1))) {
    const size_t room = written_count_ ? 2 * static_cast<size_t>(written_count_) : 1;
    auto* const larger = static_cast<Written*>(std::realloc(written_, room * sizeof(Written)));
    if (!larger) return PyErr_NoMemory(), false;
    written_ = larger;
  }
  written_[written_count_++] = {data, size};
  return true;
}

void CallResources::release() {
  delete more_;
  more_ = nullptr;
  noted_ = 0;
  while (buffers_) PyBuffer_Release(&buffer_[--buffers_]);
  while (objects_) Py_DECREF(object_[--objects_]);
}

bool CallResources::each(bool (*act)(PyObject*, PyObject*), PyObject* context) const {
  for (int i = 0; i < objects_; ++i)
    if (!act(object_[i], context)) return false;
  return !more_ || more_->each(act, context);
}

char* scratch(Py_ssize_t size, CallResources& resources) {
  PyObject* bytes = PyBytes_FromStringAndSize(nullptr, size ? size : 1);
  if (!bytes) return nullptr;
  char* const place = PyBytes_AS_STRING(bytes);
  static_assert(offsetof(PyBytesObject, ob_sval) % 16 == 0,
                "the bytes begin where CPython's allocator aligns");
  return resources.hold(bytes) ? place : nullptr;
}

int CallResources::visit(visitproc visit, void* arg) const {
  for (int i = 0; i < buffers_; ++i) Py_VISIT(buffer_[i].obj);
  for (int i = 0; i < objects_; ++i) Py_VISIT(object_[i]);
  return more_ ? more_->visit(visit, arg) : 0;
}

}  // namespace samebytes
