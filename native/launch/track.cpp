// Tracks: see launch/track.hpp. Whatever dies with what a batch keeps may run Python code, which may launch:
// a batch leaves its track before it ends.
#include "launch/track.hpp"

#include <new>
#include <vector>

#include "launch/pending.hpp"
#include "structmember.h"

namespace samebytes {

PyTypeObject* track_type;

namespace {

constexpr unsigned kWithoutTiming = 2;  // CU_EVENT_DISABLE_TIMING, hipEventDisableTiming
constexpr Result kNotReady = 600;       // CUDA_ERROR_NOT_READY, hipErrorNotReady

void end(Batch&& batch) {
  const Kept kept = std::move(batch.kept);
  for (PyObject* object : kept) Py_XDECREF(object);
}

// Puts an event behind what was launched since the last one.
int32_t close(Track& t) {
  if (!t.open.count) return 0;
  Entered entered(t.driver, t.context);
  if (const Result code = entered.status()) return status_of(code, kEnter);
  Result code = t.driver.make_event(&t.open.event, kWithoutTiming);
  if (!code && (code = t.driver.record(t.open.event, t.stream))) t.driver.drop_event(t.open.event);
  if (code) return t.open.event = nullptr, status_of(code, kRecord);
  t.recorded.push_back(std::move(t.open));
  t.open = Batch();
  return 0;
}

// Takes from a track what has run, to be ended where the track is whole again.
int32_t take_done(Track& t, std::vector<Batch>& ended) {
  if (t.recorded.empty()) return 0;
  Entered entered(t.driver, t.context);
  if (const Result code = entered.status()) return status_of(code, kEnter);
  while (!t.recorded.empty() && !t.recorded.front().waiting) {
    Batch& first = t.recorded.front();
    const Result code = t.driver.ask(first.event);
    if (code == kNotReady) return 0;
    if (code) return status_of(code, kAsk);
    t.driver.drop_event(first.event);
    t.done = first.last;
    ended.push_back(std::move(first));
    t.recorded.pop_front();
  }
  return 0;
}

int32_t collect(Track& t) {
  std::vector<Batch> ended;
  const int32_t status = take_done(t, ended);
  for (Batch& batch : ended) end(std::move(batch));
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
  const int32_t status =
      keep(t, launch, &PyTuple_GET_ITEM(owners, 0), static_cast<int>(PyTuple_GET_SIZE(owners)));
  const Ref pending = Ref::steal(new_pending(t, launch));
  return pending ? Py_BuildValue("iO", status, pending.get()) : nullptr;
}

// Waits without the GIL for the event behind a launch; the event stays meanwhile.
PyObject* track_wait(PyObject* self, PyObject* number) {
  Track& t = *as_track(self);
  const uint64_t wanted = PyLong_AsUnsignedLongLong(number);
  if (PyErr_Occurred()) return nullptr;
  if (wanted <= t.done) return PyLong_FromLong(0);
  int32_t status = 0;
  const bool has_event = !t.recorded.empty() && wanted <= t.recorded.back().last;
  if (!has_event && (status = close(t))) return PyLong_FromLong(status);
  // No other batch is taken out before one that is waited for, and a deque moves none.
  for (Batch& batch : t.recorded) {
    if (batch.last < wanted) continue;
    const Driver driver = t.driver;
    void *const event = batch.event, *const context = t.context;
    const uint64_t last = batch.last;
    ++batch.waiting;
    Py_BEGIN_ALLOW_THREADS;
    Entered entered(driver, context);
    status = status_of(entered.status(), kEnter);
    if (!status) status = status_of(driver.await_event(event), kAwait);
    Py_END_ALLOW_THREADS;
    for (Batch& still : t.recorded)
      if (still.last == last) --still.waiting;
    break;
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
    if (batch.event && !batch.waiting) t.driver.drop_event(batch.event);
    end(std::move(batch));
  }
  Py_RETURN_NONE;
}

PyMethodDef methods[] = {
    {"close", track_close, METH_NOARGS, "Put an event behind what was launched; the status."},
    {"collect", track_collect, METH_NOARGS, "Let go of what has run; the status."},
    {"keep", track_keep, METH_VARARGS, "Keep what a launch needs; the status, and what stands for it."},
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
  if (!track_type || add_pending_type(module) < 0) return -1;
  return PyModule_AddObjectRef(module, "Track", reinterpret_cast<PyObject*>(track_type));
}

}  // namespace samebytes
