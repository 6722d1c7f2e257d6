// Whether an exception of C++'s that leaves a callback is caught before it meets what it cannot pass.
#pragma once
#include "callback/callback.hpp"

namespace samebytes {

// What the code of one frame does with an exception that leaves the call it is in.
enum class Leaving : uint8_t { passes, caught, ends };

// Who throws: this core, or a library that uses its libstdc++; or a library by a runtime of its own.
enum class Thrower : uint8_t { common, own };

// Whether one that is thrown now, out of this callback, is caught between here and the call that this thread
// is in, and every frame before that lets it pass. Python is asked about code that is met for the first time,
// by the plan's `frames`. With the GIL; an exception that is raised stays raised.
bool reaches_call(const CallbackPlan& plan, Thrower thrower);

}  // namespace samebytes
