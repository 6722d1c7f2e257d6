// The Python type Attributes: a base without bytes of its own that gives handles a `__dict__`.
//
// A handle's object lies inline behind its header, so that Python has no room for a dictionary there; the
// header refers to one, from the first attribute on. Classes of C++'s stay without, and read their members at
// full speed.
#include "object/attributes.hpp"

namespace samebytes {

namespace {

PyObject* attributes_of(PyObject* self) {
  if (!is_handle_class(Py_TYPE(self)))
    return PyErr_Format(PyExc_TypeError, "%s objects have no attributes of Python's", Py_TYPE(self)->tp_name);
  Handle* const handle = as_handle(self);
  if (!handle->attributes) handle->attributes = PyDict_New();
  return handle->attributes;
}

// What the class says of a name comes first where it sets or deletes, too, as a member of C++'s does.
bool is_set_by_class(PyObject* self, PyObject* name) {
  PyObject* const known = PyUnicode_Check(name) ? _PyType_Lookup(Py_TYPE(self), name) : nullptr;
  return known && Py_TYPE(known)->tp_descr_set;
}

PyObject* get_attribute(PyObject* self, PyObject* name) {
  if (!is_handle_class(Py_TYPE(self)) || !as_handle(self)->attributes)
    return PyObject_GenericGetAttr(self, name);
  const Ref found = Ref::borrow(as_handle(self)->attributes);
  return _PyObject_GenericGetAttrWithDict(self, name, found.get(), 0);
}

int set_attribute(PyObject* self, PyObject* name, PyObject* value) {
  const bool plain = is_handle_class(Py_TYPE(self)) && (value || as_handle(self)->attributes);
  if (!plain || is_set_by_class(self, name)) return PyObject_GenericSetAttr(self, name, value);
  PyObject* const known = attributes_of(self);
  if (!known) return -1;
  const Ref held = Ref::borrow(known);
  return _PyObject_GenericSetAttrWithDict(self, name, value, held.get());
}

PyObject* get_dict(PyObject* self, void*) { return Py_XNewRef(attributes_of(self)); }

int set_dict(PyObject* self, PyObject* value, void*) {
  if (!value || !PyDict_Check(value)) return type_error("__dict__ must be set to a dictionary"), -1;
  if (!attributes_of(self)) return -1;
  Py_XSETREF(as_handle(self)->attributes, Py_NewRef(value));
  return 0;
}

PyObject* attributes(PyObject*, PyObject* object) { return Py_XNewRef(attributes_of(object)); }

PyObject* call_set(PyObject* self, PyObject* args) {
  PyObject *name, *value;
  if (!PyArg_ParseTuple(args, "OO:__setattr__", &name, &value)) return nullptr;
  return set_attribute(self, name, value) < 0 ? nullptr : Py_NewRef(Py_None);
}

PyObject* call_delete(PyObject* self, PyObject* name) {
  return set_attribute(self, name, nullptr) < 0 ? nullptr : Py_NewRef(Py_None);
}

// Python's own wrappers of tp_setattro refuse a `super().__setattr__()` that comes to a base beside the one
// that lays an object out.
PyMethodDef attributes_methods[] = {
    {"__setattr__", call_set, METH_VARARGS | METH_COEXIST, "Implement setattr()."},
    {"__delattr__", call_delete, METH_O | METH_COEXIST, "Implement delattr()."},
    {}};
PyGetSetDef attributes_getset[] = {
    {"__dict__", get_dict, set_dict, "Attributes of Python's, by name.", nullptr}, {}};
PyMethodDef functions[] = {
    {"attributes", attributes, METH_O,
     "attributes(handle, /)\n--\n\nWhat a handle has of Python's beside its object, by name."},
    {}};
PyType_Slot attributes_slots[] = {
    {Py_tp_getattro, reinterpret_cast<void*>(get_attribute)},
    {Py_tp_setattro, reinterpret_cast<void*>(set_attribute)},
    {Py_tp_methods, attributes_methods},
    {Py_tp_getset, attributes_getset},
    {Py_tp_doc, const_cast<char*>("A base of classes whose objects have attributes of Python's.")},
    {}};
PyType_Spec attributes_spec = {"samebytes._native.Attributes", 0, 0,
                               Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_IMMUTABLETYPE,
                               attributes_slots};

}  // namespace

bool has_attribute(PyObject* object, PyObject* name) {
  PyObject* const known = as_handle(object)->attributes;
  if (likely(!known || !PyDict_GET_SIZE(known))) return false;
  if (PyDict_GetItemWithError(known, name)) return true;
  if (likely(!PyErr_Occurred())) return false;
  PyErr_Clear();
  return true;  // Python's own way meets it again
}

PyObject* plain_method(PyObject* object, PyObject* name) {
  PyTypeObject* const type = Py_TYPE(object);
  if (type->tp_getattro != get_attribute || !is_handle_class(type) || has_attribute(object, name))
    return nullptr;
  PyObject* const found = _PyType_Lookup(type, name);
  return found && PyType_HasFeature(Py_TYPE(found), Py_TPFLAGS_METHOD_DESCRIPTOR) ? found : nullptr;
}

int add_attributes_type(PyObject* module) {
  const Ref type = Ref::steal(PyType_FromSpec(&attributes_spec));
  if (!type || PyModule_AddFunctions(module, functions) < 0) return -1;
  return PyModule_AddObjectRef(module, "Attributes", type.get());
}

}  // namespace samebytes
