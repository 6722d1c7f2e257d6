// The Python type Handle: see object/handle.hpp.
#include "object/handle.hpp"

#include <cstring>
#include <utility>

#include "call/pending.hpp"
#include "call/running.hpp"
#include "call/scope.hpp"
#include "call/seen.hpp"
#include "call/thrown.hpp"
#include "free_list.hpp"
#include "object/dependents.hpp"
#include "object/gone.hpp"
#include "object/ledger.hpp"
#include "object/overriding.hpp"
#include "object/shown_copy.hpp"
#include "object/smart_pointer.hpp"

namespace samebytes {

PyTypeObject* handle_type;

namespace {

constexpr Py_ssize_t kFreeAlignment = 16;  // bytes; what CPython's allocator gives
static_assert(offsetof(Handle, dependent) == offsetof(Instance, dependent),
              "a handle begins like an instance");
static_assert(offsetof(Handle, weak_references) == offsetof(Record, weak_references),
              "a handle begins like a record");
static_assert(sizeof(Handle) <= kOwnBytesReach, "has_own_bytes() knows an inline payload");
static_assert(sizeof(Handle) % kFreeAlignment == 0, "an inline payload begins right after the struct");

SizedFreeList spare;

Handle* allocate(PyTypeObject* type, Py_ssize_t size, Py_ssize_t extra) {
  if (unlikely(type->tp_basicsize != sizeof(Handle) || type->tp_dictoffset)) {
    PyErr_Format(PyExc_TypeError, "class %s needs __slots__ = (): its instances are C++ objects",
                 type->tp_name);
    return nullptr;
  }
  const uint8_t bucket = SizedFreeList::bucket(sizeof(Handle) + extra);
  auto* self = reinterpret_cast<Handle*>(spare.take(type, bucket, size));
  if (unlikely(!self)) {
    // As large as any of its bucket.
    self = PyObject_GC_NewVar(Handle, type, bucket ? SizedFreeList::room(bucket) - sizeof(Handle) : extra);
    if (!self) return nullptr;
    Py_SET_SIZE(self, size);
  }
  self->bucket = bucket;
  self->owner = nullptr;
  self->pointee_owners = nullptr;
  self->dependent = {};
  self->weak_references = nullptr;
  self->destroy = nullptr;
  self->is_const = false;
  self->heap = self->claimed = self->overriding = self->watched = self->given = false;
  self->copied = self->unmade = false;
  self->viewed = false;
  self->shares = 0;
  self->attributes = nullptr;
  return self;
}

void destroy(Handle* self) {
  const Shim shim = std::exchange(self->destroy, nullptr);
  if (!shim) return;
  forget_overriding(reinterpret_cast<PyObject*>(self));
  const PendingException pending;
  const NoThrow nothrow;
  void* argv[] = {self->data};
  shim(argv);
}

// What such a cycle has beside an object whose class has a __del__: see finalize_by_python().
struct LaterEnd {
  PyObject_HEAD PyObject* handle;  // strong
};
PyTypeObject* later_end_type;

int later_end_traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  Py_VISIT(reinterpret_cast<LaterEnd*>(self)->handle);
  return 0;
}

int later_end_clear(PyObject* self) {
  Py_CLEAR(reinterpret_cast<LaterEnd*>(self)->handle);
  return 0;
}

// Nobody reaches the object any more, and every __del__ has run.
void later_end_finalize(PyObject* self) {
  PyObject* const handle = reinterpret_cast<LaterEnd*>(self)->handle;
  if (!handle || !as_handle(handle)->destroy) return;
  destroy(as_handle(handle));
  Py_SET_SIZE(handle, 0);
}

void later_end_dealloc(PyObject* self) {
  PyTypeObject* const type = Py_TYPE(self);
  PyObject_GC_UnTrack(self);
  Py_XDECREF(reinterpret_cast<LaterEnd*>(self)->handle);
  type->tp_free(self);
  Py_DECREF(type);
}

PyType_Slot later_end_slots[] = {{Py_tp_dealloc, reinterpret_cast<void*>(later_end_dealloc)},
                                 {Py_tp_traverse, reinterpret_cast<void*>(later_end_traverse)},
                                 {Py_tp_clear, reinterpret_cast<void*>(later_end_clear)},
                                 {Py_tp_finalize, reinterpret_cast<void*>(later_end_finalize)},
                                 {}};
PyType_Spec later_end_spec = {
    "samebytes._native.LaterEnd", sizeof(LaterEnd), 0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_IMMUTABLETYPE | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    later_end_slots};

// Has the object refer to what ends it at the next collection. False: exception set.
bool end_later(PyObject* self) {
  const Ref end = Ref::steal(later_end_type->tp_alloc(later_end_type, 0));
  if (!end) return false;
  reinterpret_cast<LaterEnd*>(end.get())->handle = Py_NewRef(self);
  PyObject* const owner = as_handle(self)->owner;
  Ref both = owner ? Ref::steal(PyTuple_Pack(2, owner, end.get())) : Ref::steal(PyTuple_Pack(1, end.get()));
  if (!both) return false;
  const Ref before = Ref::steal(std::exchange(as_handle(self)->owner, both.release()));
  return true;
}

// In a cycle of references that dies, what the C++ object refers to is cleared in any order: its callbacks,
// the memory of its pointers, what Python's class keeps for it. So the object dies before that; a handle
// without size is none to anybody.
void handle_finalize(PyObject* self) {
  const Handle* const handle = as_handle(self);
  if (!handle->destroy || !(handle->owner || handle->attributes || handle->pointee_owners)) return;
  destroy(as_handle(self));
  Py_SET_SIZE(self, 0);
}

destructor python_finalize = nullptr;  // CPython's way to a __del__

// A class with a __del__ may use the object there, and others' as well; so the object outlives all of them,
// and the collection: it dies at the beginning of the next one that finds it unreachable.
void finalize_by_python(PyObject* self) {
  const bool collected = Py_REFCNT(self) > 1;  // whoever deallocates it has the only reference
  python_finalize(self);
  if (!collected || !as_handle(self)->destroy) return;
  const PendingException pending;
  if (!end_later(self)) PyErr_WriteUnraisable(self);
}

// Where a class gets its __del__, nobody tells: it is seen here, before the collector asks for the finaliser.
int handle_traverse(PyObject* self, visitproc visit, void* arg) {
  PyTypeObject* const type = Py_TYPE(self);
  if (unlikely(type->tp_finalize != handle_finalize && type->tp_finalize != finalize_by_python)) {
    python_finalize = type->tp_finalize;
    type->tp_finalize = finalize_by_python;
  }
  Py_VISIT(type);
  Py_VISIT(as_handle(self)->owner);
  Py_VISIT(as_handle(self)->attributes);
  // What C++ shares may refer to them when Python's objects are garbage: so they are none.
  if (!is_shared(self)) Py_VISIT(as_handle(self)->pointee_owners);
  return 0;
}

// As for records: the owner never changes, so it closes no cycle by itself.
int handle_clear(PyObject* self) {
  if (unlikely(ledger_in_use)) leave_ledger(self, false);
  Py_CLEAR(as_handle(self)->pointee_owners);
  Py_CLEAR(as_handle(self)->attributes);
  return 0;
}

void release(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  const bool ends = as_handle(self)->destroy != nullptr;
  destroy(as_handle(self));
  if (unlikely(ledger_in_use)) {
    leave_ledger(self, ends);
    forget_remains(as_instance(self));
  }
  if (unlikely(!as_handle(self)->data)) forget_why(self);
  if (as_handle(self)->owner) forget_seen(self);
  Py_XDECREF(as_handle(self)->owner);
  Py_XDECREF(as_handle(self)->pointee_owners);
  Py_XDECREF(as_handle(self)->attributes);
  if (!spare.give(self, as_handle(self)->bucket)) type->tp_free(self);
  Py_DECREF(type);
}

// Classes that dies_directly() chose come here at once, the others by way of Python's own deallocation.
// Handles may own each other in long chains: the trashcan lets go of them without recursion.
void handle_dealloc(PyObject* self) {
  const PyTypeObject* const type = Py_TYPE(self);
  const bool own_end = type->tp_finalize != handle_finalize && type->tp_finalize;
  if (unlikely(own_end && type->tp_dealloc == handle_dealloc) && PyObject_CallFinalizerFromDealloc(self) < 0)
    return;
  PyObject_GC_UnTrack(self);
  if (unlikely(as_handle(self)->weak_references != nullptr)) PyObject_ClearWeakRefs(self);
  delist(as_instance(self));
  const Handle* const handle = as_handle(self);
  if (likely(!handle->owner && !handle->pointee_owners && !handle->attributes)) return release(self);
  Py_TRASHCAN_BEGIN(self, handle_dealloc);
  release(self);
  Py_TRASHCAN_END;
}

// One C++ object may have several views.
PyObject* handle_compare(PyObject* self, PyObject* other, int operation) {
  const bool comparable = (operation == Py_EQ || operation == Py_NE) && is_handle_class(Py_TYPE(other));
  if (!comparable) Py_RETURN_NOTIMPLEMENTED;
  const bool related =
      PyType_IsSubtype(Py_TYPE(self), Py_TYPE(other)) || PyType_IsSubtype(Py_TYPE(other), Py_TYPE(self));
  const bool equal = related && as_handle(self)->data == as_handle(other)->data;
  return PyBool_FromLong(equal == (operation == Py_EQ));
}

Py_hash_t handle_hash(PyObject* self) {
  const auto hash = static_cast<Py_hash_t>(reinterpret_cast<uintptr_t>(as_handle(self)->data) >> 4);
  return hash == -1 ? -2 : hash;
}

int refuse_buffer(PyObject* self, Py_buffer* view, int) {
  view->obj = nullptr;
  PyErr_Format(PyExc_BufferError, "%s objects are C++ objects and no bytes", Py_TYPE(self)->tp_name);
  return -1;
}

PyObject* refuse_bytes(PyObject* self, PyObject*, PyObject*) {
  auto* type = PyType_Check(self) ? reinterpret_cast<PyTypeObject*>(self) : Py_TYPE(self);
  return PyErr_Format(PyExc_TypeError,
                      "%s objects are C++ objects and no bytes: only C++ makes and copies one",
                      type->tp_name);
}

PyObject* handle_view(PyObject* type, PyObject* args, PyObject* kwargs) {
  static const char* names[] = {"address", "owner", "const", "exact", nullptr};
  PyObject *address, *owner;
  int is_const = 0, exact = 0;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "OO|pp:__samebytes_view__", const_cast<char**>(names),
                                   &address, &owner, &is_const, &exact))
    return nullptr;
  const Ref number = Ref::steal(PyNumber_Index(address));
  auto* data = number ? static_cast<char*>(PyLong_AsVoidPtr(number.get())) : nullptr;
  if (PyErr_Occurred()) return nullptr;
  if (!data) return PyErr_SetString(PyExc_ValueError, "a handle cannot view the null address"), nullptr;
  const Ref codec = class_codec(reinterpret_cast<PyTypeObject*>(type));
  if (!codec || !check_there(owner)) return nullptr;
  const Running running(&owner, 1, nullptr);  // the garbage collector may run Python code
  return view_object(*reinterpret_cast<Codec*>(codec.get()), data, owner == Py_None ? nullptr : owner,
                     is_const, exact);
}

