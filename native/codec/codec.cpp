// The Python type Codec: its methods and attributes. Descriptions are read in codec/build.cpp.
#include "codec/codec.hpp"

#include <cstring>
#include <new>

#include "object/classes.hpp"
#include "object/handle.hpp"
#include "structmember.h"

namespace samebytes {

PyTypeObject* codec_type;

namespace {

int codec_traverse(PyObject* self, visitproc visit, void* arg) {
  Codec& codec = *as_codec(self);
  Py_VISIT(Py_TYPE(self));
  Py_VISIT(codec.python);
  Py_VISIT(codec.scalar);
  Py_VISIT(codec.element);
  Py_VISIT(codec.items);
  Py_VISIT(codec.members);
  Py_VISIT(codec.derived);
  Py_VISIT(codec.reader);
  Py_VISIT(codec.type);
  Py_VISIT(codec.callbacks);
  Py_VISIT(codec.fields_tuple);
  for (Py_ssize_t i = 0; i < codec.field_count; ++i) Py_VISIT(codec.fields[i].codec);
  return codec.array.visit(visit, arg);
}

void codec_dealloc(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  PyObject_GC_UnTrack(self);
  Codec& codec = *as_codec(self);
  for (Py_ssize_t i = 0; i < codec.field_count; ++i) {
    Py_DECREF(codec.fields[i].name);
    Py_DECREF(const_cast<Codec*>(codec.fields[i].codec));
  }
  PyMem_Free(codec.fields);
  for (AcceptedType* node = codec.accepted.load(); node;) {
    AcceptedType* next = node->next;
    forget_class(&node->type);
    delete node;
    node = next;
  }
  codec.array.clear();
  Py_XDECREF(codec.python);
  Py_XDECREF(codec.scalar);
  Py_XDECREF(const_cast<Codec*>(codec.element));
  Py_XDECREF(const_cast<Codec*>(codec.items));
  Py_XDECREF(codec.members);
  Py_XDECREF(codec.derived);
  Py_XDECREF(codec.reader);
  Py_XDECREF(codec.type);
  Py_XDECREF(codec.callbacks);
  Py_XDECREF(codec.fields_tuple);
  type->tp_free(self);
  Py_DECREF(type);
}

PyObject* codec_pack(PyObject* self, PyObject* object) {
  const Codec& codec = *as_codec(self);
  Ref bytes = Ref::steal(PyBytes_FromStringAndSize(nullptr, codec.size));
  if (!bytes) return nullptr;
  char* out = PyBytes_AS_STRING(bytes.get());
  std::memset(out, 0, codec.size);
  CallResources resources;
  switch (encode(codec, object, out, resources)) {
    case Match::yes:
      return bytes.release();
    case Match::no:
      Py_RETURN_NONE;
    default:
      return nullptr;
  }
}

PyObject* codec_unpack(PyObject* self, PyObject* args, PyObject* kwargs) {
  static const char* names[] = {"buffer", "offset", nullptr};
  const Codec& codec = *as_codec(self);
  Py_buffer buffer;
  Py_ssize_t offset = 0;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "y*|n:unpack", const_cast<char**>(names), &buffer, &offset))
    return nullptr;
  PyObject* result = nullptr;
  if (codec.kind == Kind::array || codec.kind >= Kind::text) {
    PyErr_SetString(PyExc_TypeError, "a description of what lies elsewhere has no Python value");
  } else if (offset < 0 || offset > buffer.len - codec.size) {
    PyErr_Format(PyExc_ValueError, "%zd bytes at offset %zd exceed a buffer of %zd bytes", codec.size, offset,
                 buffer.len);
  } else {
    result = decode(codec, static_cast<const char*>(buffer.buf) + offset, nullptr);
  }
  PyBuffer_Release(&buffer);
  return result;
}

PyObject* codec_read(PyObject* self, PyObject* address) {
  const void* data = PyLong_AsVoidPtr(address);
  if (PyErr_Occurred()) return nullptr;
  return decode(*as_codec(self), static_cast<const char*>(data), nullptr);
}

PyObject* codec_kind(PyObject* self, void*) { return PyUnicode_FromString(kind_name(as_codec(self)->kind)); }

