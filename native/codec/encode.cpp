// Writes Python objects into memory as a codec says. What it does not recognise is for Python to convert.
#include <cstring>

#include "array/extents.hpp"
#include "call/unlocked.hpp"
#include "call/writes.hpp"
#include "codec/pointee_owners.hpp"
#include "codec/scalar.hpp"
#include "object/addresses.hpp"
#include "object/handle.hpp"
#include "object/shown_copy.hpp"

namespace samebytes {

namespace {

Match encode_enumeration(const Codec& codec, PyObject* object, char* out) {
  if (PyLong_CheckExact(object) &&
      codec.element->kind != Kind::boolean)  // a number without a name is a value, too
    return encode_number(codec.element->kind, nullptr, object, out);
  if (!accepts(codec, Py_TYPE(object))) return Match::no;
  static PyObject* const name = PyUnicode_InternFromString("_value_");
  Ref value = Ref::steal(PyObject_GetAttr(object, name));
  if (!value) return PyErr_Clear(), Match::no;
  return encode_number(codec.element->kind, nullptr, value.get(), out);
}

Match encode_carray(const Codec& codec, PyObject* object, char* out, CallResources& resources) {
  // A list may change while the call runs, and so drop what its pointers point into; a tuple may not.
  const bool list = PyList_CheckExact(object) && !codec.has_pointers && codec.lists;
  if (!list && !PyTuple_CheckExact(object)) return Match::no;
  if (Py_SIZE(object) != codec.count) return Match::no;
  if (!codec.dense) std::memset(out, 0, codec.size);
  const Codec& element = *codec.element;
  for (Py_ssize_t i = 0; i < codec.count; ++i) {
    // Encoding an element may run Python code (an enumeration's attribute), which may shrink the list.
    if (unlikely(i >= Py_SIZE(object))) return Match::no;
    Ref item = Ref::borrow(list ? PyList_GET_ITEM(object, i) : PyTuple_GET_ITEM(object, i));
    const Match match = encode(element, item.get(), out + i * element.size, resources);
    if (match != Match::yes) return match;
  }
  return Match::yes;
}

Match encode_string(const Codec& codec, PyObject* object, char* out) {
  const char* text;
  Py_ssize_t length;
  if (object == Py_None) {
    return codec.nullable ? store<const char*>(out, nullptr) : Match::no;
  } else if (codec.count > 1) {
    return Match::no;  // Python writes it
  } else if (PyUnicode_CheckExact(object)) {
    text = utf8_of(object, length);
    if (!text) return PyErr_Clear(), Match::no;
  } else if (PyBytes_CheckExact(object)) {
    text = PyBytes_AS_STRING(object);
    length = PyBytes_GET_SIZE(object);
  } else {
    return Match::no;
  }
  return std::memchr(text, 0, length) ? Match::no : store(out, text);
}

Match encode_text(const Codec& codec, PyObject* object, char* out) {
  const char* text;
  Py_ssize_t length;
  if (PyUnicode_CheckExact(object) && codec.count == 1) {
    text = utf8_of(object, length);
    if (!text) return PyErr_Clear(), Match::no;
  } else if (PyBytes_CheckExact(object) && codec.count == 1) {
    text = PyBytes_AS_STRING(object);
    length = PyBytes_GET_SIZE(object);
  } else {
    return Match::no;
  }
  store(out, text);
  return store(out + sizeof text, static_cast<uint64_t>(length));
}

Match encode_maybe(const Codec& codec, PyObject* object, char* out, CallResources& resources) {
  std::memset(out, 0, codec.size);
  if (object == Py_None) return Match::yes;
  out[codec.element->size] = 1;
  return encode(*codec.element, object, out, resources);
}

Match encode_array(const Codec& codec, PyObject* object, char* out, RouteCache& route,
                   CallResources& resources) {
  if (unlikely(!codec.reads_arrays || (reinterpret_cast<uintptr_t>(out) & 7))) return Match::no;
  ArrayRef array;
  array.shape = reinterpret_cast<int64_t*>(out + sizeof(void*));
  array.strides = array.shape + codec.array.ndim;
  const Match match = match_array(codec.array, object, route, array, resources);
  if (match != Match::yes) return match;
  if (!order_fits(codec.array.order, codec.array.ndim, array.shape, array.strides)) return Match::no;
  store(out, array.data);
  return note(object, route_of(route, object), resources) ? Match::yes : Match::error;
}

Match encode_address(const Codec& codec, PyObject* object, void** out, CallResources& resources) {
  if (unlikely(drops_const(codec, object))) return Match::no;
  if (!pointer_address(object, *out, resources)) return Match::error;
  PyObject* const owner = as_pointer(object)->owner;
  if (owner && !note_source(owner, !codec.is_const, resources)) return Match::error;
  return *out || codec.nullable ? Match::yes : Match::no;
}

Match encode_bits(const CodecField& field, PyObject* object, char* base, CallResources& resources) {
  char bytes[sizeof(uint64_t)] = {};
  const Match match = encode(*field.codec, object, bytes, resources);
  if (match != Match::yes) return match;
  const uint64_t value = load<uint64_t>(bytes);
  const int width = field.bit_width;
  const Kind kind = is_number(field.codec->kind) ? field.codec->kind : field.codec->element->kind;
  const int spare = 64 - width;
  const bool is_signed = kind >= Kind::int8 && kind <= Kind::int64;
  if (is_signed) {
    const int unused = 64 - 8 * static_cast<int>(field.codec->size);
    const auto full = static_cast<int64_t>(value << unused) >> unused;
    if (static_cast<int64_t>(static_cast<uint64_t>(full) << spare) >> spare != full) return Match::no;
  } else if (value << spare >> spare != value) {
    return Match::no;
  }
  write_bits(base + field.offset, field.bit_offset, width, value);
  return Match::yes;
}

}  // namespace

Match encode_field(const CodecField& field, PyObject* object, char* base, CallResources& resources) {
  if (unlikely(field.bit_width)) return encode_bits(field, object, base, resources);
  const Codec& codec = *field.codec;
  if (likely(is_number(codec.kind)))
    return encode_number(codec.kind, codec.scalar, object, base + field.offset);
  return encode(codec, object, base + field.offset, resources);
}

Match encode_structure(const Codec& codec, PyObject* object, char* out, CallResources& resources) {
  if (PyTuple_CheckExact(object)) {
    if (PyTuple_GET_SIZE(object) != codec.field_count || !codec.disjoint) return Match::no;
    if (!codec.dense) std::memset(out, 0, codec.size);
    for (Py_ssize_t i = 0; i < codec.field_count; ++i) {
      const Match match = encode_field(codec.fields[i], PyTuple_GET_ITEM(object, i), out, resources);
      if (unlikely(match != Match::yes)) return match;
    }
    return Match::yes;
  }
  const char* data = instance_data(codec, object);
  if (!data) return Match::no;
  if (codec.has_pointers && !hold_pointee_owners(object, resources)) return Match::error;
  std::memmove(out, data, codec.size);  // a record may be assigned a view of itself
  return Match::yes;
}

namespace {

// Whether an array has as many elements as a parameter declares: of NumPy's, of others Python counts.
bool has_count(const Codec& codec, PyObject* object) {
  if (Py_TYPE(object) != plain_ndarray.load(std::memory_order_acquire)) return false;
  const PyArrayObject_fields* array = array_fields(object);
  int64_t count = 1;
  for (int d = 0; d < array->nd; ++d) count *= array->dimensions[d];
  return count >= codec.count;
}

}  // namespace

Match encode_pointer(const Codec& codec, PyObject* object, void** out, RouteCache& route,
                     CallResources& resources) {
  PyTypeObject* type = Py_TYPE(object);
  if (object == Py_None) {
    *out = nullptr;
    return codec.nullable ? Match::yes : Match::no;
  }
  // Where an array is declared, Python asks adapters how much there is.
  if (is_counted(codec) && type != pointer_type && is_pointer_class(type)) return Match::no;
  if (type == pointer_type || (accepts(codec, type) && is_pointer_class(type)))
    return encode_address(codec, object, out, resources);
  if (accepts(codec, type) && is_instance_class(type)) {
    // Values never change, and neither does what C++ gave as const.
    if (is_counted(codec) && codec.count > 1) return Match::no;
    if (!codec.is_const && (!is_record_class(type) || is_unwritable(object))) return Match::no;
    const AcceptedType* derived = type == codec.python ? nullptr : find_accepted(codec, type);
    const Py_ssize_t size = codec.element ? codec.element->size : 1;
    char* const data = derived                   ? accepted_data(*derived, object, size)
                       : Py_SIZE(object) >= size ? as_instance(object)->data
                                                 : nullptr;
    if (!data) return Match::no;
    const bool numbers = codec.element && !codec.element->has_pointers;
    if (!numbers && !hold_pointee_owners(object, resources)) return Match::error;
    if (!codec.is_const && !note_address(object, resources)) return Match::error;
    *out = data;
    return Match::yes;
  }
  if (codec.reads_arrays) {
    ArrayRef array;
    const Match match = match_array(codec.array, object, route, array, resources);
    *out = array.data;
    if (match == Match::yes && is_counted(codec) && !has_count(codec, object)) return Match::no;
    if (match == Match::yes) return note(object, route_of(route, object), resources) ? match : Match::error;
    if (match == Match::error) return match;
  }
  // Of any class: of an array that a pointer knows, a call alone decides; Python knows which are places of
  // pointers, and asks what knows its memory whether a record has room there.
  const Kind there = codec.element ? codec.element->kind : Kind::boolean;
  const bool place =
      there == Kind::pointer || there == Kind::string || (there == Kind::structure && type != pointer_type);
  const bool pointer = is_pointer_class(type) && !is_shown_class(type) && !is_opaque(codec) && !place;
  return pointer ? encode_address(codec, object, out, resources) : Match::no;
}

Match encode(const Codec& codec, PyObject* object, char* out, RouteCache& route, CallResources& resources) {
  switch (codec.kind) {
    case Kind::enumeration:
      return encode_enumeration(codec, object, out);
    case Kind::structure:
      return encode_structure(codec, object, out, resources);
    case Kind::carray:
      return encode_carray(codec, object, out, resources);
    case Kind::string:
      return encode_string(codec, object, out);
    case Kind::array:
      return encode_array(codec, object, out, route, resources);
    case Kind::text:
      return encode_text(codec, object, out);
    case Kind::maybe:
      return encode_maybe(codec, object, out, resources);
    case Kind::sequence:
    case Kind::held:
    case Kind::read:
    case Kind::handle:
    case Kind::view:
      return Match::no;
    case Kind::pointer: {
      void* address;
      const Match match = encode_pointer(codec, object, &address, route, resources);
      return match == Match::yes ? store(out, address) : match;
    }
    default:
      return encode_number(codec.kind, codec.scalar, object, out);
  }
}

}  // namespace samebytes
