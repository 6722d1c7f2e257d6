// Objects that a call ends because its function is what an intent names as their deleter: sb.delete by hand.
// Why that is safe: call/seen.hpp.
#pragma once
#include "call/claim.hpp"
#include "ref.hpp"

namespace samebytes {

// The object of a call's first C++ argument, from before C++ is entered until it returned: nobody finds it.
class Ended {
 public:
  Ended() = default;
  Ended(const Ended&) = delete;
  Ended& operator=(const Ended&) = delete;
  ~Ended() {
    if (unlikely(static_cast<bool>(object_)) && may_touch_python()) undo();
  }

  // Whether Python has objects that lie inside of it (that is noted, see look()), which may run any code.
  // False: exception set.
  static bool look(const Candidate& candidate, PyObject* const* args, void* const* argv);
  // Why it cannot end now. Runs no Python code.
  Conflict begin(const Candidate& candidate, PyObject* const* args, void* const* argv,
                 const Running& running);
  // C++ was called, and the object is gone. `failed`: an exception is about to be raised, which says so.
  void finish(PyObject* function, bool failed);

 private:
  void undo();

  Ref object_;
  Py_ssize_t size_ = 0;
};

int add_ended_functions(PyObject* module);

}  // namespace samebytes
