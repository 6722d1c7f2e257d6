// A launch as Python calls it. Numbers, and arrays of the device that have or are views, go from here to the
// driver; whatever else an argument may be, and all errors, are for the plan of the kernel, as in any call.
#include "launch/launching.hpp"

#include <algorithm>

#include "array/extents.hpp"
#include "call/running.hpp"
#include "call/shim_call.hpp"
#include "call/tier2_unrolled.hpp"
#include "call/unlocked.hpp"
#include "codec/numbers.hpp"
#include "launch/pending.hpp"
#include "structmember.h"
#include "view/view.hpp"

namespace samebytes {

namespace {

constexpr int kMet = 6;

struct Launching {
  PyObject_HEAD vectorcallfunc call;
  const DeviceLaunch* launch;  // of the one kernel with all its arguments; null: Python chooses among several
  PyObject* held;              // where `launch` lies
  PyObject* codecs;            // of the parameters, a tuple; null: this file takes none of its calls
  PyObject* track;             // null: a call returns when the kernel has run
  int memory, device, count;   // DLPack's number of what the device reads, and the device's
  int captures;                // whether its stream may be captured into a graph
  int releases;                // the GIL, in each launch that is not waited for
  int follows;                 // the current stream of the arrays' libraries, where they have one ...
  PyTypeObject* plain[kMet];   // ... which these, of which there are `met`, have not
  int met;
  Shim shim;
  const Codec* parameters[kMostUnrolled];
};

Launching* as_launching(PyObject* object) { return reinterpret_cast<Launching*>(object); }

PyObject *general_name, *failed_name;

// By the plan: self._general(*args, **kwargs).
__attribute__((noinline)) PyObject* call_general(PyObject* self, PyObject* const* args, Py_ssize_t nargs,
                                                 PyObject* kwnames) {
  const Py_ssize_t all = nargs + (kwnames ? PyTuple_GET_SIZE(kwnames) : 0);
  PyObject* few[17];
  PyObject** items = all < 17 ? few : PyMem_New(PyObject*, all + 1);
  if (!items) return PyErr_NoMemory();
  items[0] = self;
  std::copy_n(args, all, items + 1);
  PyObject* const made = PyObject_VectorcallMethod(general_name, items, nargs + 1, kwnames);
  if (items != few) PyMem_Free(items);
  return made;
}

__attribute__((noinline)) PyObject* fail(PyObject* self, int32_t status) {
  const Ref number = Ref::steal(PyLong_FromLong(status));
  const Ref raised =
      Ref::steal(number ? PyObject_CallMethodOneArg(self, failed_name, number.get()) : nullptr);
  if (raised) PyErr_SetString(PyExc_SystemError, "what words a failure raises");
  return nullptr;
}

// Views that were made for a call, which end with it.
class Made {
 public:
  Made() = default;
  Made(const Made&) = delete;
  Made& operator=(const Made&) = delete;
  ~Made() {
    while (count_) Py_DECREF(views_[--count_]);
  }
  PyObject* add(PyObject* view) { return view ? views_[count_++] = view : nullptr; }

