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

void print(const Plan& plan, PyObject* error) {
  Ref name = Ref::steal(PyObject_GetAttrString(plan.function, "__qualname__"));
  if (!name) name = Ref::borrow(plan.name);
  PyErr_Clear();
  PySys_FormatStderr(
      "samebytes: C++ ends this process in %U(): a Python callable that it called raised what follows, and a "
      "C++ "
      "function in between is noexcept, or a destructor, through which no exception passes. Let the callable "
      "catch "
      "what it raises, or declare the function noexcept(false).\n",
      name.get());
  PyErr_Display(reinterpret_cast<PyObject*>(Py_TYPE(error)), error, nullptr);
}

[[noreturn]] void terminate() {
  if (const Plan* plan = failing_plan(); plan && !python_is_over()) {
    PyGILState_Ensure();  // for good
    const PendingException pending;
    if (PyObject* error = first_failure()) print(*plan, error);
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
