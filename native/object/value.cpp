// The Python types Value (immutable) and Record (mutable, or a view): objects that are their C++ bytes.
#include <cstring>

#include "call/seen.hpp"
#include "codec/pointee_owners.hpp"
#include "object/construction.hpp"
#include "object/dependents.hpp"
#include "object/ledger.hpp"
#include "object/smart_pointer.hpp"
#include "structmember.h"

namespace samebytes {

PyTypeObject* value_type;
PyTypeObject* record_type;

namespace {

constexpr Py_ssize_t kFreeAlignment = 16;  // bytes; what CPython's allocator gives
static_assert(sizeof(Instance) % kFreeAlignment == 0, "an inline payload begins right after the struct");
static_assert(sizeof(Record) % kFreeAlignment == 0, "so does a record's");

Record* as_record(PyObject* object) { return reinterpret_cast<Record*>(object); }

// Of the two, records alone can be referred to weakly: so their classes are told apart at no cost.
bool is_record(const PyTypeObject* type) { return type->tp_weaklistoffset != 0; }

Py_ssize_t head_of(const PyTypeObject* type) { return is_record(type) ? sizeof(Record) : sizeof(Instance); }

// Uninitialised but for the head; `extra` bytes follow it.
Instance* allocate(PyTypeObject* type, Py_ssize_t extra) {
  if (unlikely(type->tp_basicsize != head_of(type) || type->tp_dictoffset)) {
    PyErr_Format(PyExc_TypeError, "class %s needs __slots__ = (): its instances are bytes", type->tp_name);
    return nullptr;
  }
  return PyObject_GC_NewVar(Instance, type, extra);
}

PyObject* finish(Instance* self, Py_ssize_t size, char* data, PyObject* owner) {
  Py_SET_SIZE(self, size);
  self->data = data;
  self->owner = Py_XNewRef(owner);
  self->pointee_owners = nullptr;
  self->dependent = {};
  auto* const object = reinterpret_cast<PyObject*>(self);
  if (is_record(Py_TYPE(object))) as_record(object)->weak_references = nullptr;
  if (owner) {
    enlist(self);
    note_viewed(owner);
  }
  PyObject_GC_Track(reinterpret_cast<PyObject*>(self));
  return reinterpret_cast<PyObject*>(self);
}

int instance_traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  Py_VISIT(as_instance(self)->owner);
  if (!is_shared(self)) Py_VISIT(as_instance(self)->pointee_owners);  // as a handle's
  return 0;
}

// The owner stays: it never changes, so it closes no cycle by itself, and the bytes may be its own.
int instance_clear(PyObject* self) {
  if (unlikely(ledger_in_use)) leave_ledger(self, false);
  Py_CLEAR(as_instance(self)->pointee_owners);
  return 0;
}

void instance_dealloc(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  PyObject_GC_UnTrack(self);
  if (is_record(type) && as_record(self)->weak_references) PyObject_ClearWeakRefs(self);
  delist(as_instance(self));
  if (unlikely(ledger_in_use)) {
    leave_ledger(self, false);
    forget_remains(as_instance(self));
  }
  Py_XDECREF(as_instance(self)->owner);
  Py_XDECREF(as_instance(self)->pointee_owners);
  type->tp_free(self);
  Py_DECREF(type);
}

PyObject* instance_address(PyObject* self, void*) { return PyLong_FromVoidPtr(as_instance(self)->data); }
PyObject* instance_owner(PyObject* self, void*) {
  PyObject* owner = as_instance(self)->owner;
  return owner ? without_remains(owner).release() : Py_NewRef(Py_None);
}

PyObject* instance_pointee_owners(PyObject* self, void*) {
  PyObject* owners = as_instance(self)->pointee_owners;
  return owners ? PyDict_Copy(owners) : PyDict_New();
}

PyObject* instance_snapshot(PyObject* self, PyObject*) { return snapshot(as_instance(self)); }

PyGetSetDef instance_getset[] = {
    {"__samebytes_address__", instance_address, nullptr, "Where the bytes are, as an int.", nullptr},
    {"__samebytes_owner__", instance_owner, nullptr,
     "What a view views, or what a result points into; or None.", nullptr},
    {"__samebytes_kept__", instance_pointee_owners, nullptr,
     "A copy of: (address, size) of bytes with pointers -> what keeps their targets.", nullptr},
    {"__class__", own_class, refuse_class, "The object's class, which is what its bytes are.", nullptr},
    {}};

PyCFunction with_keywords(PyObject* (*function)(PyObject*, PyObject*, PyObject*)) {
  return reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(function));
}

const char kSnapshot[] =
    "__samebytes_snapshot__($self, /)\n--\n\nA copy of the bytes, and {(offset, size): what their pointers "
    "point into}.";
const char kFromBuffer[] =
    "__samebytes_from_buffer__($type, buffer, offset=0)\n--\n\nA copy of the bytes that begin at `offset` "
    "(bytes).";

PyMethodDef value_methods[] = {{"__samebytes_from_buffer__", with_keywords(instance_from_buffer),
                                METH_VARARGS | METH_KEYWORDS | METH_CLASS, kFromBuffer},
                               {"__samebytes_snapshot__", instance_snapshot, METH_NOARGS, kSnapshot},
                               {}};

