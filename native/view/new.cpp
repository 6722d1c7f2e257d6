// Views that Python describes: all facts at once, or a row of elements like another view's.
#include "call/seen.hpp"
#include "object/dependents.hpp"
#include "ref.hpp"
#include "view/view.hpp"

namespace samebytes {

namespace {

bool read_numbers(PyObject* tuple, int64_t* to) {
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(tuple); ++i) {
    to[i] = PyLong_AsLongLong(PyTuple_GET_ITEM(tuple, i));
    if (unlikely(to[i] == -1) && PyErr_Occurred()) return false;
  }
  return true;
}

bool read_device(View* self, PyObject* device) {
  self->device_type = 1;
  self->on_host = true;
  if (device == host_device) return true;
  self->device = Py_NewRef(device);
  Ref type = Ref::steal(PyObject_GetAttrString(device, "type"));
  Ref id = Ref::steal(type ? PyObject_GetAttrString(device, "id") : nullptr);
  Ref readable = Ref::steal(id ? PyObject_GetAttrString(device, "is_host") : nullptr);
  if (!readable) return false;
  const long kind = PyLong_AsLong(type.get()), number = PyLong_AsLong(id.get());
  if (PyErr_Occurred()) return false;
  self->device_type = static_cast<int32_t>(kind);
  self->device_id = static_cast<int32_t>(number);
  if (self->device_type != kind || self->device_id != number) return value_error("no such device");
  self->on_host = readable.get() == Py_True;
  return true;
}

// From `element`, else from the type's own DLPack triple, if it has one.
bool read_element(PyObject* element, PyObject* kind, ElementType* to) {
  Ref triple = Ref::borrow(element);
  if (element == Py_None) {
    if (kind == Py_None) return true;
    triple = Ref::steal(PyObject_GetAttrString(kind, "dlpack"));
    if (!triple) {
      if (!PyErr_ExceptionMatches(PyExc_AttributeError)) return false;
      PyErr_Clear();
      return true;
    }
  }
  if (!PyTuple_Check(triple.get())) return value_error("element must be DLPack's code, bits and lanes");
  unsigned char code, bits;
  unsigned short lanes;
  if (!PyArg_ParseTuple(triple.get(), "bbH", &code, &bits, &lanes)) return false;
  *to = {code, bits, lanes};
  return true;
}

Ref as_tuple(PyObject* object) { return Ref::steal(PySequence_Tuple(object)); }

}  // namespace

PyObject* view_new(PyTypeObject* type, PyObject* args, PyObject* kwargs) {
  static const char* names[] = {"type",     "dtype_name", "ptr",      "shape",    "byte_strides",
                                "itemsize", "device",     "readonly", "protocol", "owner",
                                "stream",   "dtype",      "element",  nullptr};
  PyObject *kind, *words, *address, *shape, *bytes, *device, *protocol, *owner;
  PyObject *stream = Py_None, *dtype = Py_None, *element = Py_None;
  Py_ssize_t itemsize;
  int readonly;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "OOOOOnOpOO|OOO:ArrayView", const_cast<char**>(names), &kind,
                                   &words, &address, &shape, &bytes, &itemsize, &device, &readonly, &protocol,
                                   &owner, &stream, &dtype, &element))
    return nullptr;
  Ref extents = as_tuple(shape), steps = as_tuple(bytes);
  if (!extents || !steps) return nullptr;
  const Py_ssize_t ndim = PyTuple_GET_SIZE(extents.get());
  if (ndim != PyTuple_GET_SIZE(steps.get()))
    return value_error("shape and strides differ in length"), nullptr;
  if (ndim > kMaxRank) return value_error("there are more than 64 dimensions"), nullptr;
  if (itemsize < 0) return value_error("the itemsize is negative"), nullptr;
  const uint64_t place = PyLong_AsUnsignedLongLong(address);
  if (PyErr_Occurred()) return nullptr;
  ElementType dl;
  if (!read_element(element, kind, &dl)) return nullptr;

  Ref made = Ref::steal(type->tp_alloc(type, 0));
  if (!made) return nullptr;
  View* self = as_view(made.get());
  self->shape = self->room;
  self->data = reinterpret_cast<char*>(place);
  self->readonly = readonly != 0;
  self->owner = Py_NewRef(owner);
  enlist(self);
  note_viewed(owner);
  self->stream = stream == Py_None ? nullptr : Py_NewRef(stream);
  self->elements = new_elements(kind, words, dtype, protocol, itemsize, dl);
  if (!self->elements || !make_room(self, ndim) || !read_numbers(extents.get(), self->shape) ||
      !read_numbers(steps.get(), self->bytes) || !read_device(self, device) || !settle(self))
    return nullptr;
  return made.release();
}

PyObject* new_row(const View& like, uint64_t address, int64_t count, PyObject* owner, PyObject* stream) {
  View* made = new_view(like.elements, 1, owner);
  if (!made) return nullptr;
  Ref held = Ref::steal(as_object(made));
  enlist(made);
  note_viewed(owner);
  made->device = Py_XNewRef(like.device);
  made->stream = Py_XNewRef(stream);
  made->device_type = like.device_type;
  made->device_id = like.device_id;
  made->on_host = like.on_host;
  made->data = reinterpret_cast<char*>(address);
  made->shape[0] = count;
  made->bytes[0] = like.elements->itemsize;
  return settle(made) ? held.release() : nullptr;
}

PyObject* view_row(PyObject* self, PyObject* const* args, Py_ssize_t count) {
  if (count != 4) return PyErr_SetString(PyExc_TypeError, "_row(address, count, owner, stream)"), nullptr;
  const View& like = *as_view(self);
  const uint64_t address = PyLong_AsUnsignedLongLong(args[0]);
  const int64_t elements = PyErr_Occurred() ? -1 : PyLong_AsLongLong(args[1]);
  if (PyErr_Occurred()) return nullptr;
  if (elements < 0) return value_error("a row has no negative number of elements"), nullptr;
  return new_row(like, address, elements, args[2], args[3] == Py_None ? nullptr : args[3]);
}

}  // namespace samebytes