PyObject* handle_const(PyObject* self, void*) {
  return PyBool_FromLong(as_handle(self)->is_const || as_handle(self)->copied);
}

PyObject* handle_destroyed(PyObject* self, void*) {
  return PyBool_FromLong(!Py_SIZE(self) && !is_taken(self));
}

PyObject* handle_taken(PyObject* self, void*) { return PyBool_FromLong(is_taken(self)); }

PyObject* handle_unmade(PyObject* self, void*) { return PyBool_FromLong(as_handle(self)->unmade); }

PyObject* handle_awaits(PyObject* self, void*) {
  const Handle* const handle = as_handle(self);
  return PyBool_FromLong(handle->unmade && handle->data && !handle->claimed);
}

PyGetSetDef handle_getset[] = {
    {"__samebytes_destroyed__", handle_destroyed, nullptr,
     "Whether the object died before the handle, in a cycle of references.", nullptr},
    {"__samebytes_taken__", handle_taken, nullptr, "Whether C++ has taken the object over, or is about to.",
     nullptr},
    {"__samebytes_pending__", handle_unmade, nullptr,
     "Whether an __init__ of Python's has still to have C++'s constructor make the object.", nullptr},
    {"__samebytes_awaits__", handle_awaits, nullptr,
     "Whether the arguments of the constructor that makes the object are being read.", nullptr},
    {"__samebytes_const__", handle_const, nullptr, "Whether C++ gave the object as const, or as a copy.",
     nullptr},
    {}};

