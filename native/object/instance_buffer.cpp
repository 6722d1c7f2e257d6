// Values and records as exporters of the buffer protocol: their own bytes, with the format of a struct or of
// a vector.
#include "codec/letters.hpp"
#include "object/asking.hpp"
#include "object/construction.hpp"
#include "object/shown_copy.hpp"

namespace samebytes {

namespace {

// The format of a struct class, `T{...}`, where it has one: then its instances are one element of it, as
// NumPy's structured scalars are. -1 with an exception.
int struct_format(PyTypeObject* type, const char** format) {
  static PyObject* name = PyUnicode_InternFromString("__samebytes_format__");
  Ref found = Ref::steal(PyObject_GetAttr(reinterpret_cast<PyObject*>(type), name));
  if (!found) {
    if (!PyErr_ExceptionMatches(PyExc_AttributeError)) return -1;
    PyErr_Clear();
    return 0;
  }
  if (PyBytes_Check(found.get())) *format = PyBytes_AS_STRING(found.get());  // the class keeps it
  return 0;
}

// NumPy does not say to a buffer which elements it wants, and to __array__ it does. It stores the first
// number of a struct of one array in each place of that array, and the elements of a vector in a struct each:
// so a class that has __array__ gives
// NumPy no buffer.
bool refuses_numpy(PyObject* self, Py_buffer* view, int flags) {
  static PyObject* const name = PyUnicode_InternFromString("__array__");
  if ((flags & PyBUF_FULL_RO) != PyBUF_FULL_RO || !_PyType_Lookup(Py_TYPE(self), name) ||
      !is_asked_by_numpy())
    return false;
  view->obj = nullptr;
  PyErr_Format(PyExc_BufferError, "%s shows itself to NumPy by __array__", Py_TYPE(self)->tp_name);
  return true;
}

int export_struct(PyObject* self, Py_buffer* view, int flags, bool readonly) {
  const char* format = nullptr;
  if ((flags & PyBUF_FORMAT) == PyBUF_FORMAT && struct_format(Py_TYPE(self), &format) < 0) {
    view->obj = nullptr;
    return -1;
  }
  if (PyBuffer_FillInfo(view, self, as_instance(self)->data, Py_SIZE(self), readonly, flags) < 0) return -1;
  if (!format) return 0;
  view->format = const_cast<char*>(format);
  view->itemsize = Py_SIZE(self);
  view->ndim = 0;
  view->shape = view->strides = nullptr;
  return 0;
}

}  // namespace

// A vector's buffer has its elements' format, so that NumPy reads numbers and not bytes.
int export_value(PyObject* self, Py_buffer* view, int flags) {
  if (refuses_numpy(self, view, flags)) return -1;
  static Py_ssize_t counts[] = {0, 1, 2, 3, 4};
  const char* letter = nullptr;
  Py_ssize_t itemsize = 1;
  if ((flags & PyBUF_FORMAT) == PyBUF_FORMAT) {
    Ref codec = class_codec(Py_TYPE(self));
    if (!codec) return -1;
    const ElementType type = codec_of(codec).array.dl;
    if (!type.bits) return export_struct(self, view, flags, true);
    itemsize = type.bits / 8;
    if (Py_SIZE(self) <= 4 * itemsize && !(letter = format_letter(type))) {
      view->obj = nullptr;
      PyErr_Format(PyExc_BufferError,
                   "the buffer protocol has no format for %s; use bytes(v) or numpy.asarray(v)",
                   Py_TYPE(self)->tp_name);
      return -1;
    }
  }
  if (PyBuffer_FillInfo(view, self, as_instance(self)->data, Py_SIZE(self), 1, flags) < 0) return -1;
  if (!letter) return 0;
  view->format = const_cast<char*>(letter);
  view->itemsize = itemsize;
  if (view->shape) view->shape = &counts[Py_SIZE(self) / itemsize];
  return 0;
}

int export_record(PyObject* self, Py_buffer* view, int flags) {
  if (refuses_numpy(self, view, flags)) return -1;
  return export_struct(self, view, flags, is_shown_copy(self));
}

}  // namespace samebytes
