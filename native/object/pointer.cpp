// The Python type Pointer: an address, and the object that keeps what is there alive.
#include "call/pointing.hpp"
#include "call/seen.hpp"
#include "free_list.hpp"
#include "object/dependents.hpp"
#include "object/ledger.hpp"

namespace samebytes {

PyTypeObject* pointer_type;

namespace {

FreeList<Pointer> spare;  // of class Pointer itself

int pointer_init(PyObject* self, PyObject* args, PyObject* kwargs) {
  if (as_pointer(self)->made)
    return as_pointer(self)->made = 0;  // by __new__, from these arguments or others
  return point(self, args, kwargs) ? 0 : -1;
}

// A subclass with an __init__ of its own decides there what its arguments mean; else they mean here what they
// say.
PyObject* pointer_new(PyTypeObject* type, PyObject* args, PyObject* kwargs) {
  Ref self = Ref::steal(type->tp_alloc(type, 0));
  if (!self) return nullptr;
  const bool given = PyTuple_GET_SIZE(args) || (kwargs && PyDict_GET_SIZE(kwargs));
  if (type->tp_init != pointer_init || !given) return self.release();
  if (!point(self.get(), args, kwargs)) return nullptr;
  as_pointer(self.get())->made = 1;
  return self.release();
}

int pointer_traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  Py_VISIT(as_pointer(self)->owner);
  return 0;
}

int pointer_clear(PyObject* self) {
  as_pointer(self)->address = nullptr;
  Py_CLEAR(as_pointer(self)->owner);
  return 0;
}

// Pointers may own each other in long chains: the trashcan lets go of them without recursion.
void pointer_dealloc(PyObject* self) {
  PyObject_GC_UnTrack(self);
  delist(as_pointer(self));
  Py_TRASHCAN_BEGIN(self, pointer_dealloc);
  PyTypeObject* type = Py_TYPE(self);
  Py_XDECREF(as_pointer(self)->owner);
  if (likely(type == pointer_type)) {
    spare.give(self);
  } else {
    type->tp_free(self);
    Py_DECREF(type);
  }
  Py_TRASHCAN_END;
}

// p[offset]: the address so many bytes further on, which holds what p holds.
PyObject* pointer_item(PyObject* self, PyObject* key) {
  if (!PyIndex_Check(key))
    return PyErr_Format(PyExc_TypeError, "%s[offset]: expected a number of bytes, got %s",
                        Py_TYPE(self)->tp_name, Py_TYPE(key)->tp_name);
  const Py_ssize_t offset = PyNumber_AsSsize_t(key, PyExc_IndexError);
  if (offset == -1 && PyErr_Occurred()) return nullptr;
  const auto address = reinterpret_cast<uintptr_t>(as_pointer(self)->address);
  if (offset < 0 || !address || address + offset < address)
    return PyErr_Format(PyExc_IndexError,
                        offset < 0 ? "%s[%zd]: the offset in bytes must not be negative"
                        : !address ? "%s[%zd]: there is nothing behind a null pointer"
                                   : "%s[%zd]: that lies beyond the last address",
                        Py_TYPE(self)->tp_name, offset);
  Ref held = content_of(as_pointer(self));
  if (!held && PyErr_Occurred()) return nullptr;
  return new_pointer(static_cast<char*>(as_pointer(self)->address) + offset, held.get(), nullptr,
                     as_pointer(self)->const_levels);
}

PyObject* pointer_iter(PyObject* self) {
  return PyErr_Format(PyExc_TypeError, "'%s' is one address and has no elements to iterate over",
                      Py_TYPE(self)->tp_name);
}

PyObject* pointer_from(PyObject* type, PyObject* object) {
  if (PyObject_TypeCheck(object, reinterpret_cast<PyTypeObject*>(type))) return Py_NewRef(object);
  return PyObject_CallOneArg(type, object);
}

PyObject* pointer_ref(PyObject* self, PyObject*) {
  return new_pointer(&as_pointer(self)->address, self, nullptr, as_pointer(self)->const_levels << 1);
}

PyObject* pointer_behind(PyObject* cls, PyObject* args) {
  unsigned long long address;
  PyObject* owner;
  unsigned const_levels;
  if (!PyArg_ParseTuple(args, "KOI:_behind", &address, &owner, &const_levels)) return nullptr;
  return new_pointer(reinterpret_cast<void*>(address), owner == Py_None ? nullptr : owner,
                     reinterpret_cast<PyTypeObject*>(cls), const_levels);
}

PyObject* pointer_c_void_p(PyObject* self, PyObject*) {
  Ref ctypes = Ref::steal(PyImport_ImportModule("ctypes"));
  Ref type = Ref::steal(ctypes ? PyObject_GetAttrString(ctypes.get(), "c_void_p") : nullptr);
  Ref number = Ref::steal(type ? PyLong_FromVoidPtr(as_pointer(self)->address) : nullptr);
  return number ? PyObject_CallOneArg(type.get(), number.get()) : nullptr;
}

PyObject* pointer_copy(PyObject* self, PyObject*) { return Py_NewRef(self); }  // it never changes

PyMethodDef pointer_methods[] = {
    {"__copy__", pointer_copy, METH_NOARGS, nullptr},
    {"__deepcopy__", pointer_copy, METH_O, nullptr},
    {"fromObj", pointer_from, METH_O | METH_CLASS,
     "fromObj($type, obj, /)\n--\n\nThe object itself, if it is of this class already; else one made of it."},
    {"createRef", pointer_ref, METH_NOARGS,
     "createRef($self, /)\n--\n\nThe address of this pointer, for a C function that changes it."},
    {"_behind", pointer_behind, METH_VARARGS | METH_CLASS,
     "_behind($type, address, owner, const_levels, /)\n--\n\nA pointer that C++ gave, and where what is "
     "behind it is const."},
    {"as_c_void_p", pointer_c_void_p, METH_NOARGS,
     "as_c_void_p($self, /)\n--\n\nThe address as a ctypes.c_void_p, which keeps nothing alive."},
    {}};

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
  return PyUnicode_FromFormat("%s%U(%p)", as_pointer(self)->const_levels ? "const " : "", name.get(),
                              as_pointer(self)->address);
}

