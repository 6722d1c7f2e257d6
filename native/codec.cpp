// The Python type Codec: building one from a description, checking that description, and its methods.
#include "codec.hpp"

#include <cstring>
#include <memory>
#include <new>

#include "handle.hpp"
#include "structmember.h"

namespace samebytes {

PyTypeObject* codec_type;

namespace {

struct KindInfo {
  const char* name;
  Py_ssize_t size;  // bytes; 0: given by the description
};

constexpr KindInfo kKinds[] = {
    {"bool", 1},      {"int8", 1},        {"int16", 2},   {"int32", 4},      {"int64", 8},
    {"uint8", 1},     {"uint16", 2},      {"uint32", 4},  {"uint64", 8},     {"float16", 2},
    {"bfloat16", 2},  {"float32", 4},     {"float64", 8}, {"float8e4m3", 1}, {"float8e5m2", 1},
    {"complex64", 8}, {"complex128", 16}, {"enum", 0},    {"struct", 0},     {"carray", 0},
    {"pointer", 8},   {"string", 8},      {"array", 0},   {"text", 16},      {"sequence", 16},
    {"maybe", 0},     {"held", 0},        {"read", 0},    {"handle", 0},     {"view", 8},
    {"owner", 32},
};
constexpr int kKindCount = sizeof kKinds / sizeof *kKinds;
constexpr int kMaxAccepted = 64;

Codec* as_codec(PyObject* object) { return reinterpret_cast<Codec*>(object); }

bool bad(const char* message) {
  PyErr_SetString(PyExc_ValueError, message);
  return false;
}

bool wrong_type(const char* message) {
  PyErr_SetString(PyExc_TypeError, message);
  return false;
}

bool take_type(PyObject* object, PyTypeObject*& out, const char* message) {
  if (object == Py_None) return true;
  if (!PyType_Check(object)) return wrong_type(message);
  out = reinterpret_cast<PyTypeObject*>(Py_NewRef(object));
  return true;
}

bool may_hold_bits(const Codec& codec) {
  return codec.kind <= Kind::uint64 || (codec.kind == Kind::enumeration && codec.element);
}

bool add_field(Codec& codec, CodecField& field, PyObject* item) {
  PyObject* name;
  PyObject* inner;
  if (!PyTuple_Check(item)) return wrong_type("a field is a tuple");
  if (!PyArg_ParseTuple(item, "UnO!ii", &name, &field.offset, codec_type, &inner, &field.bit_offset,
                        &field.bit_width))
    return false;
  Py_INCREF(name);
  PyUnicode_InternInPlace(&name);
  field.name = name;
  field.codec = as_codec(Py_NewRef(inner));
  field.kind = field.codec->kind;
  field.scalar = field.codec->scalar;
  ++codec.field_count;
  const Py_ssize_t size = field.codec->size;
  if (field.bit_width) {
    if (!may_hold_bits(*field.codec)) return bad("a bit-field holds an integer, a bool or an enumeration");
    if (field.bit_width < 0 || field.bit_width > 8 * size || field.bit_offset < 0)
      return bad("a bit-field's bits do not fit its type");
    if (field.offset < 0 || 8 * field.offset + field.bit_offset + field.bit_width > 8 * codec.size)
      return bad("a bit-field lies outside its struct");
    return true;
  }
  if (field.offset < 0 || field.offset > codec.size - size) return bad("a field lies outside its struct");
  return true;
}

// Marks what the fields cover, bit by bit, to tell unions and padding from plain structs.
bool survey_fields(Codec& codec) {
  const Py_ssize_t bits = codec.size * 8;
  std::unique_ptr<bool[]> covered(new (std::nothrow) bool[bits + 1]());
  if (!covered) return PyErr_NoMemory(), false;
  codec.disjoint = codec.tuples;
  Py_ssize_t total = 0;
  bool numbers = true;
  for (Py_ssize_t i = 0; i < codec.field_count; ++i) {
    const CodecField& field = codec.fields[i];
    const Py_ssize_t first = 8 * field.offset + (field.bit_width ? field.bit_offset : 0);
    const Py_ssize_t count = field.bit_width ? field.bit_width : 8 * field.codec->size;
    for (Py_ssize_t bit = first; bit < first + count; ++bit) {
      codec.disjoint &= !covered[bit];
      total += !covered[bit];
      covered[bit] = true;
    }
    numbers &= is_number(field.kind) && !field.bit_width;
    codec.has_pointers |= field.codec->has_pointers;
    if (field.bit_width) total = -bits;  // bit-fields are merged into zeroed bytes
  }
  codec.dense = codec.disjoint && total == bits;
  codec.plain = codec.disjoint && numbers;
  return true;
}

bool take_fields(Codec& codec, PyObject* fields) {
  const Py_ssize_t count = PyTuple_GET_SIZE(fields);
  codec.fields_tuple = Py_NewRef(fields);
  if (!count) return true;
  codec.fields = static_cast<CodecField*>(PyMem_Calloc(count, sizeof(CodecField)));
  if (!codec.fields) return PyErr_NoMemory(), false;
  for (Py_ssize_t i = 0; i < count; ++i)
    if (!add_field(codec, codec.fields[i], PyTuple_GET_ITEM(fields, i))) return false;
  return true;
}

bool finish_array(Codec& codec, PyObject* dtype, int ndim) {
  const bool pointer = codec.kind == Kind::pointer;
  if (!pointer && (ndim < 0 || ndim > 64 || codec.size != 8 + 16 * ndim))
    return bad("an array descriptor takes 8 + 16 * ndim bytes");
  if (!pointer && !codec.element) return bad("an array needs its element's codec");
  codec.has_pointers = true;
  codec.reads_arrays = codec.element && (dtype != Py_None || codec.array.dl.bits);
  codec.array.ndim = pointer ? -1 : ndim;
  codec.array.contiguous = pointer || codec.array.order == Order::c;
  codec.array.writable = !codec.is_const;
  if (dtype != Py_None) codec.array.dtype = Py_NewRef(dtype);
  if (codec.element) {
    codec.array.itemsize = codec.element->size;
    codec.array.align = codec.element->align;
  }
  codec.array.prepare();
  return true;
}

// Whether pointers inside lead outside of what the codec's own wires describe.
bool leads_out(const Codec& codec) {
  if (codec.kind == Kind::pointer || codec.kind == Kind::view || codec.kind == Kind::owner) return true;
  if (codec.kind == Kind::array || codec.kind == Kind::text || codec.kind == Kind::string) return false;
  for (Py_ssize_t i = 0; i < codec.field_count; ++i)
    if (leads_out(*codec.fields[i].codec)) return true;
  return codec.element && codec.kind != Kind::enumeration && leads_out(*codec.element);
}

bool finish_wire(Codec& codec) {
  const Codec* element = codec.element;
  if (codec.kind == Kind::text) {
    codec.has_pointers = true;
    return codec.count == 1 || codec.count == 2 || codec.count == 4 ||
           bad("a text's unit takes 1, 2 or 4 bytes");
  }
  if (!element) return bad("this kind of codec needs an element");
  const Py_ssize_t before = codec.kind == Kind::held ? codec.count : 0;
  const Py_ssize_t own = codec.kind == Kind::maybe ? 1 : 0;
  if (codec.kind != Kind::sequence && (before < 0 || before > codec.size - element->size - own))
    return bad("the element exceeds the codec's size");
  if (codec.kind == Kind::read && !codec.reader) return bad("a read needs a reader");
  codec.has_pointers =
      codec.kind == Kind::held ? leads_out(*element) : codec.kind == Kind::sequence || element->has_pointers;
  return true;
}

bool finish(Codec& codec, PyObject* dtype, int ndim) {
  const Codec* element = codec.element;
  switch (codec.kind) {
    case Kind::structure:
      if (codec.python && !is_instance_class(codec.python))
        return bad("a struct's class derives from Value or Record");
      return survey_fields(codec);
    case Kind::carray:
      if (!element || codec.count < 0) return bad("a carray needs an element and a count");
      if (codec.count && element->size > codec.size / codec.count)
        return bad("the elements exceed the carray's size");
      codec.has_pointers = element->has_pointers;
      codec.dense = codec.count * element->size == codec.size;
      return true;
    case Kind::enumeration:
      if (!element || element->kind > Kind::uint64 || element->size != codec.size)
        return bad("an enum needs the codec of its underlying integer");
      if (codec.python) {
        codec.members =
            PyObject_GetAttrString(reinterpret_cast<PyObject*>(codec.python), "_value2member_map_");
        if (!codec.members) PyErr_Clear();
        if (codec.members && !PyDict_Check(codec.members)) Py_CLEAR(codec.members);
      }
      return true;
    case Kind::string:
      codec.has_pointers = true;
      return true;
    case Kind::pointer:
    case Kind::array:
      return finish_array(codec, dtype, ndim);
    case Kind::text:
    case Kind::sequence:
    case Kind::maybe:
    case Kind::held:
    case Kind::read:
      return finish_wire(codec);
    case Kind::handle:
      if (codec.python && !is_handle_class(codec.python)) return bad("a handle's class derives from Handle");
      return true;
    case Kind::view:
    case Kind::owner:
      if (!element || !element->python || !is_record_class(element->python))
        return bad("a view needs the codec of a record or a handle");
      codec.has_pointers = true;
      return true;
    default:
      return true;
  }
}

bool find_kind(const char* name, Kind& out) {
  for (int i = 0; i < kKindCount; ++i)
    if (!std::strcmp(kKinds[i].name, name)) return out = static_cast<Kind>(i), true;
  PyErr_Format(PyExc_ValueError, "no codec kind is called %s", name);
  return false;
}

bool find_order(const char* name, Order& out) {
  constexpr const char* names[] = {"", "C", "F", "positive"};
  for (int i = 0; i < 4; ++i)
    if (!std::strcmp(names[i], name)) return out = static_cast<Order>(i), true;
  PyErr_Format(PyExc_ValueError, "no order of strides is called %s", name);
  return false;
}

PyObject* codec_new(PyTypeObject* type, PyObject* args, PyObject* kwargs) {
  static const char* names[] = {"kind",   "size",     "align",  "type",  "python", "scalar",
                                "fields", "element",  "count",  "dtype", "dl",     "ndim",
                                "const",  "nullable", "tuples", "order", "reader", nullptr};
  const char* kind_name;
  Py_ssize_t size = 0, align = 0, count = 0;
  PyObject *description = Py_None, *python = Py_None, *scalar = Py_None, *fields = nullptr,
           *element = Py_None;
  PyObject *dtype = Py_None, *dl = Py_None, *reader = Py_None;
  int ndim = 0, is_const = 0, nullable = 1, tuples = 1;
  const char* order = "";
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "s|$nnOOOO!OnOOipppsO:Codec", const_cast<char**>(names),
                                   &kind_name, &size, &align, &description, &python, &scalar, &PyTuple_Type,
                                   &fields, &element, &count, &dtype, &dl, &ndim, &is_const, &nullable,
                                   &tuples, &order, &reader))
    return nullptr;
  Kind kind;
  if (!find_kind(kind_name, kind)) return nullptr;
  const Py_ssize_t fixed = kKinds[static_cast<int>(kind)].size;
  if (size <= 0 || (fixed && size != fixed) || size > PY_SSIZE_T_MAX / 16)
    return bad("this size is not possible for this kind of codec"), nullptr;
  if (align <= 0 || (align & (align - 1))) return bad("an alignment is a power of two"), nullptr;
  if (element != Py_None && !is_codec(element)) return wrong_type("the element is a Codec"), nullptr;
  Ref self = Ref::steal(type->tp_alloc(type, 0));
  if (!self) return nullptr;
  Codec& codec = *as_codec(self.get());
  new (&codec.accepted) std::atomic<AcceptedType*>(nullptr);
  new (&codec.array) ArraySpec();
  new (&codec.route) RouteCache();
  codec.kind = kind;
  codec.size = size;
  codec.align = align;
  codec.count = count;
  codec.is_const = is_const;
  codec.nullable = nullable;
  codec.tuples = tuples;
  if (!find_order(order, codec.array.order)) return nullptr;
  codec.type = Py_NewRef(description);
  if (reader != Py_None) codec.reader = Py_NewRef(reader);
  if (element != Py_None) codec.element = as_codec(Py_NewRef(element));
  ElementType& spec = codec.array.dl;
  if (dl != Py_None && !PyTuple_Check(dl)) return wrong_type("dl is a tuple (code, bits, lanes)"), nullptr;
  if (dl != Py_None && !PyArg_ParseTuple(dl, "bbH", &spec.code, &spec.bits, &spec.lanes)) return nullptr;
  if (!take_type(python, codec.python, "python is a type or None")) return nullptr;
  if (!take_type(scalar, codec.scalar, "scalar is a type or None")) return nullptr;
  if (codec.scalar && is_number(kind) &&
      codec.scalar->tp_basicsize < static_cast<Py_ssize_t>(sizeof(PyObject)) + size)
    return bad("the scalar type's objects are too small for this codec"), nullptr;
  if (fields && !take_fields(codec, fields)) return nullptr;
  if (!codec.fields_tuple && !(codec.fields_tuple = PyTuple_New(0))) return nullptr;
  if (!finish(codec, dtype, ndim)) return nullptr;
  return self.release();
}

