// The scopes of calls that may call back, innermost first in each thread, and the errors that callbacks leave
// there.
#include "scope.hpp"

namespace samebytes {

namespace {

struct Scope {
  Scope* outer;
  PyObject* errors;  // a list once a callback has asked for it, else null; None at its end: the call is over
};

thread_local Scope* innermost = nullptr;

bool is_over(PyObject* errors) {
  const Py_ssize_t count = PyList_GET_SIZE(errors);
  return count && PyList_GET_ITEM(errors, count - 1) == Py_None;
}

// The innermost call's list of errors; null without an exception: this thread is in no call, or MemoryError.
PyObject* errors_here() {
  if (!innermost) return nullptr;
  if (!innermost->errors) innermost->errors = PyList_New(0);
  return innermost->errors;
}

// The first error becomes the call's; the others are reported.
void raise_first(PyObject* errors) {
  Ref first = Ref::borrow(PyList_GET_ITEM(errors, 0));
  PyErr_Clear();  // what C++ made of a callback that failed is no news
  for (Py_ssize_t i = 1; i < PyList_GET_SIZE(errors) - 1; ++i) {
    PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(PyList_GET_ITEM(errors, i))),
                    PyList_GET_ITEM(errors, i));
    PyErr_WriteUnraisable(nullptr);
  }
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(first.get())), first.get());
}

PyObject* finish(Scope& scope, PyObject* result) {
  innermost = scope.outer;
  if (likely(!scope.errors)) return result;
  Ref errors = Ref::steal(scope.errors);
  if (PyList_Append(errors.get(), Py_None) < 0 || PyList_GET_SIZE(errors.get()) > 1) {
    Py_XDECREF(result);
    if (PyList_GET_SIZE(errors.get()) > 1) raise_first(errors.get());
    return nullptr;
  }
  return result;
}

PyObject* call_errors(PyObject*, PyObject*) {
  PyObject* errors = errors_here();
  if (!errors && PyErr_Occurred()) return nullptr;
  return Py_NewRef(errors ? errors : Py_None);
}

PyObject* post_error(PyObject*, PyObject* args) {
  PyObject *errors, *error, *where;
  if (!PyArg_ParseTuple(args, "OOO:post_error", &errors, &error, &where)) return nullptr;
  if (!PyList_Check(errors) || is_over(errors)) errors = errors_here();
  if (errors) {
    if (PyList_Append(errors, error) < 0) return nullptr;
  } else {
    PyErr_Clear();
    PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(error)), error);
    PyErr_WriteUnraisable(where);
  }
  Py_RETURN_NONE;
}

PyMethodDef functions[] = {{"call_errors", call_errors, METH_NOARGS,
                            "call_errors()\n--\n\nThe list for errors of callbacks of the call that this "
                            "thread is in; None: it is in none."},
                           {"post_error", post_error, METH_VARARGS,
                            "post_error(errors, error, where, /)\n--\n\nLeave a callback's error to its "
                            "call, or to the one that this thread "
                            "is in, or report it."},
                           {}};

}  // namespace

PyObject* run_calling_back(Plan& plan, const Candidate& candidate, PyObject* const* args, const Call* call) {
  Scope scope{innermost, nullptr};
  innermost = &scope;
  return finish(scope, run_any(plan, candidate, args, call));
}

int add_scope_functions(PyObject* module) { return PyModule_AddFunctions(module, functions); }

}  // namespace samebytes
