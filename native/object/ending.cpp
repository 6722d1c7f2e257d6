// Notices that Python begins to end: see object/ending.hpp.
#include "object/ending.hpp"

#include "ref.hpp"

namespace samebytes {

std::atomic<bool> python_ends{false};

namespace {

PyObject* begin(PyObject*, PyObject*) {
  python_ends.store(true);
  Py_RETURN_NONE;
}

PyMethodDef method = {"python_ends", begin, METH_NOARGS, nullptr};

}  // namespace

int watch_the_end() {
  Ref atexit = Ref::steal(PyImport_ImportModule("atexit"));
  Ref function = Ref::steal(atexit ? PyCFunction_New(&method, nullptr) : nullptr);
  if (!function) return -1;
  return Ref::steal(PyObject_CallMethod(atexit.get(), "register", "O", function.get())) ? 0 : -1;
}

}  // namespace samebytes
