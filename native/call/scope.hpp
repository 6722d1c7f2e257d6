// Calls that may call back into Python: what a callback raises there is raised when the C++ call returns.
#pragma once
#include "call/plan.hpp"

namespace samebytes {

// `run` of a candidate that may call back: run_general inside a scope of its own.
PyObject* run_calling_back(Plan& plan, const Candidate& candidate, PyObject* const* args, const Call* call);

// The same for the function itself, where that is the only candidate.
PyObject* call_calling_back(PyObject* self, PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames);
// The list for errors of callbacks of the call that this thread is in; null without an exception: it is in
// none.
PyObject* errors_here();
// Leaves the exception that is raised now to the call of that list, or to the one that this thread is in, or
// reports it. `why`: null, or why C++ got a value in its place, for a note.
void post_raised(PyObject* where, PyObject* errors, const char* why = nullptr);
// Where the innermost call of this thread has its scope, on the stack: what C++ calls lies below. Null: it is
// in none.
const void* scope_place();
// Whether this thread is in a call that may call back, and through which C++ may throw.
bool may_throw();
// Whether, beside that, the call gives Python C++'s own exceptions: compiled code (Numba) knows none.
bool may_throw_itself();
// Whether callbacks may have failed in the call that this thread is in; if so, its plan, and what the first
// one raised.
bool may_have_failed();
const Plan* failing_plan();  // null: it is a call of compiled code (Numba)
PyObject* first_failure();   // borrowed; null: nothing. With the GIL

// While it lives, C++ code of this thread may not throw: a destructor runs.
class NoThrow {
 public:
  NoThrow();
  ~NoThrow();
  NoThrow(const NoThrow&) = delete;
  NoThrow& operator=(const NoThrow&) = delete;

 private:
  bool before_;
};

int add_scope_functions(PyObject* module);

}  // namespace samebytes