PyCFunction with_keywords(PyObject* (*function)(PyObject*, PyObject*, PyObject*)) {
  return reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(function));
}

constexpr int kOnClass = METH_VARARGS | METH_KEYWORDS | METH_CLASS;
PyMethodDef handle_methods[] = {
    {"__samebytes_from_buffer__", with_keywords(refuse_bytes), kOnClass, nullptr},
    {"__samebytes_make__", with_keywords(refuse_bytes), kOnClass, nullptr},
    {"__samebytes_snapshot__", with_keywords(refuse_bytes), METH_VARARGS | METH_KEYWORDS, nullptr},
    {"__samebytes_view__", with_keywords(handle_view), kOnClass,
     "__samebytes_view__($type, address, owner, const=False, exact=False)\n--\n\nThe object at `address`, "
     "which `owner` "
     "keeps alive."},
    {}};

PyType_Slot handle_slots[] = {
    {Py_tp_dealloc, reinterpret_cast<void*>(handle_dealloc)},
    {Py_tp_traverse, reinterpret_cast<void*>(handle_traverse)},
    {Py_tp_clear, reinterpret_cast<void*>(handle_clear)},
    {Py_tp_finalize, reinterpret_cast<void*>(handle_finalize)},
    {Py_tp_richcompare, reinterpret_cast<void*>(handle_compare)},
    {Py_tp_hash, reinterpret_cast<void*>(handle_hash)},
    {Py_tp_getset, handle_getset},
    {Py_tp_methods, handle_methods},
    {Py_bf_getbuffer, reinterpret_cast<void*>(refuse_buffer)},
    {Py_tp_doc, const_cast<char*>("A C++ object that is no bytes; classes derive from it.")},
    {}};

