// The Python type Field: a descriptor that reads and writes one field of a value's or record's bytes.
#include <cstring>
#include <memory>
#include <new>

#include "array/aside.hpp"
#include "call/running.hpp"
#include "codec/numbers.hpp"
#include "codec/pointee_owners.hpp"
#include "object/gone.hpp"
#include "object/handle.hpp"
#include "object/shown_copy.hpp"
#include "object/smart_pointer.hpp"
#include "structmember.h"

namespace samebytes {

namespace {

PyTypeObject* field_type;

struct Field {
  PyObject_HEAD CodecField field;
  Py_ssize_t end;  // bytes an instance must have
};

Field* as_field(PyObject* object) { return reinterpret_cast<Field*>(object); }

PyObject* field_new(PyTypeObject* type, PyObject* args, PyObject* kwargs) {
  static const char* names[] = {"name", "codec", "offset", "bit_offset", "bit_width", nullptr};
  PyObject *name, *codec;
  CodecField field = {};
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "UO!n|ii:Field", const_cast<char**>(names), &name,
                                   codec_type, &codec, &field.offset, &field.bit_offset, &field.bit_width))
    return nullptr;
  field.codec = reinterpret_cast<Codec*>(codec);
  const Kind kind = field.codec->kind;
  const bool holds_bits = kind <= Kind::uint64 || kind == Kind::enumeration;
  const bool bits = field.bit_width != 0;
  if (field.offset < 0 || field.bit_offset < 0 || field.bit_width < 0 ||
      (kind == Kind::array && !field.codec->described) ||
      (bits && (!holds_bits || field.bit_width > 8 * field.codec->size))) {
    PyErr_SetString(PyExc_ValueError, "this is not the place of a field");
    return nullptr;
  }
  PyObject* self = type->tp_alloc(type, 0);
  if (!self) return nullptr;
  Py_INCREF(name);
  PyUnicode_InternInPlace(&name);
  Py_INCREF(codec);
  field.name = name;
  as_field(self)->field = field;
  as_field(self)->end =
      field.offset + (bits ? (field.bit_offset + field.bit_width + 7) / 8 : field.codec->size);
  return self;
}

// Immutable: a cycle through a field passes through its class.
int field_traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  Py_VISIT(as_field(self)->field.codec);
  return 0;
}

void field_dealloc(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  PyObject_GC_UnTrack(self);
  Py_DECREF(as_field(self)->field.name);
  Py_DECREF(const_cast<Codec*>(as_field(self)->field.codec));
  type->tp_free(self);
  Py_DECREF(type);
}

// Python words why there is no object.
Instance* refuse_gone(Field* self, PyObject* object, const Ref& why) {
  auto* type = reinterpret_cast<PyObject*>(Py_TYPE(object));
  if (why) Ref::steal(PyObject_CallMethod(type, "__samebytes_gone__", "OO", self->field.name, why.get()));
  if (!PyErr_Occurred()) PyErr_SetString(PyExc_SystemError, "nothing was said of an object that is gone");
  return nullptr;
}

// The instance's bytes, if it is one and has room for this field.
Instance* instance_for(Field* self, PyObject* object) {
  if (likely(is_instance_class(Py_TYPE(object)) && Py_SIZE(object) >= self->end)) return as_instance(object);
  PyObject* const why = is_handle_class(Py_TYPE(object)) ? why_gone(object) : nullptr;
  if (why) return refuse_gone(self, object, Ref::borrow(why));
  if (is_handle_class(Py_TYPE(object)) && is_taken(object))
    return refuse_gone(self, object, Ref::steal(PyUnicode_FromString("C++ has taken over this object")));
  if (is_handle_class(Py_TYPE(object)) && !Py_SIZE(object))
    return PyErr_Format(PyExc_ReferenceError,
                        "the C++ object of this %s was destroyed with its cycle of references",
                        Py_TYPE(object)->tp_name),
           nullptr;
  PyErr_Format(PyExc_TypeError, "field '%U' does not belong to '%s' objects", self->field.name,
               Py_TYPE(object)->tp_name);
  return nullptr;
}

