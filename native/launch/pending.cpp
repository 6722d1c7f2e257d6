// What a launch gives that nobody waits for: the launch, which has its track, and its number there. Python
// says what is asked of it.
#include "launch/pending.hpp"

#include "structmember.h"

namespace samebytes {

PyTypeObject* pending_type;
SparePending spare_pending;

namespace {

PyObject* behaviour;  // (done, wait, repr, kernel): functions of one

PyObject* asked(PyObject* self, Py_ssize_t which) {
  if (!behaviour) return PyErr_SetString(PyExc_RuntimeError, "nothing says what a launch does"), nullptr;
  return PyObject_CallOneArg(PyTuple_GET_ITEM(behaviour, which), self);
}

PyObject* get_done(PyObject* self, void*) { return asked(self, 0); }
PyObject* wait(PyObject* self, PyObject*) { return asked(self, 1); }
PyObject* repr(PyObject* self) { return asked(self, 2); }
PyObject* get_kernel(PyObject* self, void*) { return asked(self, 3); }

void dealloc(PyObject* self) {
  auto* const one = reinterpret_cast<Pending*>(self);
  Py_DECREF(one->launch);
  if (spare_pending.count < kKeptBlocks)
    spare_pending.blocks[spare_pending.count++] = one;
  else
    PyObject_Free(self);
  Py_DECREF(pending_type);
}

PyMethodDef methods[] = {
    {"wait", wait, METH_NOARGS, "wait($self, /)\n--\n\nReturn when it has run, without the GIL."}, {}};

PyGetSetDef getset[] = {{"done", get_done, nullptr, "Whether it has run; asking does not wait.", nullptr},
                        {"kernel", get_kernel, nullptr, "Its kernel's name.", nullptr},
                        {}};

PyMemberDef members[] = {{"_launch", T_OBJECT, offsetof(Pending, launch), READONLY, nullptr},
                         {"_number", T_ULONGLONG, offsetof(Pending, number), READONLY, nullptr},
                         {}};

PyType_Slot slots[] = {{Py_tp_dealloc, reinterpret_cast<void*>(dealloc)},
                       {Py_tp_methods, methods},
                       {Py_tp_getset, getset},
                       {Py_tp_members, members},
                       {Py_tp_repr, reinterpret_cast<void*>(repr)},
                       {Py_tp_doc, const_cast<char*>("A launch that may still run; what owns its arrays is "
                                                     "kept until it has, also where nothing keeps this.")},
                       {}};

PyType_Spec spec = {"samebytes._native.Pending", sizeof(Pending), 0,
                    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};

PyObject* set_pending(PyObject*, PyObject* functions) {
  if (!PyTuple_Check(functions) || PyTuple_GET_SIZE(functions) != 4)
    return PyErr_SetString(PyExc_TypeError, "set_pending() takes four functions"), nullptr;
  Py_XSETREF(behaviour, Py_NewRef(functions));
  Py_RETURN_NONE;
}

PyMethodDef functions[] = {{"set_pending", set_pending, METH_O,
                            "set_pending(functions, /)\n--\n\nWhether it is done, to wait for it, how it is "
                            "shown, and whose it is."},
                           {}};

}  // namespace

int add_pending_type(PyObject* module) {
  pending_type = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&spec));
  if (!pending_type || PyModule_AddFunctions(module, functions) < 0) return -1;
  return PyModule_AddObjectRef(module, "Pending", reinterpret_cast<PyObject*>(pending_type));
}

}  // namespace samebytes
