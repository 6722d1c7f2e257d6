// What overload resolution looks at: arguments with equal keys choose the same candidate.
#include <cstring>

#include "array/numpy.hpp"
#include "call/plan.hpp"
#include "codec/numbers.hpp"
#include "codec/scalar.hpp"
#include "object/classes.hpp"
#include "object/handle.hpp"
#include "object/shown_copy.hpp"
#include "view/view.hpp"

namespace samebytes {

namespace {

// Where the answer for an int changes: the widths of C++'s integers, the digits of the floating formats, and
// the ranges of the narrowest two of those.
constexpr int kWidths[] = {1, 7, 8, 15, 16, 31, 32, 63, 64};
constexpr int kDigits[] = {3, 4, 8, 11, 24, 53};
constexpr int kFloat16Width = 16;
constexpr uint64_t kLargestFloat8E4M3 = 448;
constexpr intptr_t kUnknown = -1;

// How many of some limits each number of bits is beyond.
struct Buckets {
  uint8_t of[65];

  template <int Count>
  constexpr explicit Buckets(const int (&limits)[Count]) : of() {
    for (int bits = 0; bits <= 64; ++bits)
      for (const int limit : limits) of[bits] += bits > limit;
  }
};

constexpr Buckets kOfWidth(kWidths), kOfDigits(kDigits);

int width(uint64_t bits) { return bits ? 64 - __builtin_clzll(bits) : 0; }

// Ints with equal keys fit the same integer formats and, if asked, the same floating ones.
intptr_t int_key(PyObject* object, const Position& position) {
  uint64_t bits;
  bool negative;
  if (int64_t value; likely(short_int(object, value)))
    bits = static_cast<uint64_t>(value), negative = value < 0;
  else if (!long_int(object, bits, negative))
    return kUnknown;
  const intptr_t key = 2 * kOfWidth.of[width(negative ? ~bits : bits)] + negative;
  if (!position.formats) return key;
  const uint64_t size = negative ? 0 - bits : bits;
  const int digits = size ? width(size) - __builtin_ctzll(size) : 0;
  return (key << 8) + 4 * kOfDigits.of[digits] + 2 * (width(size) > kFloat16Width) +
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

// NumPy's class of all whole numbers; null: it is not there.
PyTypeObject* integer_class() {
  static std::atomic<PyTypeObject*> known{nullptr};
  PyTypeObject* type = known.load(std::memory_order_acquire);
  if (type) return type;
  const Ref numpy = Ref::steal(PyImport_ImportModule("numpy"));
  Ref found = Ref::steal(numpy ? PyObject_GetAttrString(numpy.get(), "integer") : nullptr);
  if (!found || !PyType_Check(found.get())) return PyErr_Clear(), nullptr;
  type = reinterpret_cast<PyTypeObject*>(found.release());
  known.store(type, std::memory_order_release);
  return type;
}

bool is_numpy_integer(PyTypeObject* type) {
  if (!type->tp_as_number || !type->tp_as_number->nb_index) return false;
  PyTypeObject* known = integer_class();
  return known && PyType_IsSubtype(type, known);
}

intptr_t numpy_key(PyObject* object, const Position& position) {
  const Ref number = Ref::steal(PyNumber_Index(object));
  if (!number) return PyErr_Clear(), kUnknown;
  return int_key(number.get(), position);
}

// C++ reads up to the first NUL, and the encoding is UTF-8: texts are refused if they cannot be passed so.
// One character of ASCII may be a number.
intptr_t text_key(PyObject* object) {
  Py_ssize_t size;
  const char* text = PyBytes_CheckExact(object) ? PyBytes_AS_STRING(object) : utf8_of(object, size);
  if (!text) return PyErr_Clear(), kUnknown;
  if (PyBytes_CheckExact(object)) size = PyBytes_GET_SIZE(object);
  return 2 * (size == 1 && static_cast<unsigned char>(*text) < 128) + (std::memchr(text, 0, size) != nullptr);
}

// What is asked of an array's place and steps: alignment, whole elements, Fortran's order, positive strides.
struct Steps {
  intptr_t facts = 0;
  bool empty = false;

  Steps(const void* data, int nd, const int64_t* shape, const int64_t* strides, int64_t itemsize,
        const Position& position) {
    auto places = reinterpret_cast<uintptr_t>(data);
    bool divides = true, fortran = true, positive = true;
    int64_t dense = itemsize;
    for (int d = 0; d < nd; ++d) {
      empty |= !shape[d];
      if (shape[d] != 1) fortran &= strides[d] == dense, positive &= strides[d] > 0;
      dense = static_cast<int64_t>(static_cast<uint64_t>(dense) * static_cast<uint64_t>(shape[d]));
      if (shape[d] <= 1) continue;
      places |= static_cast<uintptr_t>(strides[d]);
      divides &= itemsize && strides[d] % itemsize == 0;
    }
    const uintptr_t aligned = (empty ? 0 : places & position.align_mask) | (position.align_mask + 1);
    facts = __builtin_ctzll(aligned) << 5 | empty << 4 | fortran << 3 | positive << 2 | divides << 1 | !data;
  }
};

constexpr int kStepBits = 10;

// All that is asked of an array besides its dtype: rank, access, order, alignment, strides in elements.
intptr_t array_key(const PyArrayObject_fields* array, const Position& position) {
  if (!array->nd) return kUnknown;  // the value counts
  const Steps steps(array->data, array->nd, extents(array->dimensions), extents(array->strides),
                    array_itemsize(array), position);
  const intptr_t flags = array->flags & (NPY_ARRAY_WRITEABLE | NPY_ARRAY_C_CONTIGUOUS);
  const bool warns = array->flags & kWarnOnWrite;
  return ((flags << 8 | array->nd) << 1 | warns) << kStepBits | steps.facts;
}

// As the core shows the object; where it would have to ask Python, so has the choice.
bool view_key(PyObject* object, const Route& route, const Position& position, ArgumentKey& key) {
  const Showing* showing = route.showing.load(std::memory_order_acquire);
  const Ref made = Ref::steal(showing ? showing->make(object, route) : nullptr);
  if (!made) return false;
  const View& v = *as_view(made.get());
  if (!v.ndim || !v.elements->lasting.load(std::memory_order_relaxed)) return false;
  const Steps steps(v.data, v.ndim, v.shape, v.bytes, v.elements->itemsize, position);
  key.dtype = reinterpret_cast<PyObject*>(v.elements);  // lives for ever
  const intptr_t flags =
      (v.stream != nullptr) << 4 | v.readonly << 3 | v.on_host << 2 | v.c_order << 1 | v.divisible;
  const auto device =
      static_cast<intptr_t>(static_cast<uint8_t>(v.device_type)) << 16 | static_cast<uint16_t>(v.device_id);
  key.aux = ((device << 5 | flags) << 8 | v.ndim) << kStepBits | steps.facts;
  return true;
}

PyTypeObject* ndarray_class() {
  PyTypeObject* type = ndarray_type();
  if (!type) PyErr_Clear();  // then there are no such objects
  return type;
}

// Of what C++ may convert by itself, or what holds other values, any of them may count.
constexpr uint32_t kAnyAlignment = 63;

void survey_value(const Codec& codec, Position& position) {
  const bool open = codec.kind == Kind::structure || codec.kind > Kind::text;
  position.formats |= open || (codec.kind >= Kind::float16 && codec.kind <= Kind::complex128);
  if (open && position.align_mask < kAnyAlignment) position.align_mask = kAnyAlignment;
  if (codec.kind == Kind::carray) survey_value(*codec.element, position);
}

void survey_position(const Codec& codec, Position& position) {
  survey_value(codec, position);
  if ((codec.kind != Kind::pointer && codec.kind != Kind::array) || !codec.element) return;
  const auto mask = static_cast<uint32_t>(codec.element->align - 1);
  if (mask > position.align_mask) position.align_mask = mask;
  if (codec.kind == Kind::pointer && codec.is_const)
    survey_value(*codec.element, position);  // takes one value
}

PyObject* shows(PyObject*, PyObject* object) {
  static const Position plain{};
  ArgumentKey key;
  const Route* route = find_route(Py_TYPE(object));
  const bool keyed = route && view_key(object, *route, plain, key);
  return PyErr_Occurred() ? nullptr : PyBool_FromLong(keyed);
}

PyMethodDef kKeyFunctions[] = {{"shows", shows, METH_O,
                                "shows(object, /)\n--\n\nWhether the core tells by itself which array, of "
                                "one dimension or more, an object is."},
                               {}};

}  // namespace

// What overload resolution may look at without asking Python again: equal keys choose the same candidate.
// False: cannot be cached, or an exception is set.
bool argument_key(PyObject* object, const Position& position, ArgumentKey& key) {
  key = {Py_TYPE(object), nullptr, 0};
  if (position.made) return true;
  if (PyLong_CheckExact(object)) {
    key.aux = int_key(object, position);
  } else if (PyFloat_CheckExact(object)) {
    key.aux = position.formats ? float_key(PyFloat_AS_DOUBLE(object)) : 0;
  } else if (PyComplex_CheckExact(object)) {
    key.aux = position.formats ? complex_key(object) : 0;
  } else if (PyUnicode_CheckExact(object) || PyBytes_CheckExact(object)) {
    key.aux = text_key(object);
  } else if (key.type == ndarray_class()) {
    const auto* array = array_fields(object);
    key.dtype = reinterpret_cast<PyObject*>(array->descr);
    key.aux = array_key(array, position);
  } else if (is_record_class(key.type)) {
    key.aux = !is_unwritable(object) ? 0 : is_constant(object) ? 1 : 2;  // a copy of what C++ may change
  } else if (is_pointer_class(key.type) && as_pointer(object)->const_levels) {
    key.aux = as_pointer(object)->const_levels;
  } else if (PyLong_Check(object)) {  // a member of an enumeration
    key.aux = int_key(object, position);
  } else if (is_numpy_integer(key.type)) {
    key.aux = numpy_key(object, position);
  } else if (const Route* route = find_route(key.type)) {
    return view_key(object, *route, position, key);
  }
  return key.aux != kUnknown;
}

bool survey_positions(Plan& plan) {
  for (int n = 1; n <= plan.max_arity; ++n) {
    Arity& arity = plan.arities[n];
    if (arity.count < 2) continue;
    arity.positions = static_cast<Position*>(PyMem_Calloc(n, sizeof(Position)));
    if (!arity.positions) return PyErr_NoMemory(), false;
    bool builds = true;
    for (int i = 0; i < plan.candidate_count; ++i) {
      const Candidate& candidate = plan.candidates[i];
      if (candidate.input_count != n) continue;
      builds &= candidate.result.is_new_object;
      for (int k = 0; k < n; ++k) survey_position(*candidate.inputs[k].codec, arity.positions[k]);
    }
    arity.positions[0].made = builds;
  }
  return true;
}

bool remember_keys(ArgumentKey* to, const ArgumentKey* keys, Py_ssize_t count) {
  for (Py_ssize_t i = 0; i < count; ++i) {
    to[i] = {nullptr, Py_XNewRef(keys[i].dtype), keys[i].aux};
    if (remember_class(&to[i].type, keys[i].type)) continue;
    Py_XDECREF(to[i].dtype);
    return forget_keys(to, i), false;
  }
  return true;
}

void forget_keys(ArgumentKey* keys, Py_ssize_t count) {
  for (Py_ssize_t i = 0; i < count; ++i) {
    forget_class(&keys[i].type);
    Py_XDECREF(keys[i].dtype);
  }
}

bool is_gone(const ArgumentKey* keys, Py_ssize_t count) {
  for (Py_ssize_t i = 0; i < count; ++i)
    if (keys[i].type == &gone_class) return true;
  return false;
}

int add_key_functions(PyObject* module) { return PyModule_AddFunctions(module, kKeyFunctions); }

}  // namespace samebytes