PyObject* codec_repr(PyObject* self) {
  const Codec& codec = *as_codec(self);
  return PyUnicode_FromFormat("Codec('%s', size=%zd, align=%zd, type=%R)", kind_name(codec.kind), codec.size,
                              codec.align, codec.type);
}

PyMethodDef codec_methods[] = {
    {"pack", codec_pack, METH_O,
     "pack($self, object, /)\n--\n\nThe object's bytes, or None where Python must convert it first."},
    {"unpack", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(codec_unpack)),
     METH_VARARGS | METH_KEYWORDS,
     "unpack($self, buffer, offset=0)\n--\n\nThe object that the bytes at `offset` stand for."},
    {"read", codec_read, METH_O,
     "read($self, address, /)\n--\n\nThe object that the bytes at an address stand for; what they describe "
     "must "
     "still be there."},
    {"accept", codec_accept, METH_VARARGS,
     "accept($self, type, offset=0, upcast=0, /)\n--\n\nTake instances of this class, too: at `offset` "
     "(bytes) they "
     "have the same layout. `upcast`: the shim that finds what the offset counts from."},
    {"accept_address", codec_accept_address, METH_VARARGS,
     "accept_address($self, object, address, /)\n--\n\nTake objects of this one's class for the addresses "
     "that "
     "they hold; this one holds `address`."},
    {"accept_callables", codec_accept_callables, METH_O,
     "accept_callables($self, plan, /)\n--\n\nTake Python functions for a pointer to a function, too, which "
     "run as "
     "this CallbackPlan says."},
    {"set_destroy", codec_set_destroy, METH_O,
     "set_destroy($self, address, /)\n--\n\nThe shim that destroys a handle's C++ object; once, before there "
     "is one."},
    {"set_room", codec_set_room, METH_VARARGS,
     "set_room($self, room, unroom, /)\n--\n\nThe shims that make and free memory for objects that C++ may "
     "take over."},
    {"set_dynamic", codec_set_dynamic, METH_VARARGS,
     "set_dynamic($self, address, derived, /)\n--\n\nThe shim that tells which of these classes an object of "
     "the base is."},
    {"accept_dtype", codec_accept_dtype, METH_O,
     "accept_dtype($self, dtype, /)\n--\n\nTake arrays of this np.dtype, too: it has the same layout."},
    {}};

PyGetSetDef codec_getset[] = {{"kind", codec_kind, nullptr, nullptr, nullptr}, {}};

PyMemberDef codec_members[] = {{"size", T_PYSSIZET, offsetof(Codec, size), READONLY, nullptr},
                               {"align", T_PYSSIZET, offsetof(Codec, align), READONLY, nullptr},
                               {"count", T_PYSSIZET, offsetof(Codec, count), READONLY, nullptr},
                               {"type", T_OBJECT, offsetof(Codec, type), READONLY, nullptr},
                               {"python", T_OBJECT, offsetof(Codec, python), READONLY, nullptr},
                               {"element", T_OBJECT, offsetof(Codec, element), READONLY, nullptr},
                               {"fields", T_OBJECT, offsetof(Codec, fields_tuple), READONLY, nullptr},
                               {}};

PyType_Slot codec_slots[] = {
    {Py_tp_new, reinterpret_cast<void*>(codec_new)},
    {Py_tp_dealloc, reinterpret_cast<void*>(codec_dealloc)},
    {Py_tp_traverse, reinterpret_cast<void*>(codec_traverse)},
    {Py_tp_repr, reinterpret_cast<void*>(codec_repr)},
    {Py_tp_methods, codec_methods},
    {Py_tp_getset, codec_getset},
    {Py_tp_members, codec_members},
    {Py_tp_doc, const_cast<char*>("How one type sits in memory, and what the compiled core takes for it.")},
    {}};

PyType_Spec codec_spec = {"samebytes._native.Codec", sizeof(Codec), 0,
                          Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_IMMUTABLETYPE, codec_slots};

}  // namespace

int add_codec_type(PyObject* module) {
  codec_type = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&codec_spec));
  return codec_type ? PyModule_AddObjectRef(module, "Codec", reinterpret_cast<PyObject*>(codec_type)) : -1;
}

}  // namespace samebytes
