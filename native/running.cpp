// The calls that are running: see running.hpp.
#include "running.hpp"

#include <pthread.h>

#include <mutex>

#include "reach.hpp"

namespace samebytes {

__thread const Running* innermost_call = nullptr;
const Running Running::kNone;

namespace {

// The threads that have made a call. Their chains change with the GIL only; this list with its lock, because
// threads end without the GIL. Nobody waits for the GIL while holding the lock.
struct Thread {
  const Running* const* innermost;
  Thread* next;
};

Thread* threads = nullptr;
std::mutex lock;
__thread Thread this_thread;

struct Leaving {
  ~Leaving() {
    const std::lock_guard<std::mutex> locked(lock);
    Thread** at = &threads;
    while (*at && *at != &this_thread) at = &(*at)->next;
    if (*at) *at = this_thread.next;
  }
};

// A forked child has one thread, and the stacks of the others are not theirs any more.
void before_fork() { lock.lock(); }
void after_fork() { lock.unlock(); }
void in_child() {
  if (threads) {
    threads = innermost_call ? &this_thread : nullptr;
    this_thread.next = nullptr;
  }
  lock.unlock();
}

PyObject* ask(PyObject*, PyObject* object) { return PyBool_FromLong(in_use(object)); }

PyMethodDef functions[] = {
    {"in_use", ask, METH_O,
     "in_use(object, /)\n--\n\nWhether a call that is running, in any thread, uses the object."},
    {}};

}  // namespace

const Running* Running::enter_thread() {
  thread_local const Leaving leaving;
  const std::lock_guard<std::mutex> locked(lock);
  this_thread = {&innermost_call, threads};
  threads = &this_thread;
  return &kNone;
}

bool Running::uses(Reach& reach, PyObject* object) const {
  for (Py_ssize_t i = 0; i < count_; ++i) {
    const bool pending = i == converting && args_[i] == object;
    if (!pending && reach.from(args_[i])) return true;
  }
  return keep_ && reach.from(*keep_);
}

bool in_use(PyObject* object, const Running* but) {
  const std::lock_guard<std::mutex> locked(lock);
  for (const Thread* thread = threads; thread; thread = thread->next) {
    const Running* call = *thread->innermost;
    if (thread != &this_thread && call != &Running::kNone && python_is_over()) return true;
    for (; call != &Running::kNone; call = call->outer_) {
      Reach reach(object);
      if (call != but && call->uses(reach, object)) return true;
    }
  }
  return false;
}

int add_running_functions(PyObject* module) {
  if (pthread_atfork(before_fork, after_fork, in_child)) return PyErr_NoMemory(), -1;
  return PyModule_AddFunctions(module, functions);
}

}  // namespace samebytes
