// The end of a process in which C++ could not pass on what a Python callable raised: see
// callback/last_words.hpp.
#include "callback/last_words.hpp"

#include <atomic>
#include <cstdlib>

#include "call/pending.hpp"
#include "call/scope.hpp"

namespace samebytes {

namespace {

std::atomic<std::terminate_handler> others{nullptr};

Ref name_of(const Plan* plan) {
  if (!plan) return Ref::steal(PyUnicode_FromString("a function that compiled code calls"));
  const Ref name = Ref::steal(PyObject_GetAttrString(plan->function, "__qualname__"));
  return Ref::steal(PyUnicode_FromFormat("%U()", name ? name.get() : plan->name));
}

void print(const Plan* plan, PyObject* error) {
  const Ref name = name_of(plan);
  PyErr_Clear();
  if (!name) return;
  PySys_FormatStderr(
      "samebytes: C++ ends this process in %U: a Python callable that it called raised what follows, and a "
      "C++ "
      "function in between is noexcept, or a destructor, through which no exception passes. Let the callable "
      "catch "
      "what it raises, or declare the function noexcept(false).\n",
      name.get());
  PyErr_Display(reinterpret_cast<PyObject*>(Py_TYPE(error)), error, nullptr);
}

[[noreturn]] void terminate() {
  if (may_have_failed() && !python_is_over()) {
    PyGILState_Ensure();  // for good
    const PendingException pending;
    if (PyObject* error = first_failure()) print(failing_plan(), error);
  }
  if (const std::terminate_handler next = others.load()) next();
  std::abort();
}

}  // namespace

std::terminate_handler last_words(std::terminate_handler now) {
  if (now != terminate) others.store(now);
  return terminate;
}

}  // namespace samebytes
