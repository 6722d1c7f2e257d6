// Lists that stand for arrays which C may write to: what it wrote goes back into the list when the call has
// ended. Python made the array, and says what changed.
#include "call/tier3_general.hpp"

namespace samebytes {

namespace {

PyTypeObject* list_array_type;

bool write_one(PyObject* held, PyObject* name) {
  if (!PyTuple_CheckExact(held) || !PyTuple_GET_SIZE(held)) return true;
  PyObject* const first = PyTuple_GET_ITEM(held, 0);
  if (Py_TYPE(first) != list_array_type) return true;
  return static_cast<bool>(Ref::steal(PyObject_CallMethod(first, "write_back", "O", name)));
}

// Takes the class of what a conversion holds first, where a list was converted: it has write_back(function).
PyObject* set_list_array(PyObject*, PyObject* type) {
  if (!PyType_Check(type)) return PyErr_SetString(PyExc_TypeError, "set_list_array() takes a class"), nullptr;
  Py_XSETREF(list_array_type, reinterpret_cast<PyTypeObject*>(Py_NewRef(type)));
  Py_RETURN_NONE;
}

PyMethodDef functions[] = {
    {"set_list_array", set_list_array, METH_O,
     "set_list_array(type, /)\n--\n\nThe class of what writes back into a list what C wrote."},
    {}};

}  // namespace

bool write_back(PyObject* name, const CallResources& resources) { return resources.each(write_one, name); }

int add_write_back_functions(PyObject* module) { return PyModule_AddFunctions(module, functions); }

}  // namespace samebytes
