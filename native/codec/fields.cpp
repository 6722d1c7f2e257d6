// The fields of a struct's codec: where each lies, and what they leave open.
#include "codec/fields.hpp"

#include <algorithm>
#include <memory>
#include <new>

namespace samebytes {

namespace {

bool may_hold_bits(const Codec& codec) {
  return codec.kind <= Kind::uint64 || (codec.kind == Kind::enumeration && codec.element);
}

bool add_field(Codec& codec, CodecField& field, PyObject* item) {
  PyObject* name;
  PyObject* inner;
  if (!PyTuple_Check(item)) return type_error("a field is a tuple");
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
    if (!may_hold_bits(*field.codec))
      return value_error("a bit-field holds an integer, a bool or an enumeration");
    if (field.bit_width < 0 || field.bit_width > 8 * size || field.bit_offset < 0)
      return value_error("a bit-field's bits do not fit its type");
    if (field.offset < 0 || 8 * field.offset + field.bit_offset + field.bit_width > 8 * codec.size)
      return value_error("a bit-field lies outside its struct");
    return true;
  }
  if (field.offset < 0 || field.offset > codec.size - size)
    return value_error("a field lies outside its struct");
  return true;
}

}  // namespace

// Sorts what the fields cover, in bits, to tell unions and padding from plain structs; sizes cost nothing.
bool survey_fields(Codec& codec) {
  struct Range {
    Py_ssize_t first, end;
  };
  const Py_ssize_t bits = codec.size * 8;
  std::unique_ptr<Range[]> covered(new (std::nothrow) Range[codec.field_count + 1]);
  if (!covered) return PyErr_NoMemory(), false;
  codec.disjoint = codec.tuples;
  codec.hides = codec.python && !codec.tuples;
  Py_ssize_t total = 0;
  bool numbers = true;
  for (Py_ssize_t i = 0; i < codec.field_count; ++i) {
    const CodecField& field = codec.fields[i];
    const Py_ssize_t first = 8 * field.offset + (field.bit_width ? field.bit_offset : 0);
    const Py_ssize_t count = field.bit_width ? field.bit_width : 8 * field.codec->size;
    covered[i] = {first, first + count};
    numbers &= is_number(field.kind) && !field.bit_width;
    codec.has_pointers |= field.codec->has_pointers;
    codec.hides |= field.codec->hides;
    if (field.bit_width) total = -bits;  // bit-fields are merged into zeroed bytes
  }
  Range* const last = covered.get() + codec.field_count;
  std::sort(covered.get(), last, [](const Range& a, const Range& b) { return a.first < b.first; });
  Py_ssize_t end = 0;
  for (const Range* range = covered.get(); range != last; ++range) {
    if (range->first == range->end) continue;
    codec.disjoint &= range->first >= end;
    total += std::max<Py_ssize_t>(range->end - std::max(range->first, end), 0);
    end = std::max(end, range->end);
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

}  // namespace samebytes
