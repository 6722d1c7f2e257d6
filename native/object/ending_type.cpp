// The internal type Ending: calls a function when nothing refers to it any more.
#include "object/ending_type.hpp"

#include "call/pending.hpp"
#include "ref.hpp"

namespace samebytes {

namespace {

struct Ending {
  PyObject_HEAD PyObject* function;
  PyObject* arguments;  // a tuple
};

Ending* as_ending(PyObject* object) { return reinterpret_cast<Ending*>(object); }

PyObject* ending_new(PyTypeObject* type, PyObject* args, PyObject* kwargs) {
  if (!PyTuple_GET_SIZE(args) || kwargs)
    return type_error("Ending takes a function and its arguments"), nullptr;
  Ref arguments = Ref::steal(PyTuple_GetSlice(args, 1, PyTuple_GET_SIZE(args)));
  auto* self = arguments ? reinterpret_cast<Ending*>(type->tp_alloc(type, 0)) : nullptr;
  if (!self) return nullptr;
  self->function = Py_NewRef(PyTuple_GET_ITEM(args, 0));
  self->arguments = arguments.release();
  return reinterpret_cast<PyObject*>(self);
}

// The last reference is gone where just the one is there that this call holds. The garbage collector has one
// of its own beside those of the cycle: what it destroys next may still use what ends here.
void ending_finalize(PyObject* self) {
  if (Py_REFCNT(self) > 1) return;
  const PendingException pending;
  Ending* ending = as_ending(self);
  if (!Ref::steal(PyObject_CallObject(ending->function, ending->arguments)))
    PyErr_WriteUnraisable(ending->function);
}

int ending_traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  Py_VISIT(as_ending(self)->function);
  Py_VISIT(as_ending(self)->arguments);
  return 0;
}

// There is no tp_clear: what it refers to never changes, so that a cycle passes through something that has
// one.
void ending_dealloc(PyObject* self) {
  if (PyObject_CallFinalizerFromDealloc(self) < 0) return;
  PyTypeObject* type = Py_TYPE(self);
  PyObject_GC_UnTrack(self);
  Py_XDECREF(as_ending(self)->function);
  Py_XDECREF(as_ending(self)->arguments);
  type->tp_free(self);
  Py_DECREF(type);
}

PyType_Slot slots[] = {
    {Py_tp_new, reinterpret_cast<void*>(ending_new)},
    {Py_tp_finalize, reinterpret_cast<void*>(ending_finalize)},
    {Py_tp_traverse, reinterpret_cast<void*>(ending_traverse)},
    {Py_tp_dealloc, reinterpret_cast<void*>(ending_dealloc)},
    {Py_tp_doc,
     const_cast<char*>("Ending(function, /, *args)\n--\n\nCalls function(*args) when nothing refers to "
                       "it any more, but not where the garbage collector ends a cycle.")},
    {0, nullptr}};

PyType_Spec spec = {"samebytes._native.Ending", sizeof(Ending), 0,
                    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_IMMUTABLETYPE, slots};

}  // namespace

int add_ending_type(PyObject* module) {
  const Ref type = Ref::steal(PyType_FromSpec(&spec));
  return type ? PyModule_AddObjectRef(module, "Ending", type.get()) : -1;
}

}  // namespace samebytes
