// Whether this thread may still touch Python's objects: when Python ends, it ends other threads wherever they
// ask for the GIL, by unwinding their stacks (before Python 3.14). Destructors run then without the GIL.
#pragma once
#include <Python.h>
#include <cxxabi.h>
#include <unistd.h>

#include <atomic>
#include <utility>

namespace samebytes {

extern std::atomic<bool> python_ends __attribute__((visibility("hidden")));  // true once it has begun

// The same where Python ends, or has ended: there PyGILState_Check() alone is true in every thread at last.
bool may_still_touch_python();

inline bool may_touch_python() {
  return __builtin_expect(!python_ends.load(std::memory_order_relaxed), 1) || may_still_touch_python();
}

// Whether there is no Python any more, or none that a thread without the GIL may ask for it.
inline bool python_is_over() {
#if PY_VERSION_HEX >= 0x030D0000
  return !Py_IsInitialized() || Py_IsFinalizing();
#else
  return !Py_IsInitialized() || _Py_IsFinalizing();
#endif
}

// The same for C++ that asks often: nothing but a look at memory until Python begins to end.
bool python_has_ended();

// Whether this thread has left the GIL to run C++. Initial-exec, and no thread_local: an access is one
// instruction.
extern __thread bool is_without_gil __attribute__((tls_model("initial-exec"), visibility("hidden")));

// What Python has of this thread, while it is in a call that may call back; null: it is in none. Python's
// current thread is that one if, and only if, this thread has the GIL.
extern __thread PyThreadState* calling_thread
    __attribute__((tls_model("initial-exec"), visibility("hidden")));

inline PyThreadState* current_thread() {
#if PY_VERSION_HEX >= 0x030D0000
  return PyThreadState_GetUnchecked();
#else
  return _PyThreadState_UncheckedGet();
#endif
}

// Runs C++ of a thread that has the GIL, without it.
template <class Work>
void without_gil(const Work& work) {
  const bool before = std::exchange(is_without_gil, true);
  PyThreadState* const thread = PyEval_SaveThread();
  work();
  PyEval_RestoreThread(thread);
  is_without_gil = before;
}

// Whether this thread may ask for the GIL. One of Python's does not come back where Python is over: see
// in_python().
bool may_ask_python();

// Runs `work` with the GIL for C++ that calls Python, in any thread; false: there is no Python any more. A
// thread that Python ends stays here for ever, as it does since Python 3.14: what C++ has above may be
// noexcept, which would end the process, and its destructors would run while others use what they end.
template <class Work>
bool in_python(const Work& work) {
  if (__builtin_expect(python_ends.load(std::memory_order_relaxed), 0) && !may_ask_python()) return false;
  try {
    const bool has_gil = calling_thread && calling_thread == current_thread();
    const PyGILState_STATE state = has_gil ? PyGILState_LOCKED : PyGILState_Ensure();
    work();
    if (!has_gil) PyGILState_Release(state);
  } catch (const abi::__forced_unwind&) {
    for (;;) pause();
  }
  return true;
}

int watch_the_end();  // -1: exception set

}  // namespace samebytes
