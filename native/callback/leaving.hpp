// What becomes of an exception that a Python callable has raised which C++ called.
#pragma once
#include "../src/samebytes/include/samebytes/crossing/api.hpp"
#include "callback/unwinding.hpp"

namespace samebytes {

// By what C++ calls it: an object of a class (a std::function, a functor), which can only be C++'s code; or a
// pointer to a function, which C may call, too.
enum class Caller : uint8_t { object, pointer };

// Where C++ can throw it on: `raised`, or `thrown`, with a std::exception_ptr in the slot, if it stands for
// an exception of C++'s. Else `reported`: C++ gets a value. The exception is raised no more; the call has it.
// `where` and `errors` are those of post_raised().
// Code that cannot be read lets it pass if C++ called an object, as C++'s own would, and not if it called a
// pointer.
callable_end leave(const CallbackPlan& plan, PyObject* where, PyObject* errors, Thrower thrower,
                   Caller caller, void** slot);

// Throws what leave() has said, with libstdc++'s runtime.
[[noreturn]] void throw_on(void** slot);

}  // namespace samebytes
