// The scopes of calls that may call back, innermost first in each thread, and the errors that callbacks leave
// there.
#include "call/scope.hpp"

#include <new>
#include <utility>

#include "call/pending.hpp"
#include "call/thrown.hpp"
#include "object/ending.hpp"

namespace samebytes {

namespace {

struct Scope {
  Scope* outer;
  const Plan* plan;  // null: compiled code (Numba) calls
  PyObject* errors;  // a list once a callback has asked for it, else null; None at its end: the call is over
  bool nothrow;      // an exception of C++'s would end the process
  bool lost;         // there was no memory for an error
  PyThreadState* caller;  // `calling_thread` before; compiled code, which may have no GIL, leaves it as it is
};

// Initial-exec: an access is one instruction, and this library is small enough for any program's spare room.
__attribute__((tls_model("initial-exec"))) thread_local Scope* innermost = nullptr;

bool is_over(PyObject* errors) {
  const Py_ssize_t count = PyList_GET_SIZE(errors);
  return count && PyList_GET_ITEM(errors, count - 1) == Py_None;
}

// The first error is the call's; a note on it says how many others there were, and shows the last of them.
bool note_others(PyObject* errors, PyObject* first) {
  if (PyList_GET_SIZE(errors) < 3) return true;
  Ref note =
      Ref::steal(PyUnicode_FromFormat("Callbacks of this call failed %S times more, the last time with %R",
                                      PyList_GET_ITEM(errors, 1), PyList_GET_ITEM(errors, 2)));
  return note && Ref::steal(PyObject_CallMethod(first, "add_note", "O", note.get()));
}

void raise_first(PyObject* errors) {
  PyErr_Clear();  // what C++ made of a callback that failed is no news
  Ref first = Ref::borrow(PyList_GET_ITEM(errors, 0));
  if (!note_others(errors, first.get())) PyErr_Clear();
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(first.get())), first.get());
}

// [first], or [first, number of the others, last].
bool add_error(PyObject* errors, PyObject* error) {
  const Py_ssize_t known = PyList_GET_SIZE(errors);
  if (!known) return PyList_Append(errors, error) == 0;
  const long others = known > 1 ? PyLong_AsLong(PyList_GET_ITEM(errors, 1)) : 0;
  Ref count = Ref::steal(PyLong_FromLong(others + 1));
  if (!count) return false;
  if (known > 1)
    return PyList_SetItem(errors, 1, count.release()) == 0 &&
           PyList_SetItem(errors, 2, Py_NewRef(error)) == 0;
  return PyList_Append(errors, count.get()) == 0 && PyList_Append(errors, error) == 0;
}

// Whether what is posted there is raised, and not only counted.
bool is_first(PyObject* errors) {
  if (!PyList_Check(errors) || is_over(errors)) errors = innermost ? innermost->errors : nullptr;
  return !errors || !PyList_GET_SIZE(errors);
}

void post(PyObject* errors, PyObject* error, PyObject* where) {
  if (!PyList_Check(errors) || is_over(errors)) errors = errors_here();
  if (errors && add_error(errors, error)) return;
  PyErr_Clear();
  if (innermost) {
    innermost->lost = true;
  } else {
    PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(error)), error);
    PyErr_WriteUnraisable(where);
  }
}

PyObject* finish(Scope& scope, PyObject* result) {
  innermost = scope.outer;
  calling_thread = scope.caller;
  if (likely(!scope.errors && !scope.lost && !flown)) return result;
  if (flown) land();
  if (!scope.errors && !scope.lost) return result;
  if (scope.lost) {
    Py_XDECREF(scope.errors);
    Py_XDECREF(result);
    return PyErr_NoMemory();
  }
  Ref errors = Ref::steal(scope.errors);
  // A callback that outlives the call has the list still: None tells it that nobody reads it any more.
  if (PyList_Append(errors.get(), Py_None) < 0 || PyList_GET_SIZE(errors.get()) > 1) {
    Py_XDECREF(result);
    if (PyList_GET_SIZE(errors.get()) > 1) raise_first(errors.get());
    return nullptr;
  }
  return result;
}

// --- calls of compiled code, which may run without the GIL, and raises by itself ---

// What callbacks raised in the last call of this thread that failed for them. Numba makes an exception twice
// before it raises it: of the first nothing comes.
thread_local PyObject* failure = nullptr;
thread_local bool was_shown = false;

void enter_compiled(void* place, int nothrow) {
  innermost = new (place) Scope{innermost, nullptr, nullptr, nothrow != 0, false, calling_thread};
}

// Whether a callback has failed. Then the exception is kept until take_failure() or drop_failure().
int leave_compiled(void* place) {
  Scope& scope = *static_cast<Scope*>(place);
  if (likely(!scope.errors && !scope.lost)) return innermost = scope.outer, 0;
  int failed = 0;
  in_python([&] {
    const PendingException pending;
    PyObject* const none = finish(scope, Py_NewRef(Py_None));
    Py_XDECREF(none);
    if (none) return;
    failed = 1;
    was_shown = false;
    const Ref before = Ref::steal(std::exchange(failure, take_raised().release()));
  });
  return failed;
}

