// What a kernel's subscripts gave: k[grid, block] of the same numbers is the same launch.
#include "launch/subscripts.hpp"

#include "ref.hpp"
#include "structmember.h"

namespace samebytes {

namespace {

struct Subscripts {
  PyObject_HEAD PyObject* known;  // dict; null: there is none yet
};

constexpr Py_ssize_t kMost = 256;  // launches that are kept

PyObject* made_name;

// Of numbers that are ints and nothing else: True, and what only behaves as an int, are equal to one.
bool is_plain(PyObject* key, bool nested) {
  if (PyLong_CheckExact(key) || key == Py_None) return true;
  if (nested || !PyTuple_CheckExact(key)) return false;
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(key); ++i) {
    PyObject* const item = PyTuple_GET_ITEM(key, i);
    if (PyLong_CheckExact(item) || item == Py_None) continue;
    if (!PyTuple_CheckExact(item)) return false;
    for (Py_ssize_t j = 0; j < PyTuple_GET_SIZE(item); ++j)
      if (!PyLong_CheckExact(PyTuple_GET_ITEM(item, j))) return false;
  }
  return true;
}

PyObject* subscript(PyObject* self, PyObject* key) {
  auto* const s = reinterpret_cast<Subscripts*>(self);
  const bool plain = is_plain(key, false);
  if (plain && s->known) {
    if (PyObject* const found = PyDict_GetItemWithError(s->known, key)) return Py_NewRef(found);
    if (PyErr_Occurred()) return nullptr;
  }
  Ref made = Ref::steal(PyObject_CallMethodOneArg(self, made_name, key));
  if (!made || !plain) return made.release();
  if (s->known && PyDict_GET_SIZE(s->known) >= kMost) Py_CLEAR(s->known);
  if (!s->known && !(s->known = PyDict_New())) return nullptr;
  return PyDict_SetItem(s->known, key, made.get()) < 0 ? nullptr : made.release();
}

int traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  Py_VISIT(reinterpret_cast<Subscripts*>(self)->known);
  return 0;
}

int clear(PyObject* self) {
  Py_CLEAR(reinterpret_cast<Subscripts*>(self)->known);
  return 0;
}

void dealloc(PyObject* self) {
  PyTypeObject* const type = Py_TYPE(self);
  PyObject_GC_UnTrack(self);
  clear(self);
  type->tp_free(self);
  Py_DECREF(type);
}

PyType_Slot slots[] = {
    {Py_tp_dealloc, reinterpret_cast<void*>(dealloc)},
    {Py_tp_traverse, reinterpret_cast<void*>(traverse)},
    {Py_tp_clear, reinterpret_cast<void*>(clear)},
    {Py_mp_subscript, reinterpret_cast<void*>(subscript)},
    {Py_tp_doc, const_cast<char*>("What remembers its subscripts; _subscript(key) makes the others.")},
    {}};

PyType_Spec spec = {"samebytes._native.Subscripts", sizeof(Subscripts), 0,
                    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_IMMUTABLETYPE,
                    slots};

}  // namespace

int add_subscripts(PyObject* module) {
  made_name = PyUnicode_InternFromString("_subscript");
  auto* const type = made_name ? PyType_FromSpec(&spec) : nullptr;
  return type ? PyModule_AddObjectRef(module, "Subscripts", type) : -1;
}

}  // namespace samebytes
