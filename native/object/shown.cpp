// The Python type Shown: a Pointer that knows the array there, and exports it by the buffer protocol. Python
// classes can do that themselves only since Python 3.12.
#include "object/dependents.hpp"
#include "structmember.h"
#include "view/view.hpp"

namespace samebytes {

PyTypeObject* shown_type;

namespace {

int shown_traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(as_shown(self)->array);
  return pointer_type->tp_traverse(self, visit, arg);
}

int shown_clear(PyObject* self) {
  Py_CLEAR(as_shown(self)->array);
  return pointer_type->tp_clear(self);
}

void shown_dealloc(PyObject* self) {
  PyObject_GC_UnTrack(self);
  Py_CLEAR(as_shown(self)->array);
  PyObject_GC_Track(self);  // as the base's own deallocation expects
  pointer_type->tp_dealloc(self);
}

PyObject* get_array(PyObject* self, void*) {
  PyObject* array = as_shown(self)->array;
  return Py_NewRef(array ? array : Py_None);
}

// The address, what keeps it valid, and whether C++ may write there become the view's.
int set_array(PyObject* self, PyObject* array, void*) {
  if (!array || (array != Py_None && !is_view(array)))
    return PyErr_SetString(PyExc_TypeError, "expected a view or None"), -1;
  Ref old = Ref::steal(as_shown(self)->array);
  if (array == Py_None) return as_shown(self)->array = nullptr, 0;
  as_shown(self)->array = Py_NewRef(array);
  uint32_t& const_levels = as_shown(self)->pointer.const_levels;
  if (old && is_view(old.get()) && as_view(old.get())->readonly) const_levels &= ~1U;
  if (as_view(array)->readonly) const_levels |= 1;
  Ref owner = Ref::steal(as_shown(self)->pointer.owner);
  as_shown(self)->pointer.owner = Py_NewRef(array);
  enlist(as_pointer(self));
  as_shown(self)->pointer.held = 1;
  as_shown(self)->pointer.address = as_view(array)->data;
  return 0;
}

// The view is the exporter, so that its memory is held and released as the view's own.
int shown_buffer(PyObject* self, Py_buffer* buffer, int flags) {
  Ref array = Ref::borrow(as_shown(self)->array);
  if (array) return PyObject_GetBuffer(array.get(), buffer, flags);
  buffer->obj = nullptr;
  PyErr_Format(PyExc_BufferError, "%s is an address alone: nothing says which array is there",
               Py_TYPE(self)->tp_name);
  return -1;
}

PyObject* shown_of(PyObject* cls, PyObject* array) {
  return new_shown(reinterpret_cast<PyTypeObject*>(cls), array);
}

PyMethodDef methods[] = {{"_showing", shown_of, METH_O | METH_CLASS,
                          "_showing($type, view, /)\n--\n\nA pointer to the array that a view shows."},
                         {}};

PyGetSetDef getset[] = {{"_array", get_array, set_array, "The view of the array there, or None.", nullptr},
                        {}};

PyType_Slot slots[] = {{Py_tp_dealloc, reinterpret_cast<void*>(shown_dealloc)},
                       {Py_tp_traverse, reinterpret_cast<void*>(shown_traverse)},
                       {Py_tp_clear, reinterpret_cast<void*>(shown_clear)},
                       {Py_tp_getset, getset},
                       {Py_tp_methods, methods},
                       {Py_bf_getbuffer, reinterpret_cast<void*>(shown_buffer)},
                       {Py_tp_doc, const_cast<char*>("A pointer that knows which array is there.")},
                       {}};

PyType_Spec spec = {"samebytes._native.Shown", sizeof(Shown), 0,
                    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_IMMUTABLETYPE,
                    slots};

}  // namespace

PyObject* new_shown(PyTypeObject* type, PyObject* view) {
  Ref made = Ref::steal(type->tp_alloc(type, 0));
  return made && set_array(made.get(), view, nullptr) == 0 ? made.release() : nullptr;
}

int add_shown_type(PyObject* module) {
  auto* const base = reinterpret_cast<PyObject*>(pointer_type);
  shown_type = reinterpret_cast<PyTypeObject*>(PyType_FromSpecWithBases(&spec, base));
  return shown_type ? PyModule_AddObjectRef(module, "Shown", reinterpret_cast<PyObject*>(shown_type)) : -1;
}

}  // namespace samebytes
