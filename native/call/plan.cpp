// The Python type Plan: building one from its candidates, and its attributes. Calls are in
// call/tier3_general.cpp.
#include "call/plan.hpp"

#include <cstring>
#include <new>
#include <utility>

#include "call/candidate.hpp"
#include "call/overloaded.hpp"
#include "object/method.hpp"
#include "structmember.h"

namespace samebytes {

bool callbacks_are_expected;

namespace {

Linked* plans;  // all of them, the latest first

Plan* as_plan(PyObject* object) { return reinterpret_cast<Plan*>(object); }

bool build_candidates(Plan& plan, PyObject* items) {
  const Py_ssize_t count = PyTuple_GET_SIZE(items);
  if (!count || count > INT16_MAX) return PyErr_SetString(PyExc_ValueError, "a plan has candidates"), false;
  plan.candidates = static_cast<Candidate*>(PyMem_Calloc(count, sizeof(Candidate)));
  if (!plan.candidates) return PyErr_NoMemory(), false;
  for (Py_ssize_t i = 0; i < count; ++i) {
    Candidate& candidate = plan.candidates[i];
    candidate.index = static_cast<int>(i);
    ++plan.candidate_count;
    if (!build_candidate(candidate, PyTuple_GET_ITEM(items, i))) return false;
    if (callbacks_are_expected) run_in_scope(candidate);
    if (candidate.input_count > plan.max_arity) plan.max_arity = candidate.input_count;
  }
  plan.arities = static_cast<Arity*>(PyMem_Calloc(plan.max_arity + 1, sizeof(Arity)));
  if (!plan.arities) return PyErr_NoMemory(), false;
  for (int i = 0; i < plan.candidate_count; ++i) {
    const Candidate& candidate = plan.candidates[i];
    Arity& arity = plan.arities[candidate.input_count];
    arity.only = arity.count++ ? nullptr : &candidate;
  }
  return survey_positions(plan);
}

CallFunction call_of(const Plan& plan) {
  return plan.candidate_count == 1 ? plan.candidates->tiers.call : plan_call;
}

PyCFunction as_c_function(CallFunction call) {
  return reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(call));
}

bool make_function(Plan& plan, bool method) {
  const CallFunction call = call_of(plan);
  if (method) return (plan.function = new_method(plan, call)) != nullptr;
  plan.definition.ml_name = PyUnicode_AsUTF8(plan.name);
  plan.definition.ml_doc = plan.doc == Py_None ? nullptr : PyUnicode_AsUTF8(plan.doc);
  if (!plan.definition.ml_name || (plan.doc != Py_None && !plan.definition.ml_doc)) return false;
  plan.definition.ml_meth = as_c_function(call);
  plan.definition.ml_flags = METH_FASTCALL | METH_KEYWORDS;
  plan.function = plan.candidate_count > 1
                      ? new_overloaded(plan)
                      : PyCFunction_NewEx(&plan.definition, reinterpret_cast<PyObject*>(&plan), plan.module);
  return plan.function != nullptr;
}

PyObject* plan_new(PyTypeObject* type, PyObject* args, PyObject* kwargs) {
  static const char* names[] = {"name",    "doc",     "module", "candidates", "fallback",
                                "explain", "resolve", "reduce", "method",     nullptr};
  PyObject *name, *doc, *module, *candidates, *fallback, *explain, *resolve, *reduce;
  int method = 0;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "UOUO!OOOO|p:Plan", const_cast<char**>(names), &name, &doc,
                                   &module, &PyTuple_Type, &candidates, &fallback, &explain, &resolve,
                                   &reduce, &method))
    return nullptr;
  if (doc != Py_None && !PyUnicode_Check(doc)) {
    PyErr_SetString(PyExc_TypeError, "doc is a str or None");
    return nullptr;
  }
  Ref self = Ref::steal(type->tp_alloc(type, 0));
  if (!self) return nullptr;
  Plan& plan = *as_plan(self.get());
  link_in(plans, plan.all);
  plan.name = Py_NewRef(name);
  plan.doc = Py_NewRef(doc);
  plan.module = Py_NewRef(module);
  plan.fallback = Py_NewRef(fallback);
  plan.explain = Py_NewRef(explain);
  plan.resolve = Py_NewRef(resolve);
  plan.reduce = Py_NewRef(reduce);
  if (!build_candidates(plan, candidates) || !make_function(plan, method)) return nullptr;
  return self.release();
}

int plan_traverse(PyObject* self, visitproc visit, void* arg) {
  Plan& plan = *as_plan(self);
  Py_VISIT(Py_TYPE(self));
  Py_VISIT(plan.function);
  Py_VISIT(plan.fallback);
  Py_VISIT(plan.explain);
  Py_VISIT(plan.resolve);
  Py_VISIT(plan.reduce);
  for (int i = 0; i < plan.candidate_count; ++i)
    if (int result = visit_candidate(plan.candidates[i], visit, arg)) return result;
  for (int i = 0; plan.arities && i <= plan.max_arity; ++i)
    if (int result = plan.arities[i].cached.visit(visit, arg)) return result;
  return 0;
}