PyMethodDef record_methods[] = {
    {"__samebytes_from_buffer__", with_keywords(instance_from_buffer),
     METH_VARARGS | METH_KEYWORDS | METH_CLASS, kFromBuffer},
    {"__samebytes_snapshot__", instance_snapshot, METH_NOARGS, kSnapshot},
    {"__samebytes_construct__", record_construct, METH_VARARGS | METH_CLASS,
     "__samebytes_construct__($type, constructor, value, /)\n--\n\nAn object that one constructor of C++ "
     "makes of one "
     "value."},
    {"__samebytes_make__", record_make, METH_O | METH_CLASS,
     "__samebytes_make__($type, converted, /)\n--\n\nA record from its bytes, or (bytes, owner), without a "
     "constructor of "
     "C++."},
    {"__samebytes_view__", with_keywords(record_view), METH_VARARGS | METH_KEYWORDS | METH_CLASS,
     "__samebytes_view__($type, address, owner)\n--\n\nA record that is the memory at `address`, which "
     "`owner` keeps "
     "alive."},
    {}};

#define SAMEBYTES_INSTANCE_SLOTS                                    \
  {Py_tp_new, reinterpret_cast<void*>(instance_new)},               \
      {Py_tp_dealloc, reinterpret_cast<void*>(instance_dealloc)},   \
      {Py_tp_traverse, reinterpret_cast<void*>(instance_traverse)}, \
      {Py_tp_clear, reinterpret_cast<void*>(instance_clear)}, {     \
    Py_tp_getset, instance_getset                                   \
  }

PyType_Slot value_slots[] = {
    SAMEBYTES_INSTANCE_SLOTS,
    {Py_tp_methods, value_methods},
    {Py_bf_getbuffer, reinterpret_cast<void*>(export_value)},
    {Py_tp_doc, const_cast<char*>("An immutable object that is its bytes; classes derive from it.")},
    {}};

PyMemberDef record_members[] = {
    {"__weaklistoffset__", T_PYSSIZET, offsetof(Record, weak_references), READONLY, nullptr}, {}};

PyType_Slot record_slots[] = {
    SAMEBYTES_INSTANCE_SLOTS,
    {Py_tp_init, reinterpret_cast<void*>(record_init)},
    {Py_tp_methods, record_methods},
    {Py_tp_members, record_members},
    {Py_tp_hash, reinterpret_cast<void*>(PyObject_HashNotImplemented)},
    {Py_bf_getbuffer, reinterpret_cast<void*>(export_record)},
    {Py_tp_doc,
     const_cast<char*>("A mutable object that is its bytes, or views others; classes derive from it.")},
    {}};

constexpr unsigned kFlags =
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_IMMUTABLETYPE;
PyType_Spec value_spec = {"samebytes._native.Value", sizeof(Instance), 1, kFlags, value_slots};
PyType_Spec record_spec = {"samebytes._native.Record", sizeof(Record), 1, kFlags, record_slots};

int add_type(PyObject* module, const char* name, PyType_Spec& spec, PyTypeObject*& type) {
  type = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&spec));
  return type ? PyModule_AddObjectRef(module, name, reinterpret_cast<PyObject*>(type)) : -1;
}

}  // namespace

Ref class_codec(PyTypeObject* type) {
  static PyObject* const name = PyUnicode_InternFromString("__samebytes_codec__");
  Ref codec = Ref::borrow(_PyType_Lookup(type, name));
  if (unlikely(!codec || !is_codec(codec.get())))  // one that is made when it is first asked for
    codec = Ref::steal(PyObject_GetAttr(reinterpret_cast<PyObject*>(type), name));
  if (!codec) return codec;
  const Kind kind = is_codec(codec.get()) ? reinterpret_cast<Codec*>(codec.get())->kind : Kind::boolean;
  if (kind == (is_handle_class(type) ? Kind::handle : Kind::structure)) return codec;
  PyErr_Format(PyExc_TypeError, "%s.__samebytes_codec__ is not a struct's Codec", type->tp_name);
  return Ref();
}

PyObject* new_instance(PyTypeObject* type, const Codec& codec, const char* from, PyObject* owner) {
  const bool wide = unlikely(codec.align > kFreeAlignment);
  Instance* self = allocate(type, wide ? codec.size + codec.align : codec.size);
  if (unlikely(!self)) return nullptr;
  const uintptr_t mask = wide ? codec.align - 1 : 0;
  const uintptr_t end = reinterpret_cast<uintptr_t>(self) + type->tp_basicsize;
  char* data = reinterpret_cast<char*>((end + mask) & ~mask);
  if (from) {
    std::memcpy(data, from, codec.size);
  } else {
    std::memset(data, 0, codec.size);
  }
  return finish(self, codec.size, data, owner);
}

PyObject* view_instance(PyTypeObject* type, Py_ssize_t size, char* data, PyObject* owner) {
  Instance* self = allocate(type, 0);
  return self ? finish(self, size, data, owner) : nullptr;
}

int add_instance_types(PyObject* module) {
  static PyMethodDef functions[] = {
      {"construct_by", construct_by, METH_VARARGS,
       "construct_by(cls, constructor, args, kwargs, /)\n--\n\nAn object of a class of records that one of "
       "its constructors fills."},
      {"set_deferred", set_deferred, METH_VARARGS,
       "set_deferred(cls, deferred, /)\n--\n\nWhether an __init__ of Python's makes the C++ objects of this "
       "class."},
      {"set_direct", set_direct, METH_O,
       "set_direct(cls, /)\n--\n\nCalls of this class of records go to its constructor at once."},
      {}};
  if (PyModule_AddFunctions(module, functions) < 0) return -1;
  if (add_type(module, "Value", value_spec, value_type) < 0) return -1;
  return add_type(module, "Record", record_spec, record_type);
}

}  // namespace samebytes