 private:
  int count_ = 0;
  PyObject* views_[kMostUnrolled];
};

// The view of an object of another class, as its route shows it; null: Python looks at it.
__attribute__((noinline)) PyObject* view_of(const Launching& l, PyObject* object, Made& made) {
  PyObject* found;
  if (is_shown_class(Py_TYPE(object))) {
    found = as_shown(object)->array;
  } else {
    bool plain = !l.follows;
    for (int i = 0; !plain && i < l.met; ++i) plain = l.plain[i] == Py_TYPE(object);
    if (!plain) return nullptr;
    const Route* const route = find_route(Py_TYPE(object));
    const Showing* const showing = route ? route->showing.load(std::memory_order_acquire) : nullptr;
    if (!showing || showing == &kShowView) return nullptr;
    found = made.add(showing->make(object, *route));
  }
  return found && Py_TYPE(found) == array_view.load(std::memory_order_acquire) ? found : nullptr;
}

// The view of an array that the kernel may read or write so, borrowed, or held by `made`; null: Python looks
// at it. With it no library's stream is to be waited for.
SAMEBYTES_INLINE PyObject* device_view(const Launching& l, const Codec& codec, PyObject* object, Made& made) {
  PyObject* found = object;
  if (unlikely(Py_TYPE(object) != array_view.load(std::memory_order_acquire)) &&
      !(found = view_of(l, object, made)))
    return nullptr;
  const View& v = *as_view(found);
  const ArraySpec& need = codec.array;
  if (v.device_type != l.memory || v.device_id != l.device || v.stream || !v.c_order ||
      !is_aligned(need, v.data) || !is_element(need, v.elements->dl) ||
      (need.writable && (v.readonly || v.overlap != Overlap::no)))
    return nullptr;
  // Autograd is to be told of what is written: the plan does that.
  if (unlikely(tensors_are_met) && need.writable && shows_tensor(object)) return nullptr;
  return found;
}

// Whether a stream is captured into a graph, or the driver does not say.
SAMEBYTES_INLINE bool is_captured(const Driver& driver, void* stream, int& captured) {
  if (driver.is_capturing(stream, &captured)) captured = 1;
  return captured != 0;
}

// The status of a launch without waiting; nothing is launched where its stream is captured into a graph.
SAMEBYTES_INLINE int32_t launched_on(const Track& track, const DeviceLaunch& launch, void** parameters,
                                     int& captured) {
  if (track.captures && is_captured(track.driver, track.stream, captured)) return 0;
  return launched_at_once(launch, parameters);
}

constexpr int kSlot = 16;  // bytes: the widest number

PyObject* call_launching(PyObject* self, PyObject* const* args, size_t nargsf, PyObject* kwnames) {
  const Launching& l = *as_launching(self);
  const Py_ssize_t nargs = PyVectorcall_NARGS(nargsf);
  if (unlikely(kwnames || nargs != l.count || !l.codecs)) return call_general(self, args, nargs, kwnames);
  alignas(kSlot) char frame[kMostUnrolled * kSlot];
  void* argv[kMostUnrolled + 2];
  PyObject* owners[kMostUnrolled];
  Made made;
  int owned = 0;
  for (int i = 0; i < l.count; ++i) {
    const Codec& codec = *l.parameters[i];
    char* const slot = frame + i * kSlot;
    argv[i + 1] = slot;
    bool fits;
    if (codec.kind == Kind::pointer) {
      PyObject* const view = device_view(l, codec, args[i], made);
      fits = view != nullptr;
      if (fits) store(slot, as_view(view)->data), owners[owned++] = view;
    } else {
      fits = accept_number(codec.kind, codec.scalar, args[i], slot);
    }
    if (unlikely(!fits)) return PyErr_Occurred() ? nullptr : call_general(self, args, nargs, nullptr);
  }
  int32_t status = 0;
  argv[0] = const_cast<const DeviceLaunch**>(&l.launch);
  argv[l.count + 1] = &status;
  int captured = 0;
  if (!l.track) {
    const Running running(args, nargs, nullptr);
    PyThreadState* const state = PyEval_SaveThread();
    if (!l.captures || !is_captured(l.launch->driver, l.launch->stream, captured)) l.shim(argv);
    PyEval_RestoreThread(state);
    if (unlikely(captured)) return call_general(self, args, nargs, nullptr);
    if (unlikely(status)) return fail(self, status);
    Py_RETURN_NONE;
  }
  Track& track = *as_track(l.track);
  if (likely(l.releases) || may_block(track)) {
    const Running running(args, nargs, nullptr);
    PyThreadState* const state = PyEval_SaveThread();
    status = launched_on(track, *l.launch, argv + 1, captured);
    PyEval_RestoreThread(state);
  } else {
    status = launched_on(track, *l.launch, argv + 1, captured);
  }
  if (unlikely(captured)) return call_general(self, args, nargs, nullptr);
  if (unlikely(status)) return fail(self, status);
  const bool due = keep(track, self, owners, owned);
  const Ref pending = Ref::steal(new_pending(track.launched, self));
  if (unlikely(due) && (status = close_and_collect(track))) return fail(self, status);
  return Py_XNewRef(pending.get());
}

// _prepare(launch's address, what holds it, the codecs of its parameters or None, the kind of its memory, the
// device, its Track or None, the shim, whether its stream is the arrays', whether it releases the GIL)
PyObject* prepare(PyObject* self, PyObject* args) {
  Launching& l = *as_launching(self);
  PyObject *held, *codecs, *track;
  unsigned long long launch, shim;
  int memory, device, follows, releases;
  if (!PyArg_ParseTuple(args, "KOOiiOKpp:_prepare", &launch, &held, &codecs, &memory, &device, &track, &shim,
                        &follows, &releases))
    return nullptr;
  if (track != Py_None && !PyObject_TypeCheck(track, track_type))
    return PyErr_SetString(PyExc_TypeError, "_prepare() takes a Track or None"), nullptr;
  l.launch = reinterpret_cast<const DeviceLaunch*>(launch);
  l.shim = reinterpret_cast<Shim>(shim);
  l.follows = follows, l.releases = releases;
  l.memory = memory, l.device = device;
  l.captures = reinterpret_cast<uintptr_t>(l.launch->stream) > 1;  // 0, CU_STREAM_LEGACY: never
  Py_XSETREF(l.held, Py_NewRef(held));
  Py_XSETREF(l.track, track == Py_None ? nullptr : Py_NewRef(track));
  Py_CLEAR(l.codecs);
  if (codecs == Py_None) Py_RETURN_NONE;
  if (!PyTuple_CheckExact(codecs) || PyTuple_GET_SIZE(codecs) > kMostUnrolled)
    return PyErr_SetString(PyExc_TypeError, "_prepare() takes a tuple of a few codecs, or None"), nullptr;
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(codecs); ++i) {
    PyObject* const item = PyTuple_GET_ITEM(codecs, i);
    if (!is_codec(item) || !(is_number(as_codec(item)->kind) || as_codec(item)->kind == Kind::pointer))
      return PyErr_SetString(PyExc_TypeError, "_prepare() takes codecs of numbers and pointers"), nullptr;
    l.parameters[i] = as_codec(item);
  }
  l.count = static_cast<int>(PyTuple_GET_SIZE(codecs));
  l.codecs = Py_NewRef(codecs);
  Py_RETURN_NONE;
}

// Remembers classes whose library has no current stream.
PyObject* meets(PyObject* self, PyObject* classes) {
  Launching& l = *as_launching(self);
  if (!PyList_CheckExact(classes))
    return PyErr_SetString(PyExc_TypeError, "_meets() takes a list of classes"), nullptr;
  for (Py_ssize_t i = 0; i < PyList_GET_SIZE(classes); ++i) {
    auto* const type = reinterpret_cast<PyTypeObject*>(PyList_GET_ITEM(classes, i));
    bool known = !PyType_Check(type) || l.met == kMet;
    for (int j = 0; j < l.met; ++j) known |= l.plain[j] == type;
    if (!known) l.plain[l.met++] = reinterpret_cast<PyTypeObject*>(Py_NewRef(type));
  }
  Py_RETURN_NONE;
}

PyObject* launching_new(PyTypeObject* type, PyObject*, PyObject*) {
  PyObject* const made = type->tp_alloc(type, 0);
  if (made) as_launching(made)->call = call_launching;
  return made;
}

int traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  Py_VISIT(as_launching(self)->held);
  Py_VISIT(as_launching(self)->codecs);
  Py_VISIT(as_launching(self)->track);
  for (int i = 0; i < as_launching(self)->met; ++i) Py_VISIT(as_launching(self)->plain[i]);
  return 0;
}

