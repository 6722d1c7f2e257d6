// Shims that are built when a function is first called: Python builds, and from then on the calls are those
// of any function.
#include "call/plan.hpp"
#include "codec/codec.hpp"

namespace samebytes {

namespace {

// What Python says of a shim that is there now: its address, whether its calls release the GIL, and, where
// they do not, the inputs whose bytes have to be the object's own, by their places.
bool take(Candidate& candidate, PyObject* found) {
  unsigned long long address;
  int nogil;
  PyObject* own;
  if (!PyArg_ParseTuple(found, "KpO!:later", &address, &nogil, &PyTuple_Type, &own)) return false;
  if (!address) return PyErr_SetString(PyExc_ValueError, "a shim's address is not null"), false;
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(own); ++i) {
    const Py_ssize_t input = PyLong_AsSsize_t(PyTuple_GET_ITEM(own, i));
    if (input < 0 || input >= candidate.input_count)
      return PyErr_SetString(PyExc_ValueError, "an input is one of the candidate"), false;
    candidate.inputs[input].flags |= kOwnBytes;
    candidate.code.wants_own_bytes = true;
  }
  candidate.shim = reinterpret_cast<Shim>(static_cast<uintptr_t>(address));
  candidate.code.releases_gil = nogil != 0;
  return true;
}

bool build(Plan& plan, Candidate& candidate) {
  const Ref later = Ref::borrow(candidate.later);
  const Ref found = Ref::steal(PyObject_CallNoArgs(later.get()));
  if (!found) return false;
  if (!candidate.later) return true;  // another thread was sooner
  if (!PyTuple_Check(found.get())) return PyErr_SetString(PyExc_TypeError, "a tuple is due"), false;
  if (!take(candidate, found.get())) return false;
  Py_CLEAR(candidate.later);
  choose_run(candidate);
  if (callbacks_are_expected) run_in_scope(candidate);
  renew_call(plan);
  return true;
}

PyObject* run_later(Plan& plan, const Candidate& candidate, PyObject* const* args, const Call* call) {
  const Ref alive = Ref::borrow(reinterpret_cast<PyObject*>(&plan));
  Candidate& own = plan.candidates[candidate.index];
  // A thread that waited for another one comes here when there is nothing left to build.
  if (own.later && !build(plan, own)) return nullptr;
  return own.tiers.run(plan, own, args, call);
}

}  // namespace

void wait_for_shim(Candidate& candidate) {
  candidate.tiers.run = run_later;
  candidate.tiers.call = plan_call;
}

}  // namespace samebytes
