// Whether this thread may still touch Python's objects: when Python ends, it ends other threads wherever they
// ask for the GIL, by unwinding their stacks (before Python 3.14). Destructors run then without the GIL.
#pragma once
#include <Python.h>

#include <atomic>

namespace samebytes {

extern std::atomic<bool> python_ends __attribute__((visibility("hidden")));  // true once it has begun

inline bool may_touch_python() {
  return __builtin_expect(!python_ends.load(std::memory_order_relaxed), 1) || PyGILState_Check();
}

int watch_the_end();  // -1: exception set

}  // namespace samebytes
