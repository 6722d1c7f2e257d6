// The targets of pointers as a set: see object/owner_set.hpp.
#include "object/owner_set.hpp"

#include "object/handle.hpp"
#include "object/ledger.hpp"

namespace samebytes {

Instance* root_of(Instance* instance) {
  while (instance->owner && is_record_class(Py_TYPE(instance)) && is_record_class(Py_TYPE(instance->owner)))
    instance = as_instance(instance->owner);
  return instance;
}

namespace {

// Whether an instance's bytes are not its own: they live as long as its owner, and not as long as it does.
bool is_view(const Instance* instance) {
  const auto end = reinterpret_cast<uintptr_t>(instance) + Py_TYPE(instance)->tp_basicsize;
  const auto data = reinterpret_cast<uintptr_t>(instance->data);
  if (!instance->owner || data == end || is_of_remains_alone(instance->owner)) return false;
  // An object that Python ends, wherever it lies: its owner is what it refers to.
  if (is_handle_class(Py_TYPE(instance)) && reinterpret_cast<const Handle*>(instance)->destroy) return false;
  const Ref codec = class_codec(Py_TYPE(instance));
  if (!codec) return PyErr_Clear(), false;
  const uintptr_t mask = reinterpret_cast<Codec*>(codec.get())->align - 1;
  return data != ((end + mask) & ~mask);
}

// What a pointer points into, the record that a nested one is part of; null: nothing that needs holding.
PyObject* content(PyObject* object) {
  if (PyObject_TypeCheck(object, pointer_type)) return reinterpret_cast<Pointer*>(object)->owner;
  if (is_record_class(Py_TYPE(object))) {
    Instance* root = root_of(as_instance(object));
    return is_view(root) ? root->owner : reinterpret_cast<PyObject*>(root);
  }
  PyTypeObject* type = Py_TYPE(object);
  const bool plain = type == &PyFloat_Type || type == &PyLong_Type || type == &PyBool_Type;
  return plain || object == Py_None ? nullptr : object;
}

}  // namespace

bool OwnerSet::add(PyObject* object) {
  PyObject* held = content(object);
  if (!held) return bool(found_);
  if (!PyTuple_CheckExact(held)) return add_one(held);
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(held); ++i)
    if (!add_item(PyTuple_GET_ITEM(held, i))) return false;
  return true;
}

bool OwnerSet::add_item(PyObject* item) {
  PyObject* held = content(item);
  if (!held) return bool(found_);
  if (held == item || !PyTuple_CheckExact(held)) return add_one(held);
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(held); ++i)
    if (!add_one(PyTuple_GET_ITEM(held, i))) return false;
  return true;
}

Ref OwnerSet::tuple() const {
  Ref values = Ref::steal(PyDict_Values(found_.get()));
  return values ? Ref::steal(PyList_AsTuple(values.get())) : Ref();
}

Ref OwnerSet::object() const {
  if (!count()) return Ref::borrow(Py_None);
  Ref all = tuple();
  if (!all || count() > 1 || PyTuple_CheckExact(PyTuple_GET_ITEM(all.get(), 0))) return all;
  return Ref::borrow(PyTuple_GET_ITEM(all.get(), 0));
}

bool OwnerSet::add_one(PyObject* object) {
  PyObject* held = found_ ? content(object) : nullptr;
  if (!held) return bool(found_);
  if (!PyObject_TypeCheck(object, pointer_type)) object = held;
  Ref key = Ref::steal(PyLong_FromVoidPtr(object));
  return key && PyDict_SetItem(found_.get(), key.get(), object) == 0;
}

}  // namespace samebytes
