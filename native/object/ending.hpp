// Whether this thread may still touch Python's objects: when Python ends, it ends other threads wherever they
// ask for the GIL, by unwinding their stacks (before Python 3.14). Destructors run then without the GIL.
#pragma once
#include <Python.h>
#include <cxxabi.h>
#include <unistd.h>

#include <atomic>

namespace samebytes {

extern std::atomic<bool> python_ends __attribute__((visibility("hidden")));  // true once it has begun

inline bool may_touch_python() {
  return __builtin_expect(!python_ends.load(std::memory_order_relaxed), 1) || PyGILState_Check();
}

// Whether there is no Python any more, or none that a thread without the GIL may ask for it.
inline bool python_is_over() {
#if PY_VERSION_HEX >= 0x030D0000
  return !Py_IsInitialized() || Py_IsFinalizing();
#else
  return !Py_IsInitialized() || _Py_IsFinalizing();
#endif
}

// Runs `work` with the GIL for C++ that calls Python, in any thread. A thread that Python ends stays here for
// ever, as it does since Python 3.14: what C++ has above may be noexcept, which would end the process, and
// its destructors would run while others use what they end.
template <class Work>
void in_python(const Work& work) {
  try {
    const PyGILState_STATE state = PyGILState_Ensure();
    work();
    PyGILState_Release(state);
  } catch (const abi::__forced_unwind&) {
    for (;;) pause();
  }
}

int watch_the_end();  // -1: exception set

}  // namespace samebytes
