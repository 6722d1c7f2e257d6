// The Python type BaseMember: a descriptor of a class that lies behind the beginning of objects of others. It
// reads an object of its own class as the field does, and asks Python where any other holds that class.
#include "object/handle.hpp"

namespace samebytes {

namespace {

PyTypeObject* member_type;

struct BaseMember {
  PyObject_HEAD PyTypeObject* owner;  // the class that declares the field
  PyObject* field;                    // the descriptor that knows its place in objects of that class
  PyObject* find;                     // find(object): what has the field, of an object of any other class
};

BaseMember* as_member(PyObject* object) { return reinterpret_cast<BaseMember*>(object); }

PyObject* member_new(PyTypeObject* type, PyObject* args, PyObject*) {
  PyObject *owner, *field, *find;
  if (!PyArg_ParseTuple(args, "O!OO:BaseMember", &PyType_Type, &owner, &field, &find)) return nullptr;
  if (!Py_TYPE(field)->tp_descr_get) return type_error("a field is a descriptor"), nullptr;
  PyObject* self = type->tp_alloc(type, 0);
  if (!self) return nullptr;
  BaseMember& member = *as_member(self);
  member.owner = reinterpret_cast<PyTypeObject*>(Py_NewRef(owner));
  member.field = Py_NewRef(field);
  member.find = Py_NewRef(find);
  return self;
}

// Immutable: a cycle through a member passes through its class.
int member_traverse(PyObject* self, visitproc visit, void* arg) {
  const BaseMember& member = *as_member(self);
  Py_VISIT(Py_TYPE(self));
  Py_VISIT(member.owner);
  Py_VISIT(member.field);
  Py_VISIT(member.find);
  return 0;
}

void member_dealloc(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  const BaseMember& member = *as_member(self);
  PyObject_GC_UnTrack(self);
  Py_DECREF(member.owner);
  Py_DECREF(member.field);
  Py_DECREF(member.find);
  type->tp_free(self);
  Py_DECREF(type);
}

// What has the field at its own place; null: exception set.
Ref part_of(const BaseMember& member, PyObject* object) {
  if (Py_TYPE(object) == member.owner) return Ref::borrow(object);
  return Ref::steal(PyObject_CallOneArg(member.find, object));
}

PyObject* member_get(PyObject* self, PyObject* object, PyObject*) {
  if (!object) return Py_NewRef(self);
  const BaseMember& member = *as_member(self);
  const Ref part = part_of(member, object);
  if (!part) return nullptr;
  auto* type = reinterpret_cast<PyObject*>(Py_TYPE(part.get()));
  return Py_TYPE(member.field)->tp_descr_get(member.field, part.get(), type);
}

int member_set(PyObject* self, PyObject* object, PyObject* value) {
  const BaseMember& member = *as_member(self);
  const Ref part = part_of(member, object);
  const descrsetfunc set = Py_TYPE(member.field)->tp_descr_set;
  if (part && !set) PyErr_Format(PyExc_AttributeError, "%R is read-only", member.field);
  return part && set ? set(member.field, part.get(), value) : -1;
}

// Its name, offset and the like are the field's.
PyObject* member_attribute(PyObject* self, PyObject* name) {
  PyObject* own = PyObject_GenericGetAttr(self, name);
  if (own || !PyErr_ExceptionMatches(PyExc_AttributeError)) return own;
  PyErr_Clear();
  return PyObject_GetAttr(as_member(self)->field, name);
}

PyObject* member_repr(PyObject* self) { return PyObject_Repr(as_member(self)->field); }

PyType_Slot member_slots[] = {
    {Py_tp_new, reinterpret_cast<void*>(member_new)},
    {Py_tp_dealloc, reinterpret_cast<void*>(member_dealloc)},
    {Py_tp_traverse, reinterpret_cast<void*>(member_traverse)},
    {Py_tp_descr_get, reinterpret_cast<void*>(member_get)},
    {Py_tp_descr_set, reinterpret_cast<void*>(member_set)},
    {Py_tp_getattro, reinterpret_cast<void*>(member_attribute)},
    {Py_tp_repr, reinterpret_cast<void*>(member_repr)},
    {Py_tp_doc, const_cast<char*>("BaseMember(owner, field, find, /)\n--\n\n"
                                  "One field of `owner`, also in objects that hold an `owner` elsewhere.")},
    {}};

PyType_Spec member_spec = {"samebytes._native.BaseMember", sizeof(BaseMember), 0,
                           Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_IMMUTABLETYPE, member_slots};

}  // namespace

int add_base_member_type(PyObject* module) {
  member_type = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&member_spec));
  return member_type ? PyModule_AddObjectRef(module, "BaseMember", reinterpret_cast<PyObject*>(member_type))
                     : -1;
}

}  // namespace samebytes
