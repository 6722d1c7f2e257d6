// Chooses the candidate of a call that is not by position with one candidate: keywords and overloads.
#define NPY_NO_DEPRECATED_API NPY_2_0_API_VERSION
#include <numpy/ndarraytypes.h>

#include <cstdlib>
#include <memory>
#include <new>

#include "plan.hpp"
#include "scalar.hpp"

namespace samebytes {

namespace {

constexpr int kMaxChoices = 32;

// Where the answer for an int changes: the widths of C++'s integers and of each format's exact integers.
constexpr int kBitLengths[] = {3, 4, 7, 8, 11, 15, 16, 24, 31, 32, 53, 63, 64};
constexpr intptr_t kBeyond = -1;

// The class of an int's magnitude: a bucket of bit lengths, twice, plus its sign. -(2**n) has n bits as it
// does in two's complement; 2**n itself, exact in a format of n bits, gets a bucket of its own.
intptr_t int_class(PyObject* object) {
  uint64_t bits;
  bool negative;
  if (!long_int(object, bits, negative)) return kBeyond;
  if (negative) bits = ~bits;
  const int length = bits ? 64 - __builtin_clzll(bits) : 0;
  intptr_t bucket = 0;
  for (int limit : kBitLengths) {
    if (length <= limit) break;
    ++bucket;
    if (!negative && length == limit + 1 && !(bits & (bits - 1))) return 1000 + bucket;
  }
  return 2 * bucket + negative;
}

// What overload resolution may look at without asking Python again: the exact type and, for an int, its
// magnitude's class; for a NumPy array, its dtype, rank and whether it is writable. False: cannot be cached.
bool argument_key(PyObject* object, ArgumentKey& key) {
  key = {Py_TYPE(object), nullptr, 0};
  if (PyLong_CheckExact(object)) {
    key.aux = int_class(object);
    return key.aux != kBeyond;
  }
  const Route* route = find_route(key.type);
  if (!route) return true;
  if (route->match.load(std::memory_order_relaxed) != match_ndarray) return false;
  const auto* array = reinterpret_cast<const PyArrayObject_fields*>(object);
  key.dtype = reinterpret_cast<PyObject*>(array->descr);
  key.aux = 2 * array->nd + ((array->flags & NPY_ARRAY_WRITEABLE) != 0);
  return true;
}

bool same_key(const ArgumentKey& a, const ArgumentKey& b) {
  return a.type == b.type && a.dtype == b.dtype && a.aux == b.aux;
}

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

Ref keyword_dict(PyObject* const* values, PyObject* kwnames) {
  Ref dict = Ref::steal(PyDict_New());
  for (Py_ssize_t i = 0; dict && kwnames && i < PyTuple_GET_SIZE(kwnames); ++i)
    if (PyDict_SetItem(dict.get(), PyTuple_GET_ITEM(kwnames, i), values[i]) < 0) return Ref();
  return dict;
}

// One call as Python's functions take it.
struct Arguments {
  PyObject* const* args;
  Py_ssize_t nargs;
  PyObject* kwnames;  // may be null

  Ref positional() const { return make_tuple(args, nargs); }
  Ref keywords() const { return keyword_dict(args + nargs, kwnames); }
};

PyObject* explain_call(Plan& plan, const Arguments& call) {
  Ref args = call.positional();
  Ref kwargs = call.keywords();
  if (!args || !kwargs) return nullptr;
  return explain(plan, args.get(), kwargs.get(), plan.candidate_count == 1 ? 0 : -1);
}

// Asks Python which candidate it is; null: exception set.
const Candidate* resolve(Plan& plan, const Arguments& call, bool& cacheable) {
  Ref args = call.positional();
  Ref kwargs = call.keywords();
  if (!args || !kwargs) return nullptr;
  Ref answer = Ref::steal(PyObject_CallFunctionObjArgs(plan.resolve, args.get(), kwargs.get(), nullptr));
  if (!answer) return nullptr;
  int index, may_cache;
  if (!PyTuple_Check(answer.get()) || !PyArg_ParseTuple(answer.get(), "ip", &index, &may_cache) ||
      index < 0 || index >= plan.candidate_count) {
    PyErr_Format(PyExc_SystemError, "%U(): resolving the overload gave %R", plan.name, answer.get());
    return nullptr;
  }
  cacheable = may_cache;
  return &plan.candidates[index];
}

PyObject* run_resolved(Plan& plan, const Candidate* candidate, const Arguments& call) {
  if (candidate->input_count == call.nargs) return run(plan, *candidate, call.args);
  PyErr_Format(PyExc_SystemError, "%U(): resolving %zd arguments chose a candidate of %d", plan.name,
               call.nargs, candidate->input_count);
  return nullptr;
}

PyObject* dispatch_overloads(Plan& plan, const Arguments& call) {
  Arity& arity = plan.arities[call.nargs];
  ArgumentKey keys[kStackArguments];
  bool cacheable = call.nargs <= kStackArguments;
  for (Py_ssize_t i = 0; cacheable && i < call.nargs; ++i) cacheable = argument_key(call.args[i], keys[i]);
  if (cacheable)
    if (const Candidate* known = find_choice(arity, keys, call.nargs)) return run(plan, *known, call.args);
  bool python_agrees = false;
  const Candidate* candidate = resolve(plan, call, python_agrees);
  if (!candidate) return nullptr;
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
bool bind(const Candidate& candidate, const Arguments& call, PyObject** ordered) {
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

PyObject* dispatch_keywords(Plan& plan, const Arguments& call) {
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
    if (!found) return nullptr;
  }
  if (bind(*found, call, ordered)) return run(plan, *found, ordered);
  PyErr_Format(PyExc_SystemError, "%U(): resolving keywords chose a candidate without them", plan.name);
  return nullptr;
}

}  // namespace

PyObject* dispatch(Plan& plan, PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames) {
  const Arguments call{args, nargs, kwnames};
  if (kwnames && PyTuple_GET_SIZE(kwnames)) return dispatch_keywords(plan, call);
  if (nargs > plan.max_arity || !plan.arities[nargs].count) return explain_call(plan, call);
  if (plan.arities[nargs].only) return run(plan, *plan.arities[nargs].only, args);
  return dispatch_overloads(plan, call);
}

PyObject* explain(Plan& plan, PyObject* args, PyObject* kwargs, int candidate) {
  return PyObject_CallFunction(plan.explain, "OOi", args, kwargs, candidate);
}

void free_choices(Arity& arity, int length) {
  for (Choice* choice = arity.choices.load(); choice;) {
    Choice* next = choice->next;
    for (int i = 0; i < length; ++i) {
      Py_DECREF(choice->keys[i].type);
      Py_XDECREF(choice->keys[i].dtype);
    }
    std::free(choice);
    choice = next;
  }
}

}  // namespace samebytes