int clear(PyObject* self) {
  as_launching(self)->count = 0;
  Py_CLEAR(as_launching(self)->codecs);  // from here on Python takes its calls, and finds nothing
  Py_CLEAR(as_launching(self)->held);
  Py_CLEAR(as_launching(self)->track);
  while (as_launching(self)->met) Py_DECREF(as_launching(self)->plain[--as_launching(self)->met]);
  return 0;
}

void dealloc(PyObject* self) {
  PyTypeObject* const type = Py_TYPE(self);
  PyObject_GC_UnTrack(self);
  clear(self);
  type->tp_free(self);
  Py_DECREF(type);
}

PyMethodDef methods[] = {{"_prepare", prepare, METH_VARARGS, "Say what a call launches."},
                         {"_meets", meets, METH_O, "Remember classes without a current stream."},
                         {}};

PyMemberDef members[] = {{"__vectorcalloffset__", T_PYSSIZET, offsetof(Launching, call), READONLY, nullptr},
                         {"_track", T_OBJECT, offsetof(Launching, track), READONLY, nullptr},
                         {}};

PyType_Slot slots[] = {{Py_tp_new, reinterpret_cast<void*>(launching_new)},
                       {Py_tp_dealloc, reinterpret_cast<void*>(dealloc)},
                       {Py_tp_traverse, reinterpret_cast<void*>(traverse)},
                       {Py_tp_clear, reinterpret_cast<void*>(clear)},
                       {Py_tp_call, reinterpret_cast<void*>(PyVectorcall_Call)},
                       {Py_tp_methods, methods},
                       {Py_tp_members, members},
                       {Py_tp_doc, const_cast<char*>("What launches a kernel when it is called.")},
                       {}};

PyType_Spec spec = {"samebytes._native.Launching", sizeof(Launching), 0,
                    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_IMMUTABLETYPE |
                        Py_TPFLAGS_HAVE_VECTORCALL,
                    slots};

// Of a class of Python's, too, CPython calls the core's function directly: before 3.12 none inherits that.
PyObject* call_directly(PyObject*, PyObject* given) {
  auto* const type = reinterpret_cast<PyTypeObject*>(given);
  if (!PyType_Check(given) || type->tp_vectorcall_offset != offsetof(Launching, call) ||
      type->tp_call != PyVectorcall_Call)
    return PyErr_SetString(PyExc_TypeError, "call_directly() takes a class of launches without a __call__()"),
           nullptr;
  type->tp_flags |= Py_TPFLAGS_HAVE_VECTORCALL;
  PyType_Modified(type);
  return Py_NewRef(given);
}

PyMethodDef functions[] = {{"call_directly", call_directly, METH_O,
                            "call_directly(cls, /)\n--\n\nLet CPython call a class's launches directly."},
                           {}};

}  // namespace

int add_launching(PyObject* module) {
  general_name = PyUnicode_InternFromString("_general");
  failed_name = PyUnicode_InternFromString("_failed");
  auto* const type = general_name && failed_name ? PyType_FromSpec(&spec) : nullptr;
  if (!type || PyModule_AddFunctions(module, functions) < 0) return -1;
  return PyModule_AddObjectRef(module, "Launching", type);
}

}  // namespace samebytes
