// Whether an exception of C++'s that leaves a callback is caught before it meets what it cannot pass.
#pragma once
#include "callback/callback.hpp"

namespace samebytes {

// What the code of one frame does with an exception that leaves the call it is in. `unknown`: it cannot be
// read.
enum class Leaving : uint8_t { passes, caught, ends, unknown };

// Who throws: this core, or a library that uses its libstdc++; or a library by a runtime of its own.
enum class Thrower : uint8_t { common, own };

// What meets one that is thrown now, out of this callback, between here and the call that this thread is in:
// it is `caught`, and every frame before that lets it pass; one `ends` it; or one is `unknown`, and none
// before ends it. Python is asked about code that is met for the first time, by the plan's `frames`. With the
// GIL; an exception that is raised stays raised.
Leaving fate_of_throw(const CallbackPlan& plan, Thrower thrower);

}  // namespace samebytes