PyType_Spec handle_spec = {
    "samebytes._native.Handle", sizeof(Handle), 1,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_IMMUTABLETYPE, handle_slots};

// In memory of C++'s own, which it can take over together with the object.
bool give_heap(Handle* self, const Codec& codec) {
  ShimError error;
  error.samebytes_code = 0;
  void* argv[] = {nullptr, &error};
  codec.room(argv);
  self->data = static_cast<char*>(argv[0]);
  self->heap = true;
  if (error.samebytes_code) return raise_shim_error(error, false), false;
  if (!self->data) return PyErr_NoMemory(), false;
  self->destroy = codec.unroom;
  std::memset(self->data, 0, codec.size);
  if (unlikely(ledger_in_use)) forget_in_cxx({self->data, codec.size});  // of an object that C++ has ended
  return true;
}

PyObject* new_on_heap(PyTypeObject* type, const Codec& codec) {
  Handle* self = allocate(type, codec.size, 0);
  if (!self) return nullptr;
  self->data = nullptr;
  Ref made = Ref::steal(reinterpret_cast<PyObject*>(self));
  PyObject_GC_Track(made.get());
  return give_heap(self, codec) ? made.release() : nullptr;
}

// In the handle itself.
void give_inline(Handle* self, const Codec& codec) {
  const uintptr_t mask = codec.align > kFreeAlignment ? codec.align - 1 : 0;
  self->data = reinterpret_cast<char*>((reinterpret_cast<uintptr_t>(self + 1) + mask) & ~mask);
  std::memset(self->data, 0, codec.size);
}

Handle* allocate_inline(PyTypeObject* type, const Codec& codec) {
  const bool wide = unlikely(codec.align > kFreeAlignment);
  return allocate(type, codec.size, wide ? codec.size + codec.align : codec.size);
}

// What an object of a base really is, as far as Python knows it; `data` becomes the address of that. Null:
// exception set.
const Codec* most_derived(const Codec& codec, char*& data) {
  void* argv[] = {data, nullptr};
  codec.dynamic(argv);
  const auto index = reinterpret_cast<intptr_t>(argv[1]);
  if (index < 0) return &codec;
  const auto cls = reinterpret_cast<PyTypeObject*>(PyTuple_GET_ITEM(codec.derived, index));
  const Ref found = class_codec(cls);
  if (!found) return nullptr;
  data = static_cast<char*>(argv[0]);
  return as_codec(found.get());  // its class keeps it
}

}  // namespace