PyObject* pointer_null(PyObject* self, void*) { return PyBool_FromLong(!as_pointer(self)->address); }
PyObject* pointer_address(PyObject* self, void*) { return pointer_int(self); }
PyObject* pointer_const_levels(PyObject* self, void*) {
  return PyLong_FromUnsignedLong(as_pointer(self)->const_levels);
}
PyObject* pointer_const(PyObject* self, void*) { return PyBool_FromLong(as_pointer(self)->const_levels & 1); }
PyObject* pointer_owner(PyObject* self, void*) {
  PyObject* owner = as_pointer(self)->owner;
  return owner ? without_remains(owner).release() : Py_NewRef(Py_None);
}

PyGetSetDef pointer_getset[] = {
    {"address", pointer_address, nullptr, "The address as an int; 0 is null.", nullptr},
    {"is_const", pointer_const, nullptr, "Whether C++ gave what is there as const.", nullptr},
    {"_const_levels", pointer_const_levels, nullptr,
     "Where C++ gave what is behind it as const: bit 0 for what is there, bit 1 for what a pointer there "
     "points to.",
     nullptr},
    {"is_ptr_null", pointer_null, nullptr, "Whether the address is null.", nullptr},
    {"owner", pointer_owner, nullptr, "The object that keeps the memory alive, or None.", nullptr},
    {"__class__", own_class, refuse_class, "The object's class, which is what its bytes are.", nullptr},
    {}};