// A record that lies in an object which C++ gave as const, or as a copy.
PyObject* get_copy(const CodecField& field, Instance* instance) {
  const Ref owner = field.codec->has_pointers
                        ? owner_of_field(instance, instance->data + field.offset, field.codec->size)
                        : Ref();
  if (field.codec->has_pointers && !owner) return nullptr;
  Ref made = Ref::steal(decode_field(field, instance->data, owner.get()));
  const auto mark = is_constant(reinterpret_cast<PyObject*>(instance)) ? mark_const : mark_copy;
  return made && mark(made.get()) ? made.release() : nullptr;
}

bool is_const_handle(PyObject* object) { return is_handle_class(Py_TYPE(object)) && is_unwritable(object); }

PyObject* field_get(PyObject* self, PyObject* object, PyObject*) {
  if (!object) return Py_NewRef(self);
  const CodecField& field = as_field(self)->field;
  Instance* instance = instance_for(as_field(self), object);
  if (!instance) return nullptr;
  const Codec& codec = *field.codec;
  if (likely(is_number(codec.kind))) return decode_field(field, instance->data, nullptr);
  const Running running(&object, 1, nullptr);  // new objects may have the garbage collector run Python code
  if (codec.kind == Kind::structure && codec.python && is_record_class(codec.python) &&
      is_record_class(Py_TYPE(object)) && !is_const_handle(object))
    return view_instance(codec.python, codec.size, instance->data + field.offset, object);
  if (codec.kind == Kind::handle && codec.python) {
    Ref view = Ref::steal(view_object(codec, instance->data + field.offset, object, is_unwritable(object)));
    // What lies in a copy is not const in C++: a copy, too.
    if (view && is_shown_copy(object) && !mark_copy(view.get())) return nullptr;
    return view.release();
  }
  if (codec.kind == Kind::structure && is_const_handle(object)) return get_copy(field, instance);
  if (!codec.has_pointers) return decode_field(field, instance->data, nullptr);
  const char* data = instance->data + field.offset;
  if (codec.kind == Kind::structure && codec.python && is_record_class(Py_TYPE(object)))
    return copy_with_owners(codec.python, codec, instance, data);
  Ref owner = owner_of_field(instance, data, codec.size);
  return owner ? decode_field(field, instance->data, owner.get()) : nullptr;
}

int refuse(PyObject* object, PyObject* name, bool is_copy) {
  auto* type = reinterpret_cast<PyObject*>(Py_TYPE(object));
  const bool is_const = is_copy && is_constant(object);
  const char* const words = is_const  ? "__samebytes_constant__"
                            : is_copy ? "__samebytes_copied__"
                                      : "__samebytes_readonly__";
  Ref result = Ref::steal(PyObject_CallMethod(type, words, "O", name));
  if (result) PyErr_Format(PyExc_AttributeError, "field '%U' is read-only", name);
  return -1;
}

int convert(Instance* instance, const CodecField& field, PyObject* object) {
  auto* type = reinterpret_cast<PyObject*>(Py_TYPE(instance));
  const Ref by = Ref::steal(PyObject_GetAttrString(type, "__samebytes_convert_field__"));
  Ref converted = Ref::steal(by ? ask_python(by.get(), field.name, object) : nullptr);
  if (!converted) return -1;
  if (!field.bit_width) {
    char* out = instance->data + field.offset;
    return copy_converted(instance, out, field.codec->size, converted.get()) ? 0 : -1;
  }
  uint64_t value = 0;
  if (!PyBytes_Check(converted.get()) || PyBytes_GET_SIZE(converted.get()) != field.codec->size) {
    PyErr_Format(PyExc_SystemError, "converting field '%U' gave %R instead of %zd bytes", field.name,
                 converted.get(), field.codec->size);
    return -1;
  }
  std::memcpy(&value, PyBytes_AS_STRING(converted.get()), field.codec->size);
  write_bits(instance->data + field.offset, field.bit_offset, field.bit_width, value);
  return 0;
}