void drop_failure() {
  in_python([] { const Ref dropped = Ref::steal(std::exchange(failure, nullptr)); });
}

PyObject* take_failure(PyObject*, PyObject*) {
  if (!failure) Py_RETURN_NONE;
  if (!std::exchange(was_shown, true)) return Py_NewRef(failure);
  return std::exchange(failure, nullptr);
}

template <class Function>
bool add_address(PyObject* module, const char* name, Function* address) {
  const Ref number = Ref::steal(PyLong_FromVoidPtr(reinterpret_cast<void*>(address)));
  return number && PyModule_AddObjectRef(module, name, number.get()) == 0;
}

PyObject* expect_failures(PyObject*, PyObject*) {
  expect_callbacks();
  Py_RETURN_NONE;
}

PyObject* call_errors(PyObject*, PyObject*) {
  PyObject* errors = errors_here();
  if (!errors && PyErr_Occurred()) return nullptr;
  return Py_NewRef(errors ? errors : Py_None);
}

PyObject* post_error(PyObject*, PyObject* args) {
  PyObject *errors, *error, *where;
  if (!PyArg_ParseTuple(args, "OOO:post_error", &errors, &error, &where)) return nullptr;
  post(errors, error, where);
  Py_RETURN_NONE;
}

PyMethodDef functions[] = {{"expect_failures", expect_failures, METH_NOARGS,
                            PyDoc_STR("expect_failures()\n--\n\nHave each call from now on raise what "
                                      "Python's functions leave to it that C++ calls.")},
                           {"call_errors", call_errors, METH_NOARGS,
                            "call_errors()\n--\n\nThe list for errors of callbacks of the call that this "
                            "thread is in; None: it is in none."},
                           {"post_error", post_error, METH_VARARGS,
                            "post_error(errors, error, where, /)\n--\n\nLeave a callback's error to its "
                            "call, or to the one that this thread "
                            "is in, or report it."},
                           {"take_failure", take_failure, METH_NOARGS,
                            "take_failure()\n--\n\nWhat callbacks raised in the last call of compiled code "
                            "that failed for them, in this thread; None: nothing. It is there twice."},
                           {}};

}  // namespace

PyObject* run_calling_back(Plan& plan, const Candidate& candidate, PyObject* const* args, const Call* call) {
  Scope scope{innermost, &plan, nullptr, candidate.code.throws_nothing, false, calling_thread};
  innermost = &scope;
  calling_thread = current_thread();
  return finish(scope, candidate.tiers.in_scope.run(plan, candidate, args, call));
}

PyObject* call_calling_back(PyObject* self, PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames) {
  const Plan* const plan = reinterpret_cast<Plan*>(self);
  const Candidate& only = *plan->candidates;
  Scope scope{innermost, plan, nullptr, only.code.throws_nothing, false, calling_thread};
  innermost = &scope;
  calling_thread = current_thread();
  return finish(scope, only.tiers.in_scope.call(self, args, nargs, kwnames));
}

PyObject* errors_here() {
  if (!innermost) return nullptr;
  if (!innermost->errors) innermost->errors = PyList_New(0);
  return innermost->errors;
}

void post_raised(PyObject* where, PyObject* errors, const char* why) {
  const Ref error = take_raised();
  if (why && is_first(errors) &&
      !Ref::steal(PyObject_CallMethod(error.get(), "add_note", "N",
                                      PyUnicode_FromFormat("C++ went on with a value: %s", why))))
    PyErr_Clear();
  post(errors, error.get(), where);
}

const void* scope_place() { return innermost; }
bool may_throw() { return innermost && !innermost->nothrow; }
bool may_throw_itself() { return may_throw() && innermost->plan; }

bool may_have_failed() { return innermost && innermost->errors; }
const Plan* failing_plan() { return innermost->plan; }

PyObject* first_failure() {
  PyObject* const errors = innermost->errors;
  return PyList_GET_SIZE(errors) ? PyList_GET_ITEM(errors, 0) : nullptr;
}

// Nothing but whole calls begins and ends in between, so that the scope is the same at the end.
NoThrow::NoThrow() : before_(innermost && std::exchange(innermost->nothrow, true)) {}
NoThrow::~NoThrow() {
  if (innermost) innermost->nothrow = before_;
}

int add_scope_functions(PyObject* module) {
  const bool added = add_address(module, "CALLBACKS_ARE_EXPECTED", &callbacks_are_expected) &&
                     add_address(module, "ENTER_COMPILED", enter_compiled) &&
                     add_address(module, "LEAVE_COMPILED", leave_compiled) &&
                     add_address(module, "DROP_FAILURE", drop_failure);
  const Ref size = Ref::steal(PyLong_FromSize_t(sizeof(Scope)));
  if (!added || !size || PyModule_AddObjectRef(module, "SCOPE_SIZE", size.get()) < 0) return -1;
  return PyModule_AddFunctions(module, functions);
}

}  // namespace samebytes
