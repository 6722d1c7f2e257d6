// Tracks: see launch/track.hpp. Whatever dies with what a batch keeps may run Python code, which may launch:
// a batch leaves its track before it ends. The driver is only asked without the GIL, as it may wait, also for
// a callback of Python's behind which another library has filled its queue; a batch is found again
// afterwards.
#include "launch/track.hpp"

#include <algorithm>
#include <new>
#include <vector>

#include "launch/pending.hpp"
#include "launch/recorded.hpp"
#include "structmember.h"

namespace samebytes {

PyTypeObject* track_type;

namespace {

constexpr unsigned kWithoutTiming = 2;  // CU_EVENT_DISABLE_TIMING, hipEventDisableTiming
constexpr Result kNotReady = 600;       // CUDA_ERROR_NOT_READY, hipErrorNotReady

constexpr size_t kAsked = 16;  // events at once: where the first has not happened, no other is asked

// While it lives, other threads run Python.
class Unlocked {
 public:
  Unlocked() : state_(PyEval_SaveThread()) {}
  Unlocked(const Unlocked&) = delete;
  Unlocked& operator=(const Unlocked&) = delete;
  ~Unlocked() { PyEval_RestoreThread(state_); }

 private:
  PyThreadState* state_;
};

void end(Batch&& batch) {
  const Kept kept = std::move(batch.kept);
  for (PyObject* object : kept) Py_XDECREF(object);
}

// A batch by the number of its last launch; null: it has been let go of.
Batch* find(Track& t, uint64_t last) {
  const auto at = std::lower_bound(t.recorded.begin(), t.recorded.end(), last,
                                   [](const Batch& batch, uint64_t wanted) { return batch.last < wanted; });
  return at != t.recorded.end() && at->last == last ? &*at : nullptr;
}

// A new event behind all that was launched so far. The GIL is not held.
int32_t record(const Track& t, void** event) {
  Entered entered(t.driver, t.context);
  if (const Result code = entered.status()) return status_of(code, kEnter);
  Result code = t.driver.make_event(event, kWithoutTiming);
  if (code) return status_of(code, kRecord);
  if ((code = t.driver.record(*event, t.stream))) t.driver.drop_event(*event), *event = nullptr;
  return status_of(code, kRecord);
}

// Puts an event behind what was launched since the last one.
int32_t close(Track& t) {
  if (t.open.count) {
    t.recorded.push_back(std::move(t.open));
    t.open = Batch();
  }
  if (t.recorded.empty() || t.recorded.back().event || t.recorded.back().users) return 0;
  const uint64_t last = t.recorded.back().last;
  ++t.recorded.back().users;
  void* event = nullptr;
  int32_t status;
  {
    const Unlocked unlocked;
    status = record(t, &event);
  }
  Batch* const batch = find(t, last);
  if (batch) {
    --batch->users, batch->event = event;
  } else if (event) {
    const Unlocked unlocked;
    t.driver.drop_event(event);
  }
  return status;
}

// Takes from a track what is known to have run.
void take_done(Track& t, std::vector<Batch>& ended) {
  while (!t.recorded.empty() && !t.recorded.front().users && t.recorded.front().last <= t.done) {
    ended.push_back(std::move(t.recorded.front()));
    t.recorded.pop_front();
  }
}

// Asks the oldest events which have happened; `more`: all of them, and there may be others.
int32_t ask(Track& t, bool& more) {
  struct {
    void* event;
    uint64_t last;
  } asked[kAsked];
  size_t count = 0, happened = 0;
  for (Batch& batch : t.recorded) {
    if (batch.users || count == kAsked) break;
    if (batch.event) ++batch.users, asked[count++] = {batch.event, batch.last};
  }
  int32_t status = 0;
  if (count) {
    const Unlocked unlocked;
    Entered entered(t.driver, t.context);
    status = status_of(entered.status(), kEnter);
    for (; !status && happened < count; ++happened) {
      const Result code = t.driver.ask(asked[happened].event);
      if (code == kNotReady) break;
      if ((status = status_of(code, kAsk))) break;
    }
  }
  for (size_t i = 0; i < count; ++i)
    if (Batch* const batch = find(t, asked[i].last)) --batch->users;
  if (happened) t.done = std::max(t.done, asked[happened - 1].last);
  more = count && happened == count;
  return status;
}

int32_t collect(Track& t) {
  std::vector<Batch> ended;
  int32_t status = 0;
  collect_recorded();
  take_done(t, ended);
  for (bool more = !t.recorded.empty(); more && !status; take_done(t, ended)) status = ask(t, more);
  if (ended.empty()) return status;
  {
    const Unlocked unlocked;
    Entered entered(t.driver, t.context);
    for (const Batch& batch : ended)
      if (batch.event && !entered.status()) t.driver.drop_event(batch.event);
  }
  for (Batch& batch : ended) end(std::move(batch));
  return status;
}

// The first event behind a launch; null: there is none.
Batch* behind(Track& t, uint64_t wanted) {
  for (Batch& batch : t.recorded)
    if (batch.last >= wanted && batch.event) return &batch;
  return nullptr;
}

// Waits for all that was launched so far by an event of its own.
int32_t await_own(Track& t) {
  const Unlocked unlocked;
  void* event = nullptr;
  int32_t status = record(t, &event);
  if (status) return status;
  Entered entered(t.driver, t.context);
  status = status_of(t.driver.await_event(event), kAwait);
  t.driver.drop_event(event);
  return status;
}

// Waits for the event of a batch.
int32_t await(Track& t, Batch& batch) {
  void* const event = batch.event;
  const uint64_t last = batch.last;
  ++batch.users;
  int32_t status;
  {
    const Unlocked unlocked;
    Entered entered(t.driver, t.context);
    status = status_of(entered.status(), kEnter);
    if (!status) status = status_of(t.driver.await_event(event), kAwait);
  }
  if (Batch* const still = find(t, last)) --still->users;
  return status;
}

// --- the type

PyObject* track_new(PyTypeObject* type, PyObject* args, PyObject*) {
  PyObject* driver;
  unsigned long long context, stream;
  int most, captures;
  if (!PyArg_ParseTuple(args, "OKKip:Track", &driver, &context, &stream, &most, &captures)) return nullptr;
  Ref made = Ref::steal(type->tp_alloc(type, 0));
  if (!made) return nullptr;
  Track* const t = as_track(made.get());
  new (&t->open) Batch();
  new (&t->recorded) std::deque<Batch>();
  if (!driver_functions(driver, t->driver)) return nullptr;
  if (most < 1) return PyErr_SetString(PyExc_ValueError, "a batch has at least one launch"), nullptr;
  t->context = reinterpret_cast<void*>(context);
  t->stream = reinterpret_cast<void*>(stream);
  t->most = most, t->captures = captures;
  return made.release();
}

// Tracks live as long as the process, as what they keep may be in use by the device until then.
void track_dealloc(PyObject* self) {
  PyTypeObject* const type = Py_TYPE(self);
  Track* const t = as_track(self);
  end(std::move(t->open));
  for (Batch& batch : t->recorded) end(std::move(batch));
  t->open.~Batch();
  t->recorded.~deque();
  type->tp_free(self);
  Py_DECREF(type);
}

PyObject* track_close(PyObject* self, PyObject*) { return PyLong_FromLong(close(*as_track(self))); }
PyObject* track_collect(PyObject* self, PyObject*) { return PyLong_FromLong(collect(*as_track(self))); }

PyObject* track_keep(PyObject* self, PyObject* args) {
  PyObject *launch, *owners;
  if (!PyArg_ParseTuple(args, "OO!:keep", &launch, &PyTuple_Type, &owners)) return nullptr;
  Track& t = *as_track(self);
  const bool due = keep(t, launch, &PyTuple_GET_ITEM(owners, 0), static_cast<int>(PyTuple_GET_SIZE(owners)));
  const Ref pending = Ref::steal(new_pending(t.launched, launch));
  const int32_t status = due ? close_and_collect(t) : 0;
  return pending ? Py_BuildValue("iO", status, pending.get()) : nullptr;
}

// What stands for a launch that a graph has, which has no number.
PyObject* track_recorded(PyObject*, PyObject* launch) { return new_pending(0, launch); }

// Waits without the GIL for the event behind a launch.
PyObject* track_wait(PyObject* self, PyObject* number) {
  Track& t = *as_track(self);
  const uint64_t wanted = PyLong_AsUnsignedLongLong(number);
  if (PyErr_Occurred()) return nullptr;
  int32_t status = 0;
  if (wanted > t.done) {
    Batch* batch = behind(t, wanted);
    if (!batch && !(status = close(t))) batch = behind(t, wanted);
    // Where another thread records that event now, this one has its own.
    if (!status && wanted > t.done) status = batch ? await(t, *batch) : await_own(t);
    if (!status) t.done = std::max(t.done, wanted);
  }
  return PyLong_FromLong(status);
}

// The names of what may still run, in the order of the launches.
PyObject* track_running(PyObject* self, PyObject*) {
  Track& t = *as_track(self);
  const Ref all = Ref::steal(PyList_New(0));
  const auto add = [&](const Batch& batch) {
    bool first = true;
    for (PyObject* object : batch.kept) {
      if (first && PyList_Append(all.get(), object) < 0) return false;
      first = !object;
    }
    return true;
  };
  if (!all) return nullptr;
  for (const Batch& batch : t.recorded)
    if (!add(batch)) return nullptr;
  return add(t.open) ? Py_NewRef(all.get()) : nullptr;
}

// Lets go of everything: the device has failed, and what it had is gone.
PyObject* track_abandon(PyObject* self, PyObject*) {
  Track& t = *as_track(self);
  std::deque<Batch> batches;
  batches.swap(t.recorded);
  batches.push_back(std::move(t.open));
  t.open = Batch();
  t.done = t.launched;
  for (Batch& batch : batches) {
    if (batch.event && !batch.users) {
      const Unlocked unlocked;
      t.driver.drop_event(batch.event);
    }
    end(std::move(batch));
  }
  Py_RETURN_NONE;
}

PyMethodDef methods[] = {
    {"close", track_close, METH_NOARGS, "Put an event behind what was launched; the status."},
    {"collect", track_collect, METH_NOARGS, "Let go of what has run; the status."},
    {"keep", track_keep, METH_VARARGS, "Keep what a launch needs; the status, and what stands for it."},
    {"recorded", track_recorded, METH_O, "What stands for a launch that a graph has recorded."},
    {"wait", track_wait, METH_O, "Wait for a launch, by its number; the status."},
    {"running", track_running, METH_NOARGS, "What may still run."},
    {"abandon", track_abandon, METH_NOARGS, "Let go of everything."},
    {}};

PyMemberDef members[] = {
    {"launched", T_ULONGLONG, offsetof(Track, launched), READONLY, "The number of the last launch."},
    {"done", T_ULONGLONG, offsetof(Track, done), READONLY, "The last one that is known to have run."},
    {}};

PyType_Slot slots[] = {
    {Py_tp_new, reinterpret_cast<void*>(track_new)},
    {Py_tp_dealloc, reinterpret_cast<void*>(track_dealloc)},
    {Py_tp_methods, methods},
    {Py_tp_members, members},
    {Py_tp_doc, const_cast<char*>("What has been launched on a stream and may still run.")},
    {}};

PyType_Spec spec = {"samebytes._native.Track", sizeof(Track), 0,
                    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE, slots};

}  // namespace

void Kept::grow(ptrdiff_t count) {
  const ptrdiff_t held = next_ - first_, all = 2 * held + count + 250;
  auto* const moved =
      static_cast<PyObject**>(std::realloc(first_, static_cast<size_t>(all) * sizeof *first_));
  if (!moved) Py_FatalError("no memory for what keeps a launch's arrays");
  first_ = moved, next_ = moved + held, end_ = moved + all;
}

int32_t close_and_collect(Track& t) {
  const int32_t status = close(t);
  return status ? status : collect(t);
}

int add_tracks(PyObject* module) {
  track_type = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&spec));
  if (!track_type || add_pending_type(module) < 0 || add_recorded(module) < 0) return -1;
  return PyModule_AddObjectRef(module, "Track", reinterpret_cast<PyObject*>(track_type));
}

}  // namespace samebytes
