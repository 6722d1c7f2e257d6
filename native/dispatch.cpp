// Chooses the candidate of a call that is not by position with one candidate: keywords and overloads.
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>

#include "handle.hpp"
#include "numbers.hpp"
#include "numpy.hpp"
#include "plan.hpp"
#include "scalar.hpp"

namespace samebytes {

namespace {

constexpr int kMaxChoices = 64;

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

bool same_key(const ArgumentKey& a, const ArgumentKey& b) {
  return a.type == b.type && a.dtype == b.dtype && a.aux == b.aux;
}

namespace {

const Candidate* find_choice(const Arity& arity, const ArgumentKey* keys, Py_ssize_t count) {
  for (auto* choice = arity.choices.load(std::memory_order_acquire); choice; choice = choice->next) {
    Py_ssize_t i = 0;
    while (i < count && same_key(choice->keys[i], keys[i])) ++i;
    if (i == count) return choice->candidate;
  }
  return nullptr;
}

// Without memory, or when full, the choice is just made again next time.
void remember(Arity& arity, const Candidate* candidate, const ArgumentKey* keys, Py_ssize_t count) {
  int length = 0;
  Choice* head = arity.choices.load(std::memory_order_acquire);
  for (auto* choice = head; choice; choice = choice->next) ++length;
  if (length >= kMaxChoices) return;
  auto* choice = static_cast<Choice*>(std::malloc(sizeof(Choice) + count * sizeof(ArgumentKey)));
  if (!choice) return;
  choice->candidate = candidate;
  choice->next = head;
  for (Py_ssize_t i = 0; i < count; ++i) {
    choice->keys[i] = keys[i];
    Py_INCREF(keys[i].type);
    Py_XINCREF(keys[i].dtype);
  }
  while (!arity.choices.compare_exchange_weak(choice->next, choice, std::memory_order_release)) {
  }
}

PyObject* explain_call(Plan& plan, const Call& call, int candidate) {
  Ref args = call.positional();
  Ref kwargs = call.keywords();
  if (!args || !kwargs) return nullptr;
  return PyObject_CallFunction(plan.explain, "OOi", args.get(), kwargs.get(), candidate);
}

PyObject* explain_call(Plan& plan, const Call& call) {
  return explain_call(plan, call, plan.candidate_count == 1 ? 0 : -1);
}

// What a call without a candidate gives: an operator may leave the operation to its other operand.
PyObject* left_to_others() { return PyErr_Occurred() ? nullptr : Py_NewRef(Py_NotImplemented); }

// Asks Python which candidate it is; null: exception set, or none as an operator declines.
const Candidate* resolve(Plan& plan, const Call& call, bool& cacheable) {
  Ref args = call.positional();
  Ref kwargs = call.keywords();
  if (!args || !kwargs) return nullptr;
  Ref answer = Ref::steal(PyObject_CallFunctionObjArgs(plan.resolve, args.get(), kwargs.get(), nullptr));
  if (!answer || answer.get() == Py_NotImplemented) return nullptr;
  int index, may_cache;
  if (!PyTuple_Check(answer.get()) || !PyArg_ParseTuple(answer.get(), "ip", &index, &may_cache) ||
      index < 0 || index >= plan.candidate_count) {
    PyErr_Format(PyExc_SystemError, "%U(): resolving the overload gave %R", plan.name, answer.get());
    return nullptr;
  }
  cacheable = may_cache;
  return &plan.candidates[index];
}

PyObject* run_resolved(Plan& plan, const Candidate* candidate, const Call& call) {
  if (candidate->input_count == call.nargs) return run(plan, *candidate, call.args, &call);
  PyErr_Format(PyExc_SystemError, "%U(): resolving %zd arguments chose a candidate of %d", plan.name,
               call.nargs, candidate->input_count);
  return nullptr;
}

PyObject* dispatch_overloads(Plan& plan, const Call& call) {
  Arity& arity = plan.arities[call.nargs];
  ArgumentKey keys[kStackArguments];
  bool cacheable = call.nargs <= kStackArguments;
  for (Py_ssize_t i = 0; cacheable && i < call.nargs; ++i)
    cacheable = argument_key(call.args[i], arity.positions[i], keys[i]);
  if (cacheable) {
    if (const Candidate* known = find_choice(arity, keys, call.nargs)) {
      const Call remembered{call.args, call.nargs, nullptr, true};
      return run(plan, *known, call.args, &remembered);
    }
  }
  const HeldKeys held(keys, cacheable ? call.nargs : 0);
  bool python_agrees = false;
  const Candidate* candidate = resolve(plan, call, python_agrees);
  if (!candidate) return left_to_others();
  if (cacheable && python_agrees && candidate->input_count == call.nargs)
    remember(arity, candidate, keys, call.nargs);
  return run_resolved(plan, candidate, call);
}

// Where a keyword goes: by identity first, as both sides are interned as a rule.
Py_ssize_t position_of(PyObject* names, PyObject* name) {
  const Py_ssize_t count = PyTuple_GET_SIZE(names);
  for (Py_ssize_t i = 0; i < count; ++i)
    if (PyTuple_GET_ITEM(names, i) == name) return i;
  for (Py_ssize_t i = 0; i < count; ++i) {
    const int same = PyUnicode_Compare(PyTuple_GET_ITEM(names, i), name);
    if (!same) return i;
  }
  return -1;
}

// Orders the arguments as the candidate names them. False: they do not fit.
bool bind(const Candidate& candidate, const Call& call, PyObject** ordered) {
  const Py_ssize_t named = PyTuple_GET_SIZE(call.kwnames);
  if (call.nargs + named != candidate.input_count) return false;
  for (Py_ssize_t i = 0; i < candidate.input_count; ++i) ordered[i] = i < call.nargs ? call.args[i] : nullptr;
  for (Py_ssize_t i = 0; i < named; ++i) {
    const Py_ssize_t position = position_of(candidate.names, PyTuple_GET_ITEM(call.kwnames, i));
    if (position < 0 || ordered[position]) return false;
    ordered[position] = call.args[call.nargs + i];
  }
  return true;
}

PyObject* dispatch_keywords(Plan& plan, const Call& call) {
  PyObject* stack[kStackArguments];
  std::unique_ptr<PyObject*[]> heap;
  PyObject** ordered = stack;
  if (plan.max_arity > kStackArguments) {
    heap.reset(new (std::nothrow) PyObject*[plan.max_arity]);
    if (!heap) return PyErr_NoMemory();
    ordered = heap.get();
  }
  const Candidate* found = nullptr;
  int fitting = 0;
  for (int i = 0; i < plan.candidate_count; ++i) {
    if (!bind(plan.candidates[i], call, ordered)) continue;
    found = &plan.candidates[i];
    ++fitting;
  }
  if (!fitting) return explain_call(plan, call);
  if (fitting > 1) {
    bool cacheable;
    found = resolve(plan, call, cacheable);
    if (!found) return left_to_others();
  }
  if (bind(*found, call, ordered)) return run(plan, *found, ordered, &call);
  PyErr_Format(PyExc_SystemError, "%U(): resolving keywords chose a candidate without them", plan.name);
  return nullptr;
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

Ref Call::positional() const { return make_tuple(args, nargs); }

Ref Call::keywords() const {
  Ref dict = Ref::steal(PyDict_New());
  for (Py_ssize_t i = 0; dict && kwnames && i < PyTuple_GET_SIZE(kwnames); ++i)
    if (PyDict_SetItem(dict.get(), PyTuple_GET_ITEM(kwnames, i), args[nargs + i]) < 0) return Ref();
  return dict;
}

PyObject* dispatch(Plan& plan, PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames) {
  const Call call{args, nargs, kwnames, false};
  if (kwnames && PyTuple_GET_SIZE(kwnames)) return dispatch_keywords(plan, call);
  if (nargs > plan.max_arity || !plan.arities[nargs].count) return explain_call(plan, call);
  if (plan.arities[nargs].only) return run(plan, *plan.arities[nargs].only, args, &call);
  return dispatch_overloads(plan, call);
}

PyObject* refuse(Plan& plan, const Candidate& candidate, const Call& call) {
  if (call.remembered) {
    bool cacheable;
    const Candidate* other = resolve(plan, call, cacheable);
    if (!other) return left_to_others();
    const Call afresh{call.args, call.nargs, nullptr, false};
    if (other != &candidate) return run_resolved(plan, other, afresh);
  }
  if (Ref result = Ref::steal(explain_call(plan, call, candidate.index))) {
    if (result.get() == Py_NotImplemented) return result.release();
    PyErr_Format(PyExc_SystemError, "%U(): a call failed and could not be explained", plan.name);
  }
  return nullptr;
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

void free_arity(Arity& arity, int length) {
  for (Choice* choice = arity.choices.load(); choice;) {
    Choice* next = choice->next;
    for (int i = 0; i < length; ++i) {
      Py_DECREF(choice->keys[i].type);
      Py_XDECREF(choice->keys[i].dtype);
    }
    std::free(choice);
    choice = next;
  }
  PyMem_Free(arity.positions);
}

}  // namespace samebytes
