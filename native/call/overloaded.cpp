// The Python type of functions with overloads: see call/overloaded.hpp. It derives from that of builtin
// functions, as CPython's own builtin methods do, so that whoever asks for a builtin function finds one. Only
// exact builtin functions are called by CPython's specialised instruction; what that saves, the choice of an
// overload outweighs.
#include "call/overloaded.hpp"

#include <cstddef>

#include "ref.hpp"

namespace samebytes {

namespace {

PyCFunctionObject* as_function(PyObject* object) { return reinterpret_cast<PyCFunctionObject*>(object); }

PyObject* overloaded_call(PyObject* self, PyObject* const* args, size_t nargsf, PyObject* kwnames) {
  return call_overloaded(as_function(self)->m_self, args, PyVectorcall_NARGS(nargsf), kwnames);
}

// Not the base's: newer Pythons keep the memory of a builtin function for the next one, as it is.
void overloaded_dealloc(PyObject* self) {
  PyObject_GC_UnTrack(self);
  if (as_function(self)->m_weakreflist) PyObject_ClearWeakRefs(self);
  Py_XDECREF(as_function(self)->m_module);
  Py_XDECREF(as_function(self)->m_self);
  PyObject_GC_Del(self);
}

PyObject* overloaded_overload(PyObject* self, void*) {
  return overload_of(*reinterpret_cast<Plan*>(as_function(self)->m_self));
}

PyObject* itself(PyObject* self, PyObject*) { return Py_NewRef(self); }

PyGetSetDef overloaded_getset[] = {
    {"overload", overloaded_overload, nullptr, "Chooses one overload by its C++ parameters.", nullptr}, {}};

// Of builtin functions, copy knows the very type alone.
PyMethodDef overloaded_methods[] = {
    {"__copy__", itself, METH_NOARGS, nullptr}, {"__deepcopy__", itself, METH_O, nullptr}, {}};

// A class that is made at run time could not derive from builtin functions' own.
PyTypeObject overloaded_type;

}  // namespace

PyObject* overload_of(const Plan& plan) {
  const Ref binding =
      Ref::steal(plan.candidate_count > 1 ? PyObject_GetAttrString(plan.fallback, "__self__") : nullptr);
  if (PyObject* const found = binding ? PyObject_GetAttrString(binding.get(), "overload") : nullptr)
    return found;
  if (PyErr_Occurred() && !PyErr_ExceptionMatches(PyExc_AttributeError)) return nullptr;
  return PyErr_Format(PyExc_AttributeError, "%U() has no overloads to choose from", plan.name);
}

PyObject* new_overloaded(Plan& plan) {
  auto* made = PyObject_GC_New(PyCFunctionObject, &overloaded_type);
  if (!made) return nullptr;
  made->m_ml = &plan.definition;
  made->m_self = Py_NewRef(reinterpret_cast<PyObject*>(&plan));
  made->m_module = Py_NewRef(plan.module);
  made->m_weakreflist = nullptr;
  made->vectorcall = overloaded_call;
  PyObject_GC_Track(reinterpret_cast<PyObject*>(made));
  return reinterpret_cast<PyObject*>(made);
}

int ready_overloaded_type() {
  PyTypeObject& type = overloaded_type;
  Py_SET_REFCNT(reinterpret_cast<PyObject*>(&type), 1);
  type.tp_name = "samebytes._native.OverloadedFunction";
  type.tp_basicsize = sizeof(PyCFunctionObject);
  type.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_DISALLOW_INSTANTIATION;
  type.tp_base = &PyCFunction_Type;
  type.tp_dealloc = overloaded_dealloc;
  type.tp_vectorcall_offset = offsetof(PyCFunctionObject, vectorcall);
  type.tp_call = PyVectorcall_Call;
  type.tp_getset = overloaded_getset;
  type.tp_methods = overloaded_methods;
  if (PyType_Ready(&type) < 0) return -1;
  // Every type has a __doc__ of its own, None here, which would hide that of each function.
  const Ref base =
      Ref::steal(PyObject_GetAttrString(reinterpret_cast<PyObject*>(&PyCFunction_Type), "__dict__"));
  const Ref text = Ref::steal(base ? PyMapping_GetItemString(base.get(), "__doc__") : nullptr);
  if (!text || PyDict_SetItemString(type.tp_dict, "__doc__", text.get()) < 0) return -1;
  PyType_Modified(&type);
  return 0;
}

}  // namespace samebytes