PyObject* new_handle(PyTypeObject* type, const Codec& codec) {
  if (unlikely(codec.room != nullptr)) return new_on_heap(type, codec);
  Handle* self = allocate_inline(type, codec);
  if (!self) return nullptr;
  give_inline(self, codec);
  PyObject_GC_Track(reinterpret_cast<PyObject*>(self));
  return reinterpret_cast<PyObject*>(self);
}

PyObject* new_unmade(PyTypeObject* type, const Codec& codec) {
  Handle* self = codec.room ? allocate(type, codec.size, 0) : allocate_inline(type, codec);
  if (!self) return nullptr;
  self->data = nullptr;
  self->unmade = true;
  Py_SET_SIZE(self, 0);
  PyObject_GC_Track(reinterpret_cast<PyObject*>(self));
  return reinterpret_cast<PyObject*>(self);
}

bool give_room(PyObject* handle, const Codec& codec) {
  if (codec.room) return give_heap(as_handle(handle), codec);
  give_inline(as_handle(handle), codec);
  return true;
}

void take_room(PyObject* handle) {
  destroy(as_handle(handle));
  as_handle(handle)->data = nullptr;
  as_handle(handle)->claimed = false;
}

bool check_there(PyObject* owner) {
  if (!is_handle_class(Py_TYPE(owner)) || Py_SIZE(owner)) return true;
  PyObject* const why = why_gone(owner);
  if (as_handle(owner)->unmade)
    return PyErr_Format(PyExc_ValueError, "this '%s' object is not there yet: %U", Py_TYPE(owner)->tp_name,
                        why),
           false;
  if (why)
    return PyErr_Format(PyExc_ValueError, "this '%s' object is gone: %U", Py_TYPE(owner)->tp_name, why),
           false;
  const char* const how =
      is_taken(owner) ? "C++ has taken it over" : "it was destroyed with its cycle of references";
  return PyErr_Format(PyExc_ValueError, "this '%s' object is gone: %s", Py_TYPE(owner)->tp_name, how), false;
}

void complete_handle(PyObject* handle, const Codec& codec) {
  as_handle(handle)->destroy = codec.destroy;
  if (unlikely(as_handle(handle)->unmade)) {
    as_handle(handle)->unmade = as_handle(handle)->claimed = false;
    Py_SET_SIZE(handle, codec.size);
  }
  if (unlikely(Py_TYPE(handle) != codec.python)) know_derived(handle);
}

PyObject* view_object(const Codec& base, char* data, PyObject* owner, bool is_const, bool exact) {
  if (unlikely(overriding_is_known) && !exact && !is_const)
    if (PyObject* const known = overriding_at(data, base.python)) return Py_NewRef(known);
  const Codec* const derived = base.dynamic && !exact ? most_derived(base, data) : &base;
  if (!derived) return nullptr;
  const Codec& codec = *derived;
  if (!is_handle_class(codec.python)) {
    Ref view = Ref::steal(view_instance(codec.python, codec.size, data, owner));
    return view && is_const && !mark_const(view.get()) ? nullptr : view.release();
  }
  Handle* self = allocate(codec.python, codec.size, 0);
  if (!self) return nullptr;
  self->data = data;
  self->owner = Py_XNewRef(owner);
  if (owner) {
    enlist(as_instance(reinterpret_cast<PyObject*>(self)));
    note_viewed(owner);
  }
  self->is_const = is_const;
  PyObject_GC_Track(reinterpret_cast<PyObject*>(self));
  return reinterpret_cast<PyObject*>(self);
}

void dies_directly(PyTypeObject* type) {
  const bool plain = type->tp_basicsize == sizeof(Handle) && !type->tp_dictoffset;
  if (is_handle_class(type) && plain && !type->tp_del) type->tp_dealloc = handle_dealloc;
}

int add_handle_type(PyObject* module) {
  const Ref bases = Ref::steal(PyTuple_Pack(1, record_type));
  if (!bases) return -1;
  later_end_type = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&later_end_spec));
  if (!later_end_type) return -1;
  handle_type = reinterpret_cast<PyTypeObject*>(PyType_FromSpecWithBases(&handle_spec, bases.get()));
  return handle_type ? PyModule_AddObjectRef(module, "Handle", reinterpret_cast<PyObject*>(handle_type)) : -1;
}

}  // namespace samebytes
