// The Python type Pointer: an address, and the object that keeps what is there alive.
#include "instance.hpp"

namespace samebytes {

PyTypeObject* pointer_type;

namespace {

Pointer* as_pointer(PyObject* object) { return reinterpret_cast<Pointer*>(object); }

bool read_address(PyObject* object, void*& out) {
  if (object == Py_None) return out = nullptr, true;
  Ref number = Ref::steal(PyNumber_Index(object));
  if (!number) return false;
  out = reinterpret_cast<void*>(PyLong_AsUnsignedLongLong(number.get()));
  return out != reinterpret_cast<void*>(-1) || !PyErr_Occurred();
}

PyObject* pointer_new(PyTypeObject* type, PyObject* args, PyObject* kwargs) {
  static const char* names[] = {"address", "owner", nullptr};
  PyObject *address = Py_None, *owner = Py_None;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|OO:Pointer", const_cast<char**>(names), &address, &owner))
    return nullptr;
  void* where;
  if (PyObject_TypeCheck(address, pointer_type)) {
    where = as_pointer(address)->address;
    if (owner == Py_None && as_pointer(address)->owner) owner = as_pointer(address)->owner;
  } else if (!read_address(address, where)) {
    return nullptr;
  }
  PyObject* self = type->tp_alloc(type, 0);
  if (!self) return nullptr;
  as_pointer(self)->address = where;
  as_pointer(self)->owner = owner == Py_None ? nullptr : Py_NewRef(owner);
  return self;
}

// The owner never changes, so a cycle through it passes through something else that can be cleared.
int pointer_traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  Py_VISIT(as_pointer(self)->owner);
  return 0;
}

void pointer_dealloc(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  PyObject_GC_UnTrack(self);
  Py_XDECREF(as_pointer(self)->owner);
  type->tp_free(self);
  Py_DECREF(type);
}

PyObject* pointer_int(PyObject* self) { return PyLong_FromVoidPtr(as_pointer(self)->address); }
int pointer_bool(PyObject* self) { return as_pointer(self)->address != nullptr; }

Py_hash_t pointer_hash(PyObject* self) {
  const auto hash = static_cast<Py_hash_t>(reinterpret_cast<uintptr_t>(as_pointer(self)->address) >> 3);
  return hash == -1 ? -2 : hash;
}

PyObject* pointer_compare(PyObject* self, PyObject* other, int operation) {
  if ((operation != Py_EQ && operation != Py_NE) || !PyObject_TypeCheck(other, pointer_type))
    Py_RETURN_NOTIMPLEMENTED;
  const bool equal = as_pointer(self)->address == as_pointer(other)->address;
  return PyBool_FromLong(equal == (operation == Py_EQ));
}

PyObject* pointer_repr(PyObject* self) {
  Ref name = Ref::steal(PyType_GetName(Py_TYPE(self)));
  if (!name) return nullptr;
  if (!as_pointer(self)->address) return PyUnicode_FromFormat("%U(None)", name.get());
  return PyUnicode_FromFormat("%U(%p)", name.get(), as_pointer(self)->address);
}

PyObject* pointer_address(PyObject* self, void*) { return pointer_int(self); }
PyObject* pointer_owner(PyObject* self, void*) {
  PyObject* owner = as_pointer(self)->owner;
  return Py_NewRef(owner ? owner : Py_None);
}

PyGetSetDef pointer_getset[] = {
    {"address", pointer_address, nullptr, "The address as an int; 0 is null.", nullptr},
    {"owner", pointer_owner, nullptr, "The object that keeps the memory alive, or None.", nullptr},
    {}};

PyType_Slot pointer_slots[] = {
    {Py_tp_new, reinterpret_cast<void*>(pointer_new)},
    {Py_tp_dealloc, reinterpret_cast<void*>(pointer_dealloc)},
    {Py_tp_traverse, reinterpret_cast<void*>(pointer_traverse)},
    {Py_tp_repr, reinterpret_cast<void*>(pointer_repr)},
    {Py_tp_hash, reinterpret_cast<void*>(pointer_hash)},
    {Py_tp_richcompare, reinterpret_cast<void*>(pointer_compare)},
    {Py_nb_int, reinterpret_cast<void*>(pointer_int)},
    {Py_nb_index, reinterpret_cast<void*>(pointer_int)},
    {Py_nb_bool, reinterpret_cast<void*>(pointer_bool)},
    {Py_tp_getset, pointer_getset},
    {Py_tp_doc, const_cast<char*>("Pointer(address=None, owner=None)\n--\n\n"
                                  "An address in memory, and optionally the object that keeps it valid.")},
    {}};

PyType_Spec pointer_spec = {
    "samebytes._native.Pointer", sizeof(Pointer), 0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_IMMUTABLETYPE, pointer_slots};

}  // namespace

PyObject* new_pointer(void* address, PyObject* owner, PyTypeObject* type) {
  if (!type) type = pointer_type;
  PyObject* self = type->tp_alloc(type, 0);
  if (!self) return nullptr;
  as_pointer(self)->address = address;
  as_pointer(self)->owner = Py_XNewRef(owner);
  return self;
}

int add_pointer_type(PyObject* module) {
  pointer_type = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&pointer_spec));
  return pointer_type ? PyModule_AddObjectRef(module, "Pointer", reinterpret_cast<PyObject*>(pointer_type))
                      : -1;
}

}  // namespace samebytes
