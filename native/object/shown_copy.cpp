// Copies that refuse to be changed: see object/shown_copy.hpp.
#include "object/shown_copy.hpp"

#include "object/owner_set.hpp"

namespace samebytes {

namespace {

// A mark stands among a record's owners, and says whose it is: what is copied of the record inherits the
// owners, and is no such copy.
const char kCopyMark[] = "samebytes.copy";
const char kConstMark[] =
    "samebytes.const";  // no copy: C++ gave a pointer to const, and may change what is there

bool is_mark_of(PyObject* object, const Instance* record, const char* name) {
  return PyCapsule_IsValid(object, name) && PyCapsule_GetPointer(object, name) == record;
}

// The last of a record's owners, where a mark stands.
PyObject* last_owner(const Instance* record) {
  PyObject* const owner = record->owner;
  const Py_ssize_t count = owner && PyTuple_CheckExact(owner) ? PyTuple_GET_SIZE(owner) : 0;
  return count ? PyTuple_GET_ITEM(owner, count - 1) : owner;
}

// The owners that there are, and the mark behind them.
Ref marked(PyObject* owner, const Ref& mark) {
  if (!owner) return Ref::borrow(mark.get());
  const Ref before = PyTuple_CheckExact(owner) ? Ref::borrow(owner) : Ref::steal(PyTuple_Pack(1, owner));
  const Ref behind = Ref::steal(PyTuple_Pack(1, mark.get()));
  return Ref::steal(before && behind ? PySequence_Concat(before.get(), behind.get()) : nullptr);
}

bool mark_as(PyObject* object, const char* name) {
  Instance* const self = as_instance(object);
  const Ref mark = Ref::steal(PyCapsule_New(self, name, nullptr));
  Ref owner = mark ? marked(self->owner, mark) : Ref();
  if (!owner) return false;
  const Ref before = Ref::steal(std::exchange(self->owner, owner.release()));
  return true;
}

PyObject* mark(PyObject*, PyObject* object) {
  if (!mark_copy(object)) return nullptr;
  return Py_NewRef(object);
}

PyObject* mark_constant(PyObject*, PyObject* object) {
  if (!mark_const(object)) return nullptr;
  return Py_NewRef(object);
}

PyObject* is_marked(PyObject*, PyObject* object) {
  return PyBool_FromLong(is_shown_copy(object) && !is_constant(object));
}

PyObject* is_told_const(PyObject*, PyObject* object) { return PyBool_FromLong(is_constant(object)); }

}  // namespace

bool is_copied_record(PyObject* record) {
  const Instance* const root = root_of(as_instance(record));
  if (is_handle_class(Py_TYPE(root)))
    return reinterpret_cast<const Handle*>(root)->copied || reinterpret_cast<const Handle*>(root)->is_const;
  PyObject* const owner = last_owner(root);
  return owner && (is_mark_of(owner, root, kCopyMark) || is_mark_of(owner, root, kConstMark));
}

bool is_constant(PyObject* object) {
  if (is_handle_class(Py_TYPE(object))) return as_handle(object)->is_const && !as_handle(object)->copied;
  if (!is_record_class(Py_TYPE(object))) return false;
  auto* const root = reinterpret_cast<PyObject*>(root_of(as_instance(object)));
  if (is_handle_class(Py_TYPE(root))) return is_constant(root);
  PyObject* const owner = last_owner(as_instance(root));
  return owner && is_mark_of(owner, as_instance(root), kConstMark);
}

bool mark_copy(PyObject* object) {
  if (is_handle_class(Py_TYPE(object))) return as_handle(object)->copied = true;
  return !is_record_class(Py_TYPE(object)) || is_shown_copy(object) || mark_as(object, kCopyMark);
}

bool mark_const(PyObject* object) {
  if (is_handle_class(Py_TYPE(object))) return as_handle(object)->is_const = true;
  return !is_record_class(Py_TYPE(object)) || is_shown_copy(object) || mark_as(object, kConstMark);
}

int add_shown_copy_functions(PyObject* module) {
  static PyMethodDef functions[] = {
      {"mark_copy", mark, METH_O,
       "mark_copy(object, /)\n--\n\nThe object, a copy of what C++ has, which refuses to be changed from now "
       "on."},
      {"mark_const", mark_constant, METH_O,
       "mark_const(object, /)\n--\n\nThe object, which C++ gave as const: it refuses to be changed from now "
       "on."},
      {"is_const", is_told_const, METH_O,
       "is_const(object, /)\n--\n\nWhether C++ gave an object as const, or it lies in such a one."},
      {"is_copy", is_marked, METH_O,
       "is_copy(object, /)\n--\n\nWhether an object is such a copy, or lies in one."},
      {}};
  return PyModule_AddFunctions(module, functions);
}

}  // namespace samebytes
