// What overload resolution looks at: arguments with equal keys choose the same candidate.
#include <cstring>

#include "handle.hpp"
#include "numbers.hpp"
#include "numpy.hpp"
#include "plan.hpp"
#include "scalar.hpp"

namespace samebytes {

namespace {

// Where the answer for an int changes: the widths of C++'s integers, the digits of the floating formats, and
// the ranges of the narrowest two of those.
constexpr int kWidths[] = {7, 8, 15, 16, 31, 32, 63, 64};
constexpr int kDigits[] = {3, 4, 8, 11, 24, 53};
constexpr int kFloat16Width = 16;
constexpr uint64_t kLargestFloat8E4M3 = 448;
constexpr intptr_t kUnknown = -1;

template <int Count>
intptr_t bucket(const int (&limits)[Count], int value) {
  intptr_t found = 0;
  while (found < Count && value > limits[found]) ++found;
  return found;
}

int width(uint64_t bits) { return bits ? 64 - __builtin_clzll(bits) : 0; }

// Ints with equal keys fit the same integer formats and, if asked, the same floating ones.
intptr_t int_key(PyObject* object, const Position& position) {
  uint64_t bits;
  bool negative;
  if (position.members || !long_int(object, bits, negative)) return kUnknown;
  const intptr_t key = 2 * bucket(kWidths, width(negative ? ~bits : bits)) + negative;
  if (!position.formats) return key;
  const uint64_t size = negative ? 0 - bits : bits;
  const int digits = size ? width(size) - __builtin_ctzll(size) : 0;
  return (key << 8) + 4 * bucket(kDigits, digits) + 2 * (width(size) > kFloat16Width) +
         (size > kLargestFloat8E4M3);
}

// Which formats would make an infinity of a finite number; the others round it.
intptr_t float_key(double value) {
  uint32_t bits;
  float narrow;
  return !round_to<Float16>(value, bits) + 2 * !round_to<BFloat16>(value, bits) +
         4 * !round_to_float(value, narrow);
}

intptr_t complex_key(PyObject* object) {
  return 8 * float_key(PyComplex_RealAsDouble(object)) + float_key(PyComplex_ImagAsDouble(object));
}

// C++ reads up to the first NUL, and the encoding is UTF-8: texts are refused if they cannot be passed so.
intptr_t text_key(PyObject* object, const Position& position) {
  if (position.contents) return kUnknown;
  Py_ssize_t size;
  const char* text =
      PyBytes_CheckExact(object) ? PyBytes_AS_STRING(object) : PyUnicode_AsUTF8AndSize(object, &size);
  if (!text) return PyErr_Clear(), kUnknown;
  if (PyBytes_CheckExact(object)) size = PyBytes_GET_SIZE(object);
  return std::memchr(text, 0, size) != nullptr;
}

// All that is asked of an array besides its dtype: rank, access, order, alignment, strides in elements.
intptr_t array_key(const PyArrayObject_fields* array, const Position& position) {
  if (position.contents || !array->nd) return kUnknown;  // of rank 0, the value counts
  const int64_t itemsize = array_itemsize(array);
  auto places = reinterpret_cast<uintptr_t>(array->data);
  bool divides = true, empty = false;
  for (int d = 0; d < array->nd; ++d) {
    empty |= !array->dimensions[d];
    if (array->dimensions[d] <= 1) continue;
    places |= static_cast<uintptr_t>(array->strides[d]);
    divides &= itemsize && array->strides[d] % itemsize == 0;
  }
  const uintptr_t aligned = (empty ? 0 : places & position.align_mask) | (position.align_mask + 1);
  const intptr_t flags = array->flags & (NPY_ARRAY_WRITEABLE | NPY_ARRAY_C_CONTIGUOUS);
  const bool warns = array->flags & kWarnOnWrite;
  return ((((flags << 32 | array->nd) << 1 | divides) << 1 | warns) << 5) + __builtin_ctzll(aligned);
}

PyTypeObject* ndarray_class() {
  PyTypeObject* type = ndarray_type();
  if (!type) PyErr_Clear();  // then there are no such objects
  return type;
}

void survey_value(const Codec& codec, Position& position) {
  position.formats |= codec.kind >= Kind::float16 && codec.kind <= Kind::complex128;
  position.members |= codec.kind == Kind::enumeration;
  position.contents |= codec.kind == Kind::structure || codec.kind == Kind::carray || codec.kind > Kind::text;
  for (Py_ssize_t i = 0; i < codec.field_count; ++i) survey_value(*codec.fields[i].codec, position);
  if (codec.kind == Kind::carray) survey_value(*codec.element, position);
}

void survey_position(const Codec& codec, Position& position) {
  survey_value(codec, position);
  if ((codec.kind != Kind::pointer && codec.kind != Kind::array) || !codec.element) return;
  const auto mask = static_cast<uint32_t>(codec.element->align - 1);
  if (mask > position.align_mask) position.align_mask = mask;
  if (codec.kind != Kind::pointer) return;
  position.contents |= codec.element->kind == Kind::carray;
  if (codec.is_const) survey_value(*codec.element, position);  // takes one value, too
}

}  // namespace

// What overload resolution may look at without asking Python again: equal keys choose the same candidate.
// False: cannot be cached.
bool argument_key(PyObject* object, const Position& position, ArgumentKey& key) {
  key = {Py_TYPE(object), nullptr, 0};
  if (PyLong_CheckExact(object)) {
    key.aux = int_key(object, position);
  } else if (PyFloat_CheckExact(object)) {
    key.aux = position.formats ? float_key(PyFloat_AS_DOUBLE(object)) : 0;
  } else if (PyComplex_CheckExact(object)) {
    key.aux = position.formats ? complex_key(object) : 0;
  } else if (PyUnicode_CheckExact(object) || PyBytes_CheckExact(object)) {
    key.aux = text_key(object, position);
  } else if (key.type == ndarray_class()) {
    const auto* array = array_fields(object);
    key.dtype = reinterpret_cast<PyObject*>(array->descr);
    key.aux = array_key(array, position);
  } else if (is_handle_class(key.type)) {
    key.aux = as_handle(object)->is_const != 0;
  } else if (find_route(key.type)) {
    return false;
  }
  return key.aux != kUnknown;
}

bool survey_positions(Plan& plan) {
  for (int n = 1; n <= plan.max_arity; ++n) {
    Arity& arity = plan.arities[n];
    if (arity.count < 2) continue;
    arity.positions = static_cast<Position*>(PyMem_Calloc(n, sizeof(Position)));
    if (!arity.positions) return PyErr_NoMemory(), false;
    for (int i = 0; i < plan.candidate_count; ++i) {
      const Candidate& candidate = plan.candidates[i];
      for (int k = 0; k < n && candidate.input_count == n; ++k)
        survey_position(*candidate.inputs[k].codec, arity.positions[k]);
    }
  }
  return true;
}

}  // namespace samebytes
