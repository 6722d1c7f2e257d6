// Exports views by the buffer protocol: Python classes can do so only since Python 3.12.
#include "codec/letters.hpp"
#include "ref.hpp"
#include "view/view.hpp"

namespace samebytes {

namespace {

int refuse(const char* why) { return PyErr_SetString(PyExc_BufferError, why), -1; }

// The format; `format_owner` owns its text where that was made by Python. Null: an exception is set.
const char* format_of(PyObject* self, Ref& format_owner) {
  if (const char* letter = format_letter(as_view(self)->elements->dl)) return letter;
  format_owner = Ref::steal(PyObject_CallMethod(self, "_buffer_format", nullptr));
  return format_owner ? PyBytes_AsString(format_owner.get()) : nullptr;
}

bool asks(int flags, int what) { return (flags & what) == what; }

const char* refusal(const View& v, int flags) {
  if (!v.on_host) return "the buffer protocol shows host memory only";
  if (!v.elements->itemsize) return "the elements have no bytes";
  if (asks(flags, PyBUF_WRITABLE) && v.readonly) return "the view is read-only";
  if (asks(flags, PyBUF_C_CONTIGUOUS) && !v.c_order) return "the view is not contiguous in C order";
  if (asks(flags, PyBUF_F_CONTIGUOUS) && !is_fortran_contiguous(&v))
    return "the view is not contiguous in Fortran order";
  if (asks(flags, PyBUF_ANY_CONTIGUOUS) && !v.c_order && !is_fortran_contiguous(&v))
    return "the view is not contiguous";
  if (!asks(flags, PyBUF_STRIDES) && !v.c_order) return "the view is not contiguous in C order";
  return nullptr;
}

}  // namespace

int export_buffer(PyObject* self, Py_buffer* buffer, int flags) {
  static char nothing;
  const View& v = *as_view(self);
  buffer->obj = nullptr;
  if (const char* why = refusal(v, flags)) return refuse(why);
  Ref format_owner;
  const char* format = nullptr;
  if (asks(flags, PyBUF_FORMAT) && !(format = format_of(self, format_owner))) return -1;
  buffer->buf = v.data ? v.data : &nothing;
  buffer->len = v.size * v.elements->itemsize;
  buffer->itemsize = v.elements->itemsize;
  buffer->readonly = v.readonly;
  buffer->ndim = v.ndim;
  buffer->format = const_cast<char*>(format);
  buffer->shape = asks(flags, PyBUF_ND) ? reinterpret_cast<Py_ssize_t*>(v.shape) : nullptr;
  buffer->strides = asks(flags, PyBUF_STRIDES) ? reinterpret_cast<Py_ssize_t*>(v.bytes) : nullptr;
  buffer->suboffsets = nullptr;
  buffer->internal = format_owner.release();
  buffer->obj = Py_NewRef(self);
  return 0;
}

void release_buffer(PyObject*, Py_buffer* buffer) {
  Py_XDECREF(static_cast<PyObject*>(buffer->internal));
  buffer->internal = nullptr;
}

}  // namespace samebytes
