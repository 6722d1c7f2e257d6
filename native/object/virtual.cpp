// The Python type VirtualMember: a descriptor that reaches a member of a virtual base, which each object says
// itself where it has.
#include "call/running.hpp"
#include "object/handle.hpp"
#include "object/shown_copy.hpp"
#include "structmember.h"

namespace samebytes {

namespace {

PyTypeObject* member_type;

struct VirtualMember {
  PyObject_HEAD PyTypeObject* owner;  // whose objects the shim knows
  PyTypeObject* base;                 // whose member it is
  PyObject* name;                     // interned
  PyObject* find;                     // find(object): the base of an object of any other class
  Shim upcast;
  Py_ssize_t offset;  // bytes, of the base behind the one that the shim finds
};

VirtualMember* as_member(PyObject* object) { return reinterpret_cast<VirtualMember*>(object); }

PyObject* member_new(PyTypeObject* type, PyObject* args, PyObject*) {
  PyObject *owner, *base, *name, *find, *address;
  Py_ssize_t offset;
  if (!PyArg_ParseTuple(args, "O!O!UOOn:VirtualMember", &PyType_Type, &owner, &PyType_Type, &base, &name,
                        &find, &address, &offset))
    return nullptr;
  for (PyObject* cls : {owner, base})
    if (!is_record_class(reinterpret_cast<PyTypeObject*>(cls)))
      return type_error("a virtual base and its owner are classes of records"), nullptr;
  const auto shim = reinterpret_cast<Shim>(PyLong_AsVoidPtr(address));
  if (PyErr_Occurred()) return nullptr;
  if (!shim) return value_error("a shim's address is not null"), nullptr;
  PyObject* self = type->tp_alloc(type, 0);
  if (!self) return nullptr;
  Py_INCREF(name);
  PyUnicode_InternInPlace(&name);
  VirtualMember& member = *as_member(self);
  member.owner = reinterpret_cast<PyTypeObject*>(Py_NewRef(owner));
  member.base = reinterpret_cast<PyTypeObject*>(Py_NewRef(base));
  member.name = name;
  member.find = Py_NewRef(find);
  member.upcast = shim;
  member.offset = offset;
  return self;
}

// Immutable: a cycle through a member passes through its class.
int member_traverse(PyObject* self, visitproc visit, void* arg) {
  const VirtualMember& member = *as_member(self);
  Py_VISIT(Py_TYPE(self));
  Py_VISIT(member.owner);
  Py_VISIT(member.base);
  Py_VISIT(member.find);
  return 0;
}

void member_dealloc(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  PyObject_GC_UnTrack(self);
  const VirtualMember& member = *as_member(self);
  Py_DECREF(member.owner);
  Py_DECREF(member.base);
  Py_DECREF(member.name);
  Py_DECREF(member.find);
  type->tp_free(self);
  Py_DECREF(type);
}

// The base as a view into the object; null: exception set.
Ref base_of(const VirtualMember& member, PyObject* object) {
  const bool known = Py_TYPE(object) == member.owner && Py_SIZE(object) && as_instance(object)->data;
  if (unlikely(!known)) return Ref::steal(PyObject_CallOneArg(member.find, object));
  const Running running(&object, 1, nullptr);  // the garbage collector may run Python code
  const Ref codec = class_codec(member.base);
  if (!codec) return Ref();
  void* argv[] = {as_instance(object)->data, nullptr};
  member.upcast(argv);
  char* const place = static_cast<char*>(argv[1]) + member.offset;
  return Ref::steal(
      view_object(*reinterpret_cast<Codec*>(codec.get()), place, object, is_unwritable(object), true));
}

PyObject* member_get(PyObject* self, PyObject* object, PyObject*) {
  if (!object) return Py_NewRef(self);
  const VirtualMember& member = *as_member(self);
  const Ref base = base_of(member, object);
  return base ? PyObject_GetAttr(base.get(), member.name) : nullptr;
}

int member_set(PyObject* self, PyObject* object, PyObject* value) {
  const VirtualMember& member = *as_member(self);
  const Ref base = base_of(member, object);
  return base ? PyObject_SetAttr(base.get(), member.name, value) : -1;
}

PyMemberDef member_members[] = {{"name", T_OBJECT, offsetof(VirtualMember, name), READONLY, nullptr},
                                {"base", T_OBJECT, offsetof(VirtualMember, base), READONLY, nullptr},
                                {}};

PyType_Slot member_slots[] = {
    {Py_tp_new, reinterpret_cast<void*>(member_new)},
    {Py_tp_dealloc, reinterpret_cast<void*>(member_dealloc)},
    {Py_tp_traverse, reinterpret_cast<void*>(member_traverse)},
    {Py_tp_descr_get, reinterpret_cast<void*>(member_get)},
    {Py_tp_descr_set, reinterpret_cast<void*>(member_set)},
    {Py_tp_members, member_members},
    {Py_tp_doc, const_cast<char*>("VirtualMember(owner, base, name, find, upcast, offset, /)\n--\n\n"
                                  "One member of a virtual base of `owner`, whose shim says where it is.")},
    {}};

PyType_Spec member_spec = {"samebytes._native.VirtualMember", sizeof(VirtualMember), 0,
                           Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_IMMUTABLETYPE, member_slots};

}  // namespace

char* virtual_data(const AcceptedType& node, PyObject* object) {
  char* const data = as_instance(object)->data;
  if (!data || !Py_SIZE(object)) return nullptr;
  void* argv[] = {data, nullptr};
  node.upcast(argv);
  return static_cast<char*>(argv[1]) + node.behind;
}

int add_virtual_type(PyObject* module) {
  member_type = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&member_spec));
  return member_type
             ? PyModule_AddObjectRef(module, "VirtualMember", reinterpret_cast<PyObject*>(member_type))
             : -1;
}

}  // namespace samebytes