void drop(PyObject*& member) {
  PyObject* old = member;
  member = Py_NewRef(Py_None);  // a finaliser may still call the function: None is not callable, null crashes
  Py_XDECREF(old);
}

int plan_clear(PyObject* self) {
  Plan& plan = *as_plan(self);
  Py_CLEAR(plan.function);
  drop(plan.fallback);
  drop(plan.explain);
  drop(plan.resolve);
  drop(plan.reduce);
  return 0;
}

void plan_dealloc(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  PyObject_GC_UnTrack(self);
  Plan& plan = *as_plan(self);
  link_out(plan.all);
  for (int i = 0; plan.arities && i <= plan.max_arity; ++i) free_arity(plan.arities[i]);
  PyMem_Free(plan.arities);
  for (int i = 0; i < plan.candidate_count; ++i) free_candidate(plan.candidates[i]);
  PyMem_Free(plan.candidates);
  for (PyObject* member : {plan.name, plan.doc, plan.module, plan.function, plan.fallback, plan.explain,
                           plan.resolve, plan.reduce})
    Py_XDECREF(member);
  type->tp_free(self);
  Py_DECREF(type);
}

// The function finds itself under its own name: that is how a builtin function is pickled.
PyObject* plan_getattr(PyObject* self, PyObject* name) {
  const Plan& plan = *as_plan(self);
  const int same = plan.function ? PyObject_RichCompareBool(name, plan.name, Py_EQ) : 0;
  if (same < 0) return nullptr;
  return same ? Py_NewRef(plan.function) : PyObject_GenericGetAttr(self, name);
}

PyObject* plan_reduce(PyObject* self, PyObject*) {
  PyObject* reduce = as_plan(self)->reduce;
  if (PyTuple_Check(reduce) && PyTuple_GET_SIZE(reduce)) return Py_NewRef(reduce);
  return PyErr_Format(PyExc_TypeError, "function %U cannot be pickled", as_plan(self)->name);
}

PyObject* plan_repr(PyObject* self) {
  return PyUnicode_FromFormat("<Plan of %U.%U>", as_plan(self)->module, as_plan(self)->name);
}

PyMethodDef plan_methods[] = {{"__reduce__", plan_reduce, METH_NOARGS, nullptr}, {}};

PyObject* plan_paths(PyObject* self, void*) {
  const Plan& plan = *as_plan(self);
  Ref found = Ref::steal(PyTuple_New(plan.candidate_count));
  for (int i = 0; found && i < plan.candidate_count; ++i) {
    PyObject* path = PyUnicode_FromString(plan.candidates[i].tiers.path);
    if (!path) return nullptr;
    PyTuple_SET_ITEM(found.get(), i, path);
  }
  return found.release();
}

PyGetSetDef plan_getset[] = {
    {"paths", plan_paths, nullptr, "The tier of each candidate's calls, in a word.", nullptr}, {}};

PyMemberDef plan_members[] = {{"function", T_OBJECT, offsetof(Plan, function), READONLY,
                               "What runs this plan: a builtin function, or a method."},
                              {"fallback", T_OBJECT, offsetof(Plan, fallback), READONLY,
                               "What converts arguments that the core does not."},
                              {}};

PyType_Slot plan_slots[] = {{Py_tp_new, reinterpret_cast<void*>(plan_new)},
                            {Py_tp_dealloc, reinterpret_cast<void*>(plan_dealloc)},
                            {Py_tp_traverse, reinterpret_cast<void*>(plan_traverse)},
                            {Py_tp_clear, reinterpret_cast<void*>(plan_clear)},
                            {Py_tp_getattro, reinterpret_cast<void*>(plan_getattr)},
                            {Py_tp_repr, reinterpret_cast<void*>(plan_repr)},
                            {Py_tp_methods, plan_methods},
                            {Py_tp_members, plan_members},
                            {Py_tp_getset, plan_getset},
                            {Py_tp_doc, const_cast<char*>("One overload set as the compiled core runs it.")},
                            {}};

PyType_Spec plan_spec = {
    "samebytes._native.Plan", sizeof(Plan), 0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_IMMUTABLETYPE | Py_TPFLAGS_BASETYPE, plan_slots};

}  // namespace

void expect_callbacks() {
  if (std::exchange(callbacks_are_expected, true)) return;
  for (Linked* one = plans; one; one = one->next) {
    Plan* const plan = reinterpret_cast<Plan*>(reinterpret_cast<char*>(one) - offsetof(Plan, all));
    for (int i = 0; i < plan->candidate_count; ++i)
      if (plan->candidates[i].tiers.run) run_in_scope(plan->candidates[i]);
    renew_call(*plan);
  }
}

void renew_call(Plan& plan) {
  if (!plan.function) return;  // it is being made
  if (is_method(plan.function))
    set_call(plan.function, call_of(plan));
  else
    plan.definition.ml_meth = as_c_function(call_of(plan));
}

int add_plan_type(PyObject* module) {
  if (ready_overloaded_type() < 0) return -1;
  auto* type = PyType_FromSpec(&plan_spec);
  if (!type) return -1;
  const int result = PyModule_AddObjectRef(module, "Plan", type);
  Py_DECREF(type);
  return result;
}

}  // namespace samebytes
