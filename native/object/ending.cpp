// Notices that Python begins to end: see object/ending.hpp.
#include "object/ending.hpp"

#include "ref.hpp"

namespace samebytes {

std::atomic<bool> python_ends{false};
__thread bool is_without_gil = false;
__thread PyThreadState* calling_thread = nullptr;

namespace {

std::atomic<bool> has_ended{false};  // nobody may touch an object any more
__thread bool ends_python = false;   // this thread does

PyObject* begin(PyObject*, PyObject*) {
  ends_python = true;
  python_ends.store(true);
  Py_RETURN_NONE;
}

void finish() { has_ended.store(true); }

PyMethodDef method = {"python_ends", begin, METH_NOARGS, nullptr};

}  // namespace

bool may_still_touch_python() {
  return !has_ended.load() && PyGILState_Check() && (ends_python || !python_is_over());
}

bool python_has_ended() {
  const bool begun = python_ends.load(std::memory_order_relaxed) || has_ended.load(std::memory_order_relaxed);
  return begun && python_is_over();
}

bool may_ask_python() {
  if (!python_is_over()) return true;
  while (is_without_gil && !ends_python) pause();
  return PyGILState_GetThisThreadState() != nullptr;
}

int watch_the_end() {
  if (Py_AtExit(finish) < 0) return PyErr_NoMemory(), -1;
  Ref atexit = Ref::steal(PyImport_ImportModule("atexit"));
  Ref function = Ref::steal(atexit ? PyCFunction_New(&method, nullptr) : nullptr);
  if (!function) return -1;
  return Ref::steal(PyObject_CallMethod(atexit.get(), "register", "O", function.get())) ? 0 : -1;
}

}  // namespace samebytes