// All or nothing: a tuple or list that fails halfway leaves the record as it was.
Match assign(Instance* instance, const CodecField& field, PyObject* value) {
  if (!PyTuple_Check(value) && !PyList_Check(value)) return encode_with_owners(instance, field, value);
  const Codec& codec = *field.codec;
  if (codec.has_pointers) return Match::no;
  std::unique_ptr<char[]> bytes(new (std::nothrow) char[codec.size]());
  if (!bytes) return PyErr_NoMemory(), Match::error;
  CallResources resources;
  const Match match = encode(codec, value, bytes.get(), resources);
  if (match == Match::yes) std::memcpy(instance->data + field.offset, bytes.get(), codec.size);
  return match;
}

// Whether a value is the very object that lies in the field: what `obj.member += x` assigns once C++ has done
// it.
bool is_itself(const CodecField& field, Instance* instance, PyObject* value) {
  return field.codec->kind == Kind::handle && value && Py_TYPE(value) == field.codec->python &&
         Py_SIZE(value) && as_instance(value)->data == instance->data + field.offset;
}

int field_set(PyObject* self, PyObject* object, PyObject* value) {
  const CodecField& field = as_field(self)->field;
  const Running running(&object, 1, nullptr);  // converting the value may run Python code
  Instance* instance = instance_for(as_field(self), object);
  if (!instance) return -1;
  const bool is_copy = is_shown_copy(object);
  if (!value || !is_record_class(Py_TYPE(object)) || is_const_object(object) || is_copy)
    return refuse(object, field.name, is_copy && value);
  if (is_itself(field, instance, value)) return 0;
  switch (assign(instance, field, value)) {
    case Match::yes:
      return 0;
    case Match::no:
      return convert(instance, field, value);
    default:
      return -1;
  }
}

PyObject* field_repr(PyObject* self) {
  return PyUnicode_FromFormat("Field('%U', offset=%zd)", as_field(self)->field.name,
                              as_field(self)->field.offset);
}

PyMemberDef field_members[] = {{"name", T_OBJECT, offsetof(Field, field.name), READONLY, nullptr},
                               {"codec", T_OBJECT, offsetof(Field, field.codec), READONLY, nullptr},
                               {"offset", T_PYSSIZET, offsetof(Field, field.offset), READONLY, nullptr},
                               {"bit_offset", T_INT, offsetof(Field, field.bit_offset), READONLY, nullptr},
                               {"bit_width", T_INT, offsetof(Field, field.bit_width), READONLY, nullptr},
                               {}};

PyType_Slot field_slots[] = {
    {Py_tp_new, reinterpret_cast<void*>(field_new)},
    {Py_tp_dealloc, reinterpret_cast<void*>(field_dealloc)},
    {Py_tp_traverse, reinterpret_cast<void*>(field_traverse)},
    {Py_tp_descr_get, reinterpret_cast<void*>(field_get)},
    {Py_tp_descr_set, reinterpret_cast<void*>(field_set)},
    {Py_tp_repr, reinterpret_cast<void*>(field_repr)},
    {Py_tp_members, field_members},
    {Py_tp_doc, const_cast<char*>("Field(name, codec, offset, bit_offset=0, bit_width=0)\n--\n\n"
                                  "One field of a Value or Record class; `offset` is in bytes.")},
    {}};

PyType_Spec field_spec = {"samebytes._native.Field", sizeof(Field), 0,
                          Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_IMMUTABLETYPE, field_slots};

}  // namespace

int add_field_type(PyObject* module) {
  field_type = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&field_spec));
  return field_type ? PyModule_AddObjectRef(module, "Field", reinterpret_cast<PyObject*>(field_type)) : -1;
}

}  // namespace samebytes
