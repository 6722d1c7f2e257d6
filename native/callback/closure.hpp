// C functions that run Python callables, without memory that is both written and executed.
#pragma once
#include "callback/callback.hpp"

namespace samebytes {

// Whether this machine has such functions.
bool has_closures();
// The C function that runs a callback for as long as the callback lives; null: all are in use.
void* c_function(Callback* callback);
// The callback dies: from now on its C function says that it has ended.
void end_closure(Callback* callback);

}  // namespace samebytes
