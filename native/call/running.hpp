// The calls that are running, in all threads, and what they use. Whoever takes over, ends, moves from or
// resizes an object asks in_use(object) first, with the GIL, and lets no Python code run and no GIL go
// between the answer and the deed. Python asks _native.in_use(object).
#pragma once
#include "call/resources.hpp"
#include "ref.hpp"

namespace samebytes {

// One call, while it lives: it begins before the first argument is read, or, where reading them runs no
// Python code, before C++ is entered. Its chain is this thread's own, so that entering costs a few
// instructions and leaving one: no other thread writes there, and a stack that Python's end unwinds leaves it
// without the GIL.
class Running {
 public:
  static constexpr Py_ssize_t kTrying = -2;

  inline Running(PyObject* const* args, Py_ssize_t count, CallResources* resources,
                 const struct Candidate* candidate = nullptr);
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;
  ~Running() { end(); }
  inline void end();  // at once; not from inside of a call that began later

  // The argument that Python is converting now; -1: none; kTrying: it looks which candidate fits. It is not
  // in use yet as the object that it is: C++'s implicit conversions may give it to a constructor.
  Py_ssize_t converting = -1;

  // See call/writes.hpp.
  bool note_address(PyObject* object) const;

  struct Arguments {
    PyObject* const* first;
    Py_ssize_t count;
    PyObject* const* begin() const { return first; }
    PyObject* const* end() const { return first + count; }
  };
  Arguments arguments() const { return {args_, count_}; }
  const Running* outer() const { return outer_; }  // null behind the outermost one

 private:
  constexpr Running() = default;
  bool uses(class Reach& reach, PyObject* object) const;
  bool writes(PyObject* object) const;

  friend bool in_use(PyObject* object, const Running* but);
  friend PyObject* owned_argument(const void* address);
  friend CallResources* resources_here();
  friend bool note_address(PyObject* object, CallResources& resources);
  friend void note_running_call(const Running& call);
  friend void note_running_calls();
  static const Running* enter_thread();
  static const Running kNone;  // what a chain ends with

  const Running* outer_ = nullptr;
  PyObject* const* args_ = nullptr;
  Py_ssize_t count_ = 0;
  CallResources* resources_ = nullptr;    // what the arguments were made into; may be null
  const Candidate* candidate_ = nullptr;  // of a shim's call
};

// Null until the thread's first call. Initial-exec, and no thread_local: an access is one instruction.
extern __thread const Running* innermost_call
    __attribute__((tls_model("initial-exec"), visibility("hidden")));

inline Running::Running(PyObject* const* args, Py_ssize_t count, CallResources* resources,
                        const Candidate* candidate)
    : outer_(innermost_call), args_(args), count_(count), resources_(resources), candidate_(candidate) {
  if (unlikely(!outer_)) outer_ = enter_thread();
  innermost_call = this;
}
inline void Running::end() { innermost_call = outer_; }

// Whether a running call uses the object: as an argument, as what an argument lies inside of or refers to, or
// as what lies inside of an argument. `but` is the call that asks.
bool in_use(PyObject* object, const Running* but = nullptr);

// What this thread's innermost call holds; null: there is none, or it holds nothing but its arguments.
CallResources* resources_here();

// The argument of this thread's innermost call that is an object of Python's own at an address (borrowed);
// null.
PyObject* owned_argument(const void* address);

// What compiled code of this thread uses may be written to, or has been.
void note_pinned();

int add_running_functions(PyObject* module);

}  // namespace samebytes
