// The register of remembered classes: see object/classes.hpp.
#include "object/classes.hpp"

#include <algorithm>
#include <new>
#include <unordered_map>
#include <vector>

#include "call/pending.hpp"
#include "ref.hpp"

namespace samebytes {

PyTypeObject gone_class = {PyVarObject_HEAD_INIT(nullptr, 0)};

namespace {

struct Remembered {
  PyObject* watch;  // a weak reference, whose callback ends the entry
  std::vector<PyTypeObject**> slots;
};
using Register = std::unordered_map<PyTypeObject*, Remembered>;

// Never destroyed: objects outlive what ends a process.
Register& all() {
  static auto* const made = new Register;
  return *made;
}

// Only classes that are made at run time die.
bool dies(const PyTypeObject* type) {
  return PyType_HasFeature(const_cast<PyTypeObject*>(type), Py_TPFLAGS_HEAPTYPE);
}

void store(PyTypeObject** slot, PyTypeObject* type) { __atomic_store_n(slot, type, __ATOMIC_RELEASE); }

// What the weak reference to a class calls; the class's memory is still there.
PyObject* died(PyObject* number, PyObject*) {
  auto* const type = static_cast<PyTypeObject*>(PyLong_AsVoidPtr(number));
  const auto found = all().find(type);
  if (found == all().end()) Py_RETURN_NONE;
  for (PyTypeObject** slot : found->second.slots) store(slot, &gone_class);
  PyObject* const watch = found->second.watch;
  all().erase(found);
  Py_DECREF(watch);
  Py_RETURN_NONE;
}

PyMethodDef method = {"class_died", died, METH_O, nullptr};

// A weak reference whose callback knows the class by its address, which is no class's again before it ran.
Ref watch_of(PyTypeObject* type) {
  const Ref number = Ref::steal(PyLong_FromVoidPtr(type));
  const Ref callback = number ? Ref::steal(PyCFunction_New(&method, number.get())) : Ref();
  return callback ? Ref::steal(PyWeakref_NewRef(reinterpret_cast<PyObject*>(type), callback.get())) : Ref();
}

}  // namespace

bool remember_class(PyTypeObject** slot, PyTypeObject* type) {
  if (!dies(type)) return store(slot, type), true;
  Ref watch;
  if (!all().count(type) && !(watch = watch_of(type))) return false;  // may collect garbage: before all else
  try {
    Remembered& entry = all()[type];
    entry.slots.push_back(slot);
    if (!entry.watch) entry.watch = watch.release();
  } catch (const std::bad_alloc&) {
    return PyErr_NoMemory(), false;
  }
  return store(slot, type), true;
}

void forget_class(PyTypeObject** slot) {
  const auto found = all().find(*slot);
  if (found == all().end()) return;
  auto& slots = found->second.slots;
  const auto place = std::find(slots.begin(), slots.end(), slot);
  if (place == slots.end()) return;
  *place = slots.back();
  slots.pop_back();
  if (!slots.empty()) return;
  PyObject* const watch = found->second.watch;
  all().erase(found);
  if (!python_is_over()) Py_DECREF(watch);
}

}  // namespace samebytes
