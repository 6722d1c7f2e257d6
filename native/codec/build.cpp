// Builds a Codec from a description, and checks that description.
#include <cstring>
#include <memory>
#include <new>

#include "codec/fields.hpp"
#include "object/handle.hpp"

namespace samebytes {

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

bool take_type(PyObject* object, PyTypeObject*& out, const char* message) {
  if (object == Py_None) return true;
  if (!PyType_Check(object)) return type_error(message);
  out = reinterpret_cast<PyTypeObject*>(Py_NewRef(object));
  return true;
}

bool finish_array(Codec& codec, PyObject* dtype, int ndim) {
  const bool pointer = codec.kind == Kind::pointer;
  if (!pointer && (ndim < 0 || ndim > 64 || codec.size != 8 + 16 * ndim))
    return value_error("an array descriptor takes 8 + 16 * ndim bytes");
  if (!pointer && !codec.element) return value_error("an array needs its element's codec");
  codec.has_pointers = true;
  codec.array.anywhere = codec.adapts;
  codec.reads_arrays =
      (codec.element && (dtype != Py_None || codec.array.dl.bits)) || (pointer && codec.array.anything);
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
  if (codec.kind == Kind::array) return codec.described;
  if (codec.kind == Kind::text || codec.kind == Kind::string) return false;
  for (Py_ssize_t i = 0; i < codec.field_count; ++i)
    if (leads_out(*codec.fields[i].codec)) return true;
  return codec.element && codec.kind != Kind::enumeration && leads_out(*codec.element);
}

bool finish_wire(Codec& codec) {
  const Codec* element = codec.element;
  if (codec.kind == Kind::text) {
    codec.has_pointers = true;
    return codec.count == 1 || codec.count == 2 || codec.count == 4 ||
           value_error("a text's unit takes 1, 2 or 4 bytes");
  }
  if (!element) return value_error("this kind of codec needs an element");
  const Py_ssize_t before = codec.kind == Kind::held ? codec.count : 0;
  const Py_ssize_t own = codec.kind == Kind::maybe ? 1 : 0;
  if (codec.kind != Kind::sequence && (before < 0 || before > codec.size - element->size - own))
    return value_error("the element exceeds the codec's size");
  if (codec.kind == Kind::read && !codec.reader) return value_error("a read needs a reader");
  codec.hides = element->hides;
  codec.has_pointers =
      codec.kind == Kind::held ? leads_out(*element) : codec.kind == Kind::sequence || element->has_pointers;
  return true;
}

bool finish(Codec& codec, PyObject* dtype, int ndim) {
  const Codec* element = codec.element;
  switch (codec.kind) {
    case Kind::structure:
      if (codec.python && !is_instance_class(codec.python))
        return value_error("a struct's class derives from Value or Record");
      return survey_fields(codec);
    case Kind::carray:
      if (!element || codec.count < 0) return value_error("a carray needs an element and a count");
      if (codec.count && element->size > codec.size / codec.count)
        return value_error("the elements exceed the carray's size");
      codec.has_pointers = element->has_pointers;
      codec.hides = element->hides;
      codec.dense = codec.count * element->size == codec.size;
      return true;
    case Kind::enumeration:
      if (!element || element->kind > Kind::uint64 || element->size != codec.size)
        return value_error("an enum needs the codec of its underlying integer");
      if (codec.python) {
        codec.members =
            PyObject_GetAttrString(reinterpret_cast<PyObject*>(codec.python), "_value2member_map_");
        if (!codec.members) PyErr_Clear();
        if (codec.members && !PyDict_Check(codec.members)) Py_CLEAR(codec.members);
      }
      return true;
    case Kind::string:
      codec.has_pointers = true;
      return codec.count == 0 || codec.count == 1 || codec.count == 2 || codec.count == 4 ||
             value_error("a text's unit takes 1, 2 or 4 bytes");
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
      if (codec.python && !is_handle_class(codec.python))
        return value_error("a handle's class derives from Handle");
      return true;
    case Kind::view:
    case Kind::owner:
      if (!element || !element->python || !is_record_class(element->python))
        return value_error("a view needs the codec of a record or a handle");
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

}  // namespace

const char* kind_name(Kind kind) { return kKinds[static_cast<int>(kind)].name; }

PyObject* codec_new(PyTypeObject* type, PyObject* args, PyObject* kwargs) {
  static const char* names[] = {"kind",    "size",  "align",     "type",   "python", "scalar",   "fields",
                                "element", "count", "dtype",     "dl",     "ndim",   "const",    "nullable",
                                "tuples",  "order", "reader",    "adapts", "items",  "anything", "launch",
                                "least",   "lists", "described", "levels", nullptr};
  const char* kind_name;
  Py_ssize_t size = 0, align = 0, count = 0;
  PyObject *description = Py_None, *python = Py_None, *scalar = Py_None, *fields = nullptr,
           *element = Py_None;
  PyObject *dtype = Py_None, *dl = Py_None, *reader = Py_None, *items = Py_None;
  int ndim = 0, is_const = 0, nullable = 1, tuples = 1, adapts = 0, anything = 0, launch = 0, least = 0,
      lists = 1, described = 0;
  unsigned const_levels = 0, mutable_levels = 0;
  const char* order = "";
  if (!PyArg_ParseTupleAndKeywords(
          args, kwargs, "s|$nnOOOO!OnOOipppsOpOpippp(II):Codec", const_cast<char**>(names), &kind_name, &size,
          &align, &description, &python, &scalar, &PyTuple_Type, &fields, &element, &count, &dtype, &dl,
          &ndim, &is_const, &nullable, &tuples, &order, &reader, &adapts, &items, &anything, &launch, &least,
          &lists, &described, &const_levels, &mutable_levels))
    return nullptr;
  Kind kind;
  if (!find_kind(kind_name, kind)) return nullptr;
  const Py_ssize_t fixed = kKinds[static_cast<int>(kind)].size;
  if (size <= 0 || (fixed && size != fixed) || size > PY_SSIZE_T_MAX / 16)
    return value_error("this size is not possible for this kind of codec"), nullptr;
  if (align <= 0 || (align & (align - 1))) return value_error("an alignment is a power of two"), nullptr;
  for (PyObject* inner : {element, items})
    if (inner != Py_None && !is_codec(inner)) return type_error("the element is a Codec"), nullptr;
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
  codec.least = least;
  codec.tuples = tuples;
  codec.lists = lists;
  codec.described = described;
  codec.const_levels = const_levels;
  codec.mutable_levels = mutable_levels;
  if (!find_order(order, codec.array.order)) return nullptr;
  codec.type = Py_NewRef(description);
  if (reader != Py_None) codec.reader = Py_NewRef(reader);
  if (element != Py_None) codec.element = as_codec(Py_NewRef(element));
  if (items != Py_None) codec.items = as_codec(Py_NewRef(items));
  codec.adapts = adapts;
  if (launch < 0 || launch > 2) return value_error("a launch has two lists of arguments"), nullptr;
  codec.launch = static_cast<Launch>(launch);
  codec.array.anything = anything;
  ElementType& spec = codec.array.dl;
  if (dl != Py_None && !PyTuple_Check(dl)) return type_error("dl is a tuple (code, bits, lanes)"), nullptr;
  if (dl != Py_None && !PyArg_ParseTuple(dl, "bbH", &spec.code, &spec.bits, &spec.lanes)) return nullptr;
  if (!take_type(python, codec.python, "python is a type or None")) return nullptr;
  if (!take_type(scalar, codec.scalar, "scalar is a type or None")) return nullptr;
  if (codec.scalar && is_number(kind) &&
      codec.scalar->tp_basicsize < static_cast<Py_ssize_t>(sizeof(PyObject)) + size)
    return value_error("the scalar type's objects are too small for this codec"), nullptr;
  if (fields && !take_fields(codec, fields)) return nullptr;
  if (!codec.fields_tuple && !(codec.fields_tuple = PyTuple_New(0))) return nullptr;
  if (!finish(codec, dtype, ndim)) return nullptr;
  return self.release();
}

}  // namespace samebytes