PyType_Slot pointer_slots[] = {
    {Py_tp_new, reinterpret_cast<void*>(pointer_new)},
    {Py_tp_init, reinterpret_cast<void*>(pointer_init)},
    {Py_tp_clear, reinterpret_cast<void*>(pointer_clear)},
    {Py_tp_iter, reinterpret_cast<void*>(pointer_iter)},
    {Py_mp_subscript, reinterpret_cast<void*>(pointer_item)},
    {Py_tp_methods, pointer_methods},
    {Py_tp_dealloc, reinterpret_cast<void*>(pointer_dealloc)},
    {Py_tp_traverse, reinterpret_cast<void*>(pointer_traverse)},
    {Py_tp_repr, reinterpret_cast<void*>(pointer_repr)},
    {Py_tp_hash, reinterpret_cast<void*>(pointer_hash)},
    {Py_tp_richcompare, reinterpret_cast<void*>(pointer_compare)},
    {Py_nb_int, reinterpret_cast<void*>(pointer_int)},
    {Py_nb_index, reinterpret_cast<void*>(pointer_int)},
    {Py_nb_bool, reinterpret_cast<void*>(pointer_bool)},
    {Py_tp_getset, pointer_getset},
    {Py_tp_doc,
     const_cast<char*>(
         "Pointer(address=None, owner=None, *, readonly=False)\n--\n\n"
         "An address in memory, and what keeps it valid (HIP Python, \"Adapter Types\", Pointer).\n\n"
         "Parameters\n----------\n"
         "address : object\n"
         "    Asked in this order: None (null); a Pointer; an int (an address, NumPy's integers too); a\n"
         "    ctypes.c_void_p or another ctypes pointer (its target); an object with the CUDA Array "
         "Interface,\n"
         "    DLPack, SUAI or ``__array_interface__``; a buffer, which is held until the pointer dies or "
         "points\n"
         "    elsewhere. Arrays must be C-contiguous and writable.\n"
         "owner : object, optional\n"
         "    Held as long as the pointer points there.\n"
         "readonly : bool\n"
         "    Nothing will be written through the pointer, so read-only memory is taken, too, and what "
         "C++ gave\n    as const: without it the new pointer is as const as the old one.\n\n"
         "Raises\n------\n"
         "ArgumentError, ArrayError, RangeError\n"
         "    If the object stands for no address, is not contiguous, or is read-only.")},
    {}};

PyType_Spec pointer_spec = {
    "samebytes.Pointer", sizeof(Pointer), 0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_IMMUTABLETYPE, pointer_slots};

}  // namespace

PyObject* new_pointer(void* address, PyObject* owner, PyTypeObject* type, uint32_t const_levels) {
  const bool plain = !type || type == pointer_type;
  auto* self = plain ? spare.take(pointer_type) : reinterpret_cast<Pointer*>(type->tp_alloc(type, 0));
  if (!self) return nullptr;
  self->address = address;
  self->owner = Py_XNewRef(owner);
  self->made = self->held = 0;
  self->const_levels = const_levels;
  self->dependent = {};
  if (owner) {
    enlist(self);
    note_viewed(owner);
  }
  auto* const made = reinterpret_cast<PyObject*>(self);
  if (plain) PyObject_GC_Track(made);
  return made;
}

Ref frozen(PyObject* pointer) {
  Ref held = content_of(as_pointer(pointer));
  if (!held && PyErr_Occurred()) return Ref();
  return Ref::steal(
      new_pointer(as_pointer(pointer)->address, held.get(), nullptr, as_pointer(pointer)->const_levels));
}

int add_pointer_type(PyObject* module) {
  pointer_type = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&pointer_spec));
  if (!pointer_type || PyModule_AddFunctions(module, rule_functions) < 0) return -1;
  if (PyModule_AddObjectRef(module, "Pointer", reinterpret_cast<PyObject*>(pointer_type)) < 0) return -1;
  return add_pointer_api(module);
}

}  // namespace samebytes
