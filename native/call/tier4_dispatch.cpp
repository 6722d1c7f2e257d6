// The fourth tier of calls chooses the candidate, then runs it by the others: keywords and overloads.
#include <memory>
#include <new>

#include "array/aside.hpp"
#include "call/claim.hpp"
#include "call/plan.hpp"
#include "call/running.hpp"

namespace samebytes {

namespace {

bool keys_of(const Arity& arity, const Call& call, ArgumentKey* keys) {
  for (Py_ssize_t i = 0; i < call.nargs; ++i)
    if (!argument_key(call.args[i], arity.positions[i], keys[i])) return false;
  return true;
}

// Python converts arguments only to see which fit.
struct Trying : Running {
  Trying() : Running(nullptr, 0, nullptr) { converting = kTrying; }
};

PyObject* explain_call(Plan& plan, const Call& call, int candidate) {
  Ref args = call.positional();
  Ref kwargs = call.keywords();
  if (!args || !kwargs) return nullptr;
  const Ref which = Ref::steal(PyLong_FromLong(candidate));
  const Trying trying;
  return which ? ask_python(plan.explain, args.get(), kwargs.get(), which.get()) : nullptr;
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
  const Trying trying;
  Ref answer = Ref::steal(ask_python(plan.resolve, args.get(), kwargs.get()));
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
  const bool cacheable = call.nargs <= kStackArguments && keys_of(arity, call, keys);
  if (unlikely(!cacheable && PyErr_Occurred())) return nullptr;
  if (cacheable) {
    if (const Candidate* known = arity.cached.find(keys, call.nargs)) {
      const Call remembered{call.args, call.nargs, nullptr, true};
      return run(plan, *known, call.args, &remembered);
    }
  }
  const KeyReferences held(keys, cacheable ? call.nargs : 0);
  bool python_agrees = false;
  const Candidate* candidate = resolve(plan, call, python_agrees);
  if (!candidate) return left_to_others();
  if (cacheable && python_agrees && candidate->input_count == call.nargs)
    arity.cached.add(candidate, keys, call.nargs);
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

PyObject* call_overloaded(PyObject* self, PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames) {
  Plan& plan = *reinterpret_cast<Plan*>(self);
  if (likely(!kwnames && nargs <= plan.max_arity && plan.arities[nargs].positions))
    return dispatch_overloads(plan, Call{args, nargs, nullptr, false});
  return plan_call(self, args, nargs, kwnames);
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
    // What another call gave, which Python made for this one: of a subscript from the end, say.
    if (PyTuple_CheckExact(result.get()) && PyTuple_GET_SIZE(result.get()) == 1)
      return Py_NewRef(PyTuple_GET_ITEM(result.get(), 0));
    PyErr_Format(PyExc_SystemError, "%U(): a call failed and could not be explained", plan.name);
  }
  return nullptr;
}

PyObject* refuse_conflict(Plan& plan, const Candidate& candidate, PyObject* const* args,
                          const Conflict& conflict) {
  if (PyErr_Occurred()) return nullptr;
  const Ref given = make_tuple(args, candidate.input_count);
  const Ref none = Ref::steal(PyDict_New());
  const Ref found = Ref::steal(Py_BuildValue("iOOs", conflict.input, conflict.object,
                                             conflict.words ? conflict.words : Py_None, conflict.reason));
  if (!given || !none || !found) return nullptr;
  if (Ref::steal(
          PyObject_CallFunction(plan.explain, "OOiO", given.get(), none.get(), candidate.index, found.get())))
    PyErr_Format(PyExc_SystemError, "%U(): a conflict was not explained", plan.name);
  return nullptr;
}

void free_arity(Arity& arity) {
  arity.cached.clear();
  PyMem_Free(arity.positions);
}

}  // namespace samebytes
