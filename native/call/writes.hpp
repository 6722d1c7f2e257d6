// What running calls may write to, and when: C++ writes from the moment when a shim is entered until it
// returns, but for the time that Python code runs inside of it. What Python iterates may be out of step after
// each such stretch, so that it is noted before the shim, where C++ goes on after Python code, and when the
// shim returns.
#pragma once
#include "call/running.hpp"
#include "object/iterations.hpp"

namespace samebytes {

// An argument, or a part of one, whose address a call is about to get, and that it may write to: noted when
// the shim is entered, if it ever is. What is stored elsewhere is noted at once. False: MemoryError is set.
bool note_address(PyObject* object, CallResources& resources);

void note_running_call(const Running& call);
void note_running_calls();  // those of this thread

// C++ is entered, or has returned.
inline void note_writes(const Running& call) {
  if (unlikely(live_iterations)) note_running_call(call);
}

// Python code that C++ called has run, and C++ goes on.
inline void back_in_cxx() {
  if (unlikely(live_iterations)) note_running_calls();
}

int add_writes(PyObject* module);

}  // namespace samebytes
