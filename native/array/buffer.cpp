// Reads exporters of the buffer protocol; the buffer stays locked until the call ends.
#include <cstring>

#include "array/describe.hpp"
#include "array/dlpack.hpp"
#include "array/extents.hpp"
#include "array/overlap.hpp"
#include "call/unlocked.hpp"
#include "codec/letters.hpp"
#include "free_list.hpp"
#include "ref.hpp"
#include "view/known_elements.hpp"

namespace samebytes {

namespace {

// Why an exporter's answer to a request for PyBUF_FULL_RO cannot be trusted; null: it can.
const char* flaw(const Py_buffer& view) {
  if (view.ndim < 0 || view.ndim > kMaxRank) return "the buffer has a number of dimensions beyond 0 to 64";
  if (view.itemsize < 0 || view.len < 0) return "the buffer has a negative size";
  if (view.ndim > 0 && !view.shape) return "the buffer has dimensions, but no shape";
  Py_ssize_t bytes = view.itemsize;
  for (int d = 0; d < view.ndim; ++d) {
    if (view.shape[d] < 0) return "the buffer has a negative extent";
    if (view.suboffsets && view.suboffsets[d] >= 0)
      return "the buffer is reached through pointers (suboffsets)";
    if (__builtin_mul_overflow(bytes, view.shape[d], &bytes) && !is_empty(view.ndim, view.shape))
      return "the buffer's extents overflow";
  }
  if (is_empty(view.ndim, view.shape)) bytes = 0;
  if (bytes != view.len) return "the buffer's length is not that of its elements";
  return view.buf || !bytes ? nullptr : "the buffer has elements, but no memory";
}

bool buffer_fits(const ArraySpec& spec, const Py_buffer& view, ArrayRef& out) {
  static_assert(sizeof(Py_ssize_t) == sizeof(int64_t), "extents are read as 64-bit numbers");
  if (flaw(view) || (view.ndim && !view.strides)) return false;
  if (!rank_fits(spec, view.ndim) || !is_aligned(spec, view.buf)) return false;
  if (!is_element(spec, parse_format(view.format)) || (!spec.anything && view.itemsize != spec.itemsize))
    return false;
  if (spec.writable && view.readonly) return false;
  const auto* shape = reinterpret_cast<const int64_t*>(view.shape);
  const auto* strides = reinterpret_cast<const int64_t*>(view.strides);
  if (spec.contiguous && !is_c_contiguous(view.ndim, shape, strides, view.itemsize)) return false;
  if (spec.writable && may_overlap(view.ndim, shape, strides, view.itemsize)) return false;
  return put_byte_strides(spec, view.ndim, shape, strides, out);
}

}  // namespace

Match match_buffer(const ArraySpec& spec, PyObject* object, const Route& route, ArrayRef& out,
                   CallResources& resources) {
  if (spec.writable && route.readonly.load(std::memory_order_relaxed)) return Match::no;
  Py_buffer* view;
  resources.stir();
  const Match locked = resources.lock(object, spec.writable ? PyBUF_RECORDS : PyBUF_RECORDS_RO, &view);
  if (locked != Match::yes) return locked;
  if (!buffer_fits(spec, *view, out)) {
    resources.unlock();
    return Match::no;
  }
  out.data = view->buf;
  return Match::yes;
}

namespace {

// Holds a locked buffer until the last reference goes. Not a memoryview: that trusts what exporters say.
struct Lock {
  PyObject_HEAD;
  Py_buffer buffer;
};

FreeList<Lock> free_locks;

Lock* as_lock(PyObject* object) { return reinterpret_cast<Lock*>(object); }

// Whether the garbage collector may know of an exporter and needs to. CPython's memoryview cannot be cleared
// by it while its buffer is held.
bool is_collectable(PyObject* exporter) {
  return exporter && PyObject_IS_GC(exporter) && !PyMemoryView_Check(exporter);
}

int lock_traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  if (is_collectable(as_lock(self)->buffer.obj)) Py_VISIT(as_lock(self)->buffer.obj);
  return 0;
}

void lock_dealloc(PyObject* self) {
  PyObject_GC_UnTrack(self);
  PyBuffer_Release(&as_lock(self)->buffer);
  free_locks.give(self);
}

PyType_Slot lock_slots[] = {{Py_tp_dealloc, reinterpret_cast<void*>(lock_dealloc)},
                            {Py_tp_traverse, reinterpret_cast<void*>(lock_traverse)},
                            {Py_tp_doc, const_cast<char*>("A buffer, locked while this lives.")},
                            {}};
PyType_Spec lock_spec = {
    "samebytes._native.Lock", sizeof(Lock), 0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_IMMUTABLETYPE | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    lock_slots};

PyTypeObject* lock_type;

// The exporter's buffer, locked and checked; null: an exception is set.
Ref locked(PyObject* exporter) {
  Ref lock = Ref::steal(reinterpret_cast<PyObject*>(free_locks.take(lock_type)));
  if (!lock) return lock;
  Py_buffer& view = as_lock(lock.get())->buffer;
  view.obj = nullptr;
  if (PyObject_GetBuffer(exporter, &view, PyBUF_FULL_RO) != 0) {
    view.obj = nullptr;
    return Ref();
  }
  if (is_collectable(view.obj)) PyObject_GC_Track(lock.get());
  if (const char* why = flaw(view)) return PyErr_SetString(PyExc_BufferError, why), Ref();
  return lock;
}

SaidBy sayer(const Route& route) {
  return route.readonly.load(std::memory_order_relaxed) ? SaidBy::readonly_buffer : SaidBy::buffer;
}

PyObject* make_view(PyObject* object, const Route& route) {
  Ref lock = locked(object);
  if (unlikely(!lock)) return give_up();
  const Py_buffer& buffer = as_lock(lock.get())->buffer;
  Elements* elements = known_elements(sayer(route), parse_format(buffer.format));
  if (!elements || elements->itemsize != buffer.itemsize || (buffer.ndim && !buffer.strides)) return nullptr;
  View* made = new_view(elements, buffer.ndim, lock.get());
  if (unlikely(!made)) return nullptr;
  made->data = static_cast<char*>(buffer.buf);
  made->readonly = buffer.readonly || route.readonly.load(std::memory_order_relaxed);
  for (int d = 0; d < buffer.ndim; ++d) {
    made->shape[d] = buffer.shape[d];
    made->bytes[d] = buffer.strides[d];
  }
  if (likely(settle(made))) return as_object(made);
  PyErr_Clear();
  return Py_DECREF(as_object(made)), nullptr;
}

void learn(PyObject* object, const View& described) {
  if (described.elements->dl.lanes == 1)
    learn_elements(sayer(*find_route(Py_TYPE(object))), described.elements);
}

}  // namespace

PyObject* locked_exporter(PyObject* object) {
  return Py_TYPE(object) == lock_type ? as_lock(object)->buffer.obj : nullptr;
}

const Showing kShowBuffer = {make_view, learn};

int add_buffer_route() {
  lock_type = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&lock_spec));
  return lock_type ? 0 : -1;
}

PyObject* describe_buffer(PyObject*, PyObject* exporter) {
  const Ref lock = locked(exporter);
  if (!lock) return nullptr;
  const Py_buffer& view = as_lock(lock.get())->buffer;
  const char* format = view.format ? view.format : "B";
  return description({view.buf, view.ndim, reinterpret_cast<const int64_t*>(view.shape),
                      reinterpret_cast<const int64_t*>(view.strides), 1,
                      PyUnicode_DecodeUTF8(format, static_cast<Py_ssize_t>(std::strlen(format)), "replace"),
                      view.itemsize, kCpu, 0, view.readonly != 0, lock.get()});
}

}  // namespace samebytes
