// Copies that refuse to be changed: see object/shown_copy.hpp.
#include "object/shown_copy.hpp"

#include "object/owner_set.hpp"

namespace samebytes {

namespace {

// A mark stands among a record's owners, and says whose it is: what is copied of the record inherits the
// owners, and is no such copy.
const char kMark[] = "samebytes.copy";

bool is_mark_of(PyObject* object, const Instance* record) {
  return PyCapsule_IsValid(object, kMark) && PyCapsule_GetPointer(object, kMark) == record;
}

// The owners that there are, and the mark behind them.
Ref marked(PyObject* owner, const Ref& mark) {
  if (!owner) return Ref::borrow(mark.get());
  const Ref before = PyTuple_CheckExact(owner) ? Ref::borrow(owner) : Ref::steal(PyTuple_Pack(1, owner));
  const Ref behind = Ref::steal(PyTuple_Pack(1, mark.get()));
  return Ref::steal(before && behind ? PySequence_Concat(before.get(), behind.get()) : nullptr);
}

PyObject* mark(PyObject*, PyObject* object) {
  if (!mark_copy(object)) return nullptr;
  return Py_NewRef(object);
}

PyObject* is_marked(PyObject*, PyObject* object) { return PyBool_FromLong(is_shown_copy(object)); }

}  // namespace

bool is_copied_record(PyObject* record) {
  const Instance* const root = root_of(as_instance(record));
  PyObject* owner = root->owner;
  if (is_handle_class(Py_TYPE(root))) return reinterpret_cast<const Handle*>(root)->copied;
  const Py_ssize_t count = owner && PyTuple_CheckExact(owner) ? PyTuple_GET_SIZE(owner) : 0;
  if (count) owner = PyTuple_GET_ITEM(owner, count - 1);
  return owner && is_mark_of(owner, root);
}

bool mark_copy(PyObject* object) {
  if (is_handle_class(Py_TYPE(object))) return as_handle(object)->copied = true;
  if (!is_record_class(Py_TYPE(object)) || is_shown_copy(object)) return true;
  Instance* const self = as_instance(object);
  const Ref mark = Ref::steal(PyCapsule_New(self, kMark, nullptr));
  Ref owner = mark ? marked(self->owner, mark) : Ref();
  if (!owner) return false;
  const Ref before = Ref::steal(std::exchange(self->owner, owner.release()));
  return true;
}

int add_shown_copy_functions(PyObject* module) {
  static PyMethodDef functions[] = {
      {"mark_copy", mark, METH_O,
       "mark_copy(object, /)\n--\n\nThe object, a copy of what C++ has, which refuses to be changed from now "
       "on."},
      {"is_copy", is_marked, METH_O,
       "is_copy(object, /)\n--\n\nWhether an object is such a copy, or lies in one."},
      {}};
  return PyModule_AddFunctions(module, functions);
}

}  // namespace samebytes