int codec_traverse(PyObject* self, visitproc visit, void* arg) {
  Codec& codec = *as_codec(self);
  Py_VISIT(Py_TYPE(self));
  Py_VISIT(codec.python);
  Py_VISIT(codec.scalar);
  Py_VISIT(codec.element);
  Py_VISIT(codec.members);
  Py_VISIT(codec.derived);
  Py_VISIT(codec.reader);
  Py_VISIT(codec.type);
  Py_VISIT(codec.fields_tuple);
  for (Py_ssize_t i = 0; i < codec.field_count; ++i) Py_VISIT(codec.fields[i].codec);
  for (auto* node = codec.accepted.load(); node; node = node->next) Py_VISIT(node->type);
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
    Py_DECREF(node->type);
    delete node;
    node = next;
  }
  codec.array.clear();
  Py_XDECREF(codec.python);
  Py_XDECREF(codec.scalar);
  Py_XDECREF(const_cast<Codec*>(codec.element));
  Py_XDECREF(codec.members);
  Py_XDECREF(codec.derived);
  Py_XDECREF(codec.reader);
  Py_XDECREF(codec.type);
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
  Keep keep;
  switch (encode(codec, object, out, keep)) {
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

PyObject* codec_accept(PyObject* self, PyObject* args) {
  Codec& codec = *as_codec(self);
  PyObject* object;
  Py_ssize_t offset = 0;
  if (!PyArg_ParseTuple(args, "O|n:accept", &object, &offset)) return nullptr;
  if (offset < 0) return bad("a base is inside its object"), nullptr;
  auto* type = reinterpret_cast<PyTypeObject*>(object);
  const bool pointer = codec.kind == Kind::pointer;
  const bool usable =
      PyType_Check(object) && (is_instance_class(type) || (pointer && PyType_IsSubtype(type, pointer_type)));
  const bool takes = pointer || codec.kind == Kind::structure || codec.kind == Kind::handle;
  if (!usable || !takes)
    return PyErr_SetString(PyExc_TypeError, "a codec accepts classes derived from Value, Record or Pointer"),
           nullptr;
  if (accepts(codec, type)) Py_RETURN_NONE;
  AcceptedType* head = codec.accepted.load(std::memory_order_acquire);
  int length = 0;
  for (auto* node = head; node; node = node->next) ++length;
  if (length >= kMaxAccepted) Py_RETURN_NONE;  // the rest keep working through Python
  auto* node = new (std::nothrow) AcceptedType{type, offset, head};
  if (!node) return PyErr_NoMemory();
  Py_INCREF(type);
  while (!codec.accepted.compare_exchange_weak(node->next, node, std::memory_order_release)) {
  }
  Py_RETURN_NONE;
}

PyObject* codec_set_destroy(PyObject* self, PyObject* address) {
  Codec& codec = *as_codec(self);
  if (codec.kind != Kind::handle || codec.destroy)
    return bad("a handle is given its destructor once"), nullptr;
  void* shim = PyLong_AsVoidPtr(address);
  if (!shim) return PyErr_Occurred() ? nullptr : (bad("a shim's address is not null"), nullptr);
  codec.destroy = reinterpret_cast<void (*)(void**)>(shim);
  Py_RETURN_NONE;
}

PyObject* codec_set_room(PyObject* self, PyObject* args) {
  Codec& codec = *as_codec(self);
  PyObject *room, *unroom;
  if (!PyArg_ParseTuple(args, "OO:set_room", &room, &unroom)) return nullptr;
  void* const made = PyLong_AsVoidPtr(room);
  void* const given_back = PyErr_Occurred() ? nullptr : PyLong_AsVoidPtr(unroom);
  if (PyErr_Occurred()) return nullptr;
  if (codec.kind != Kind::handle || codec.room || !made || !given_back)
    return bad("a handle is given its memory once"), nullptr;
  codec.unroom = reinterpret_cast<void (*)(void**)>(given_back);
  codec.room = reinterpret_cast<void (*)(void**)>(made);
  Py_RETURN_NONE;
}

PyObject* codec_set_dynamic(PyObject* self, PyObject* args) {
  Codec& codec = *as_codec(self);
  PyObject *address, *derived;
  if (!PyArg_ParseTuple(args, "OO!:set_dynamic", &address, &PyTuple_Type, &derived)) return nullptr;
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(derived); ++i)
    if (!PyType_Check(PyTuple_GET_ITEM(derived, i))) return wrong_type("derived are classes"), nullptr;
  void* const shim = PyLong_AsVoidPtr(address);
  if (PyErr_Occurred()) return nullptr;
  if (codec.kind != Kind::handle || codec.dynamic || !shim)
    return bad("a handle is told once how to find out what an object is"), nullptr;
  codec.derived = Py_NewRef(derived);
  codec.dynamic = reinterpret_cast<void (*)(void**)>(shim);
  Py_RETURN_NONE;
}

