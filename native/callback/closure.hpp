// C functions that run Python callables, without memory that is both written and executed.
#pragma once
#include "callback/callback.hpp"

namespace samebytes {

// Whether this machine has such functions.
bool has_closures();
// How many there are.
int closure_count();
// A C function that has ended is used again only after so many others have: C++ that calls one too late is
// told so meanwhile.
constexpr int kClosuresAtRest = 1024;
// The registers that they hand on, before the stack's words: those for integers and
// addresses, then those for numbers of floating point. A plan's words are counted so.
struct ClosureRegisters {
  int general, real;
};
ClosureRegisters closure_registers();
// The C function that runs a callback for as long as the callback lives; null: all are in use.
void* c_function(Callback* callback);
// The callback that a C function runs; null: it runs none. Borrowed
Callback* callback_of(const void* function);
// The callback dies: from now on its C function says that it has ended.
void end_closure(Callback* callback);

}  // namespace samebytes
