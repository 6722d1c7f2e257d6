// The calls that are running: see call/running.hpp.
#include "call/running.hpp"

#include <pthread.h>

#include <algorithm>
#include <mutex>
#include <vector>

#include "call/pending.hpp"
#include "call/reach.hpp"
#include "object/handle.hpp"
#include "object/iterations.hpp"
#include "object/result_owner.hpp"
#include "object/shown_copy.hpp"
#include "object/smart_pointer.hpp"

namespace samebytes {

__thread const Running* innermost_call = nullptr;
const Running Running::kNone;

CallResources* resources_here() { return innermost_call ? innermost_call->resources_ : nullptr; }

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

struct ThreadExit {
  ~ThreadExit() {
    const std::lock_guard<std::mutex> locked(lock);
    Thread** at = &threads;
    while (*at && *at != &this_thread) at = &(*at)->next;
    if (*at) *at = this_thread.next;
  }
};

// What compiled code (Numba) uses, from before it runs until it has let go: it may run without the GIL, and
// it has no place in a chain. With the GIL.
struct Pin {
  PyObject* object;  // the compiled call holds it
  pthread_t thread;
};
std::vector<Pin>& pins() {
  static auto* const all = new std::vector<Pin>;  // as long as compiled code
  return *all;
}

// A forked child has one thread, and the stacks of the others are not theirs any more.
void before_fork() { lock.lock(); }
void after_fork() { lock.unlock(); }
void in_child() {
  if (threads) {
    threads = innermost_call ? &this_thread : nullptr;
    this_thread.next = nullptr;
  }
  std::vector<Pin>& all = pins();
  const auto others = [](const Pin& pin) { return !pthread_equal(pin.thread, pthread_self()); };
  all.erase(std::remove_if(all.begin(), all.end(), others), all.end());
  lock.unlock();
}

// Called by compiled code around what it does with an argument. Without memory for it the process ends, as
// C++ has no other way to refuse here.
void note_changed(PyObject* object) {
  if (!is_unwritable(object)) note_written(object);
}

void pin(PyObject* object) noexcept {
  pins().push_back({object, pthread_self()});
  note_changed(object);
}

void unpin(PyObject* object) {
  note_changed(object);
  std::vector<Pin>& all = pins();
  const pthread_t here = pthread_self();
  for (size_t i = all.size(); i--;)
    if (all[i].object == object && pthread_equal(all[i].thread, here)) {
      all[i] = all.back();
      return all.pop_back();
    }
}

// Called by shims, with or without the GIL.
bool keep_for_call(void* held, void (*drop)(void*)) {
  bool kept = false;
  in_python([&] {
    const PendingException pending;
    CallResources* const resources = resources_here();
    PyObject* const owner = resources ? new_result_owner({held, drop}, nullptr) : nullptr;
    kept = owner && resources->hold(owner);
  });
  return kept;
}

bool is_pinned(PyObject* object) {
  for (const Pin& pin : pins()) {
    Reach reach(object);
    if (reach.from(pin.object)) return true;
  }
  return false;
}

PyObject* ask(PyObject*, PyObject* object) { return PyBool_FromLong(in_use(object)); }

// No garbage is collected while the lock is held: to append makes no object.
PyObject* arguments_within(PyObject*, PyObject* object) {
  Ref found = Ref::steal(PyList_New(0));
  if (!found || !is_record_class(Py_TYPE(object))) return found.release();
  const char* const begin = as_instance(object)->data;
  const std::lock_guard<std::mutex> locked(lock);
  for (const Thread* thread = threads; thread; thread = thread->next)
    for (const Running* call = *thread->innermost; call; call = call->outer())
      for (PyObject* const argument : call->arguments()) {
        if (argument == object || !is_record_class(Py_TYPE(argument))) continue;
        const char* const at = as_instance(argument)->data;
        if (at < begin || at >= begin + Py_SIZE(object)) continue;
        if (PyList_Append(found.get(), argument) < 0) return nullptr;
      }
  return found.release();
}

PyMethodDef functions[] = {
    {"arguments_within", arguments_within, METH_O,
     "arguments_within(object, /)\n--\n\nThe arguments of running calls, in any thread, that lie in the "
     "bytes of "
     "an object."},
    {"in_use", ask, METH_O,
     "in_use(object, /)\n--\n\nWhether a call that is running, in any thread, uses the object."},
    {}};

}  // namespace

void note_pinned() {
  const pthread_t here = pthread_self();
  for (const Pin& pin : pins())
    if (pthread_equal(pin.thread, here)) note_changed(pin.object);
}

PyObject* owned_argument(const void* address) {
  const Running* const call = innermost_call;
  for (Py_ssize_t i = 0; call && i < call->count_; ++i) {
    PyObject* const object = call->args_[i];
    const bool there = is_handle_class(Py_TYPE(object)) && as_handle(object)->data == address;
    if (there && (as_handle(object)->destroy || box_of(object))) return object;
  }
  return nullptr;
}

const Running* Running::enter_thread() {
  thread_local const ThreadExit at_exit;
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
  return resources_ && reach.from(*resources_);
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
  return !pins().empty() && is_pinned(object);
}

int add_running_functions(PyObject* module) {
  if (pthread_atfork(before_fork, after_fork, in_child)) return PyErr_NoMemory(), -1;
  const Ref to_pin = Ref::steal(PyLong_FromVoidPtr(reinterpret_cast<void*>(pin)));
  const Ref to_unpin = Ref::steal(PyLong_FromVoidPtr(reinterpret_cast<void*>(unpin)));
  const Ref to_keep = Ref::steal(PyLong_FromVoidPtr(reinterpret_cast<void*>(keep_for_call)));
  if (!to_keep || PyModule_AddObjectRef(module, "KEEP", to_keep.get()) < 0) return -1;
  const Ref to_note = Ref::steal(PyLong_FromVoidPtr(reinterpret_cast<void*>(note_changed)));
  if (!to_note || PyModule_AddObjectRef(module, "NOTE_CHANGED", to_note.get()) < 0) return -1;
  if (!to_pin || !to_unpin || PyModule_AddObjectRef(module, "PIN", to_pin.get()) < 0 ||
      PyModule_AddObjectRef(module, "UNPIN", to_unpin.get()) < 0)
    return -1;
  return PyModule_AddFunctions(module, functions);
}

}  // namespace samebytes
