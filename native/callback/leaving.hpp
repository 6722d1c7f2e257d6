// What becomes of an exception that a Python callable has raised which C++ called.
#pragma once
#include "../src/samebytes/include/samebytes/crossing/api.hpp"
#include "callback/unwinding.hpp"

namespace samebytes {

// Where C++ can throw it on: `raised`, or `thrown`, with a std::exception_ptr in the slot, if it stands for
// an exception of C++'s. Else `reported`: C++ gets a value. The exception is raised no more; the call has it.
// `where` and `errors` are those of post_raised().
callable_end leave(const CallbackPlan& plan, PyObject* where, PyObject* errors, Thrower thrower, void** slot);

// Throws what leave() has said, with libstdc++'s runtime.
[[noreturn]] void throw_on(void** slot);

}  // namespace samebytes