PyObject* codec_accept_dtype(PyObject* self, PyObject* dtype) {
  Codec& codec = *as_codec(self);
  if (codec.kind != Kind::pointer && codec.kind != Kind::array)
    return PyErr_SetString(PyExc_TypeError, "only pointers and arrays accept a dtype"), nullptr;
  const Ref objects = Ref::steal(PyObject_GetAttrString(dtype, "hasobject"));
  const int refused = objects ? PyObject_IsTrue(objects.get()) : -1;
  if (refused > 0) PyErr_SetString(PyExc_TypeError, "elements that are Python objects are not data");
  if (refused || !codec.array.accept_dtype(dtype)) return nullptr;
  Py_RETURN_NONE;
}

PyObject* codec_kind(PyObject* self, void*) {
  return PyUnicode_FromString(kKinds[static_cast<int>(as_codec(self)->kind)].name);
}

PyObject* codec_repr(PyObject* self) {
  const Codec& codec = *as_codec(self);
  return PyUnicode_FromFormat("Codec('%s', size=%zd, align=%zd, type=%R)",
                              kKinds[static_cast<int>(codec.kind)].name, codec.size, codec.align, codec.type);
}

PyMethodDef codec_methods[] = {
    {"pack", codec_pack, METH_O,
     "pack($self, object, /)\n--\n\nThe object's bytes, or None where Python must convert it first."},
    {"unpack", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(codec_unpack)),
     METH_VARARGS | METH_KEYWORDS,
     "unpack($self, buffer, offset=0)\n--\n\nThe object that the bytes at `offset` stand for."},
    {"accept", codec_accept, METH_VARARGS,
     "accept($self, type, offset=0, /)\n--\n\nTake instances of this class, too: at `offset` (bytes) they "
     "have the "
     "same layout."},
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
