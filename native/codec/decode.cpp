// Reads Python objects out of memory as a codec says.
#include <cstring>

#include "codec/scalar.hpp"
#include "object/handle.hpp"
#include "object/result_owner.hpp"
#include "object/shown_copy.hpp"
#include "object/smart_pointer.hpp"

namespace samebytes {

namespace {

PyObject* decode_enumeration(const Codec& codec, const char* data) {
  Ref number = Ref::steal(decode_number(codec.element->kind, data));
  if (!number || !codec.members) return number.release();
  PyObject* member = PyDict_GetItemWithError(codec.members, number.get());
  if (member) return Py_NewRef(member);
  if (PyErr_Occurred()) return nullptr;
  // A value without a name: an instance all the same, or, where the class knows none, a number.
  PyObject* made = PyObject_CallOneArg(reinterpret_cast<PyObject*>(codec.python), number.get());
  if (made || !PyErr_ExceptionMatches(PyExc_ValueError)) return made;
  PyErr_Clear();
  return number.release();
}

PyObject* decode_structure(const Codec& codec, const char* data, PyObject* owner) {
  if (likely(codec.python != nullptr)) {
    PyObject* const made = new_instance(codec.python, codec, data, codec.has_pointers ? owner : nullptr);
    if (unlikely(codec.hides) && owner && made) keep_owners(as_instance(made), owners_of_result(owner));
    if (likely(!codec.is_const) || !made || mark_const(made)) return made;
    Py_DECREF(made);
    return nullptr;
  }
  Ref tuple = Ref::steal(PyTuple_New(codec.field_count));
  for (Py_ssize_t i = 0; tuple && i < codec.field_count; ++i) {
    PyObject* item = decode_field(codec.fields[i], data, owner);
    if (!item) return nullptr;
    PyTuple_SET_ITEM(tuple.get(), i, item);
  }
  return tuple.release();
}

PyObject* decode_carray(const Codec& codec, const char* data, PyObject* owner) {
  Ref tuple = Ref::steal(PyTuple_New(codec.count));
  for (Py_ssize_t i = 0; tuple && i < codec.count; ++i) {
    PyObject* item = decode(*codec.element, data + i * codec.element->size, owner);
    if (!item) return nullptr;
    PyTuple_SET_ITEM(tuple.get(), i, item);
  }
  return tuple.release();
}

// The class of pointers to functions of one type, if the codec has one.
PyTypeObject* pointer_class(const Codec& codec) {
  return codec.python && PyType_IsSubtype(codec.python, pointer_type) ? codec.python : nullptr;
}

template <class Unit>
Py_ssize_t length_of(const void* text) {
  const char* const start = static_cast<const char*>(text);
  const char* end = start;  // read as bytes: the characters are of a type of C++'s that is not known here
  while (load<Unit>(end)) end += sizeof(Unit);
  return end - start;
}

// Lone surrogates are Python's, too; a number that is no code of Unicode's is not, and the codec's reader
// says so.
PyObject* decode_wide(const Codec& codec, const char* text, Py_ssize_t size) {
  int order = -1;  // little-endian
  if (codec.count == 2) return PyUnicode_DecodeUTF16(text, size, "surrogatepass", &order);
  PyObject* const found = PyUnicode_DecodeUTF32(text, size, "surrogatepass", &order);
  if (likely(found != nullptr) || !codec.reader || !PyErr_ExceptionMatches(PyExc_UnicodeDecodeError))
    return found;
  PyErr_Clear();
  const Ref codes = Ref::steal(PyBytes_FromStringAndSize(text, size));
  return codes ? PyObject_CallOneArg(codec.reader, codes.get()) : nullptr;
}

PyObject* decode_string(const Codec& codec, const char* data) {
  const char* text = load<const char*>(data);
  if (!text) Py_RETURN_NONE;
  if (codec.count == 2) return decode_wide(codec, text, length_of<uint16_t>(text));
  if (codec.count == 4) return decode_wide(codec, text, length_of<uint32_t>(text));
  return PyUnicode_DecodeUTF8(text, std::strlen(text), "surrogateescape");
}

PyObject* decode_text(const Codec& codec, const char* data) {
  const char* text = load<const char*>(data);
  const auto size = static_cast<Py_ssize_t>(load<uint64_t>(data + sizeof text)) * codec.count;
  return codec.count == 1 ? PyUnicode_DecodeUTF8(text, size, "surrogateescape")
                          : decode_wide(codec, text, size);
}

PyObject* decode_sequence(const Codec& codec, const char* data, PyObject* owner) {
  const char* items = load<const char*>(data);
  const auto count = static_cast<Py_ssize_t>(load<uint64_t>(data + sizeof items));
  Ref list = Ref::steal(PyList_New(count));
  for (Py_ssize_t i = 0; list && i < count; ++i) {
    PyObject* item = decode(*codec.element, items + i * codec.element->size, owner);
    if (!item) return nullptr;
    PyList_SET_ITEM(list.get(), i, item);
  }
  return list.release();
}

// The value of an optional that has one: None, as a null is shown, would mean that it has none.
PyObject* decode_present(const Codec& codec, Ref found) {
  return found.get() == Py_None && codec.reader ? PyObject_CallNoArgs(codec.reader) : found.release();
}

PyObject* decode_read(const Codec& codec, Ref object) {
  return object ? PyObject_CallOneArg(codec.reader, object.get()) : nullptr;
}

// The descriptor of elements without gaps, which are the result's own; or one that C++ made of any array.
PyObject* decode_array(const Codec& codec, const char* data, PyObject* owner) {
  if (codec.described && codec.reader) {
    Ref descriptor = Ref::steal(PyBytes_FromStringAndSize(data, codec.size));
    if (!descriptor) return nullptr;
    return PyObject_CallFunctionObjArgs(codec.reader, descriptor.get(), owner ? owner : Py_None, nullptr);
  }
  if (!codec.reader || codec.array.ndim != 1) {
    PyErr_SetString(PyExc_SystemError, "an array descriptor has no Python value");
    return nullptr;
  }
  const auto size = static_cast<Py_ssize_t>(load<uint64_t>(data + sizeof(void*))) * codec.element->size;
  // Of a callback's argument nobody keeps the elements.
  if (!owner)
    return decode_read(codec, Ref::steal(PyByteArray_FromStringAndSize(load<const char*>(data), size)));
  return decode_read(codec, Ref::steal(new_piece(load<void*>(data), size, owner)));
}

}  // namespace

PyObject* decode_field(const CodecField& field, const char* base, PyObject* owner) {
  const Codec& codec = *field.codec;
  if (likely(!field.bit_width)) return decode(codec, base + field.offset, owner);
  uint64_t value = read_bits(base + field.offset, field.bit_offset, field.bit_width);
  const Kind kind = is_number(codec.kind) ? codec.kind : codec.element->kind;
  if (kind >= Kind::int8 && kind <= Kind::int64) {
    const int spare = 64 - field.bit_width;
    value = static_cast<uint64_t>(static_cast<int64_t>(value << spare) >> spare);
  }
  return decode(codec, reinterpret_cast<const char*>(&value), owner);
}

PyObject* decode(const Codec& codec, const char* data, PyObject* owner) {
  switch (codec.kind) {
    case Kind::enumeration:
      return decode_enumeration(codec, data);
    case Kind::structure:
      return decode_structure(codec, data, owner);
    case Kind::carray:
      return decode_carray(codec, data, owner);
    case Kind::pointer:
      return new_pointer(load<void*>(data), owner, pointer_class(codec), codec.const_levels);
    case Kind::string:
      return decode_string(codec, data);
    case Kind::array:
      return decode_array(codec, data, owner);
    case Kind::text:
      return decode_text(codec, data);
    case Kind::sequence:
      return decode_sequence(codec, data, owner);
    case Kind::maybe:
      if (!data[codec.element->size]) Py_RETURN_NONE;
      return decode_present(codec, Ref::steal(decode(*codec.element, data, owner)));
    case Kind::held:
      return decode_owned_result(codec, data, owner);
    case Kind::read:
      return decode_read(codec, Ref::steal(decode(*codec.element, data, owner)));
    case Kind::handle:
      PyErr_SetString(PyExc_SystemError, "only C++ copies an object that is no bytes");
      return nullptr;
    case Kind::view:
      if (!load<char*>(data)) Py_RETURN_NONE;
      return view_object(*codec.element, load<char*>(data), owner, codec.is_const);
    case Kind::owner:
      return decode_owner(codec, data, owner);
    default:
      return decode_number(codec.kind, data);
  }
}

}  // namespace samebytes
