// Two internal types: ResultOwner owns a C++ object that a result describes; Piece shows bytes inside it as a
// buffer.
#include "object/result_owner.hpp"

#include <cstring>
#include <utility>

#include "call/pending.hpp"
#include "call/seen.hpp"
#include "object/dependents.hpp"

namespace samebytes {

namespace {

PyTypeObject* result_owner_type;
PyTypeObject* piece_type;

struct ResultOwner {
  PyObject_HEAD ResultOwnerHead head;
  Dependent dependent;
  PyObject* owner;  // what pointers in the result point into
};

struct Piece {
  PyObject_HEAD void* data;
  Py_ssize_t size;  // bytes
  Dependent dependent;
  PyObject* owner;
};

void drop(const ResultOwnerHead& head) {
  if (!head.drop) return;
  const PendingException pending;  // C++ may call back
  head.drop(head.held);
}

// There is no tp_clear: owners never change, so that a cycle passes through something else that has one.
int result_owner_traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  Py_VISIT(reinterpret_cast<ResultOwner*>(self)->owner);
  return 0;
}

int piece_traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  Py_VISIT(reinterpret_cast<Piece*>(self)->owner);
  return 0;
}

void result_owner_dealloc(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  PyObject_GC_UnTrack(self);
  delist(reinterpret_cast<ResultOwner*>(self));
  auto* held = reinterpret_cast<ResultOwner*>(self);
  drop(held->head);
  Py_XDECREF(held->owner);
  type->tp_free(self);
  Py_DECREF(type);
}

void piece_dealloc(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  PyObject_GC_UnTrack(self);
  delist(reinterpret_cast<Piece*>(self));
  Py_XDECREF(reinterpret_cast<Piece*>(self)->owner);
  type->tp_free(self);
  Py_DECREF(type);
}

int piece_getbuffer(PyObject* self, Py_buffer* buffer, int flags) {
  auto* piece = reinterpret_cast<Piece*>(self);
  return PyBuffer_FillInfo(buffer, self, piece->data, piece->size, 0, flags);
}

PyType_Slot result_owner_slots[] = {{Py_tp_dealloc, reinterpret_cast<void*>(result_owner_dealloc)},
                                    {Py_tp_traverse, reinterpret_cast<void*>(result_owner_traverse)},
                                    {Py_tp_doc, const_cast<char*>("A C++ object that a result describes.")},
                                    {}};
PyType_Slot piece_slots[] = {
    {Py_tp_dealloc, reinterpret_cast<void*>(piece_dealloc)},
    {Py_tp_traverse, reinterpret_cast<void*>(piece_traverse)},
    {Py_bf_getbuffer, reinterpret_cast<void*>(piece_getbuffer)},
    {Py_tp_doc, const_cast<char*>("Bytes inside a C++ object that a result describes.")},
    {}};

constexpr unsigned kFlags =
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_IMMUTABLETYPE | Py_TPFLAGS_DISALLOW_INSTANTIATION;
PyType_Spec result_owner_spec = {"samebytes._native.ResultOwner", sizeof(ResultOwner), 0, kFlags,
                                 result_owner_slots};
PyType_Spec piece_spec = {"samebytes._native.Piece", sizeof(Piece), 0, kFlags, piece_slots};

PyTypeObject* make_type(PyType_Spec* spec) { return reinterpret_cast<PyTypeObject*>(PyType_FromSpec(spec)); }

}  // namespace

PyObject* owners_of_result(PyObject* owner) {
  return Py_IS_TYPE(owner, result_owner_type) ? reinterpret_cast<ResultOwner*>(owner)->owner : owner;
}

// The owners that it had go last: what their end runs may look at the object.
void keep_owners(Instance* made, PyObject* owner) {
  if (!owner) return;
  const Ref before = Ref::steal(std::exchange(made->owner, Py_NewRef(owner)));
  enlist(made);
  note_viewed(owner);
}

PyObject* new_result_owner(const ResultOwnerHead& head, PyObject* owner) {
  auto* self = reinterpret_cast<ResultOwner*>(result_owner_type->tp_alloc(result_owner_type, 0));
  if (!self) return nullptr;
  self->head = head;
  self->owner = Py_XNewRef(owner);
  enlist(self);
  note_viewed(owner);
  return reinterpret_cast<PyObject*>(self);
}

PyObject* decode_owned_result(const Codec& codec, const char* data, PyObject* owner) {
  ResultOwnerHead head;
  std::memcpy(&head, data, sizeof head);
  if (!head.drop) return decode(*codec.element, data + codec.count, owner);  // it stays C++'s
  const Ref root = Ref::steal(new_result_owner(head, owner));
  if (!root) return drop_owned_result(codec, data), nullptr;
  return decode(*codec.element, data + codec.count, root.get());
}

void drop_owned_result(const Codec&, const char* data) {
  ResultOwnerHead head;
  std::memcpy(&head, data, sizeof head);
  drop(head);
}

PyObject* new_piece(void* data, Py_ssize_t size, PyObject* owner) {
  auto* self = reinterpret_cast<Piece*>(piece_type->tp_alloc(piece_type, 0));
  if (!self) return nullptr;
  self->data = data;
  self->size = size;
  self->owner = Py_XNewRef(owner);
  enlist(self);
  note_viewed(owner);
  return reinterpret_cast<PyObject*>(self);
}

bool each_result_dependent(bool (*act)(PyObject*, void*), void* arg) {
  const auto one = [&](PyObject* object) { return act(object, arg); };
  return each_dependent_of<ResultOwner>(one) && each_dependent_of<Piece>(one);
}

bool keeps_results(PyTypeObject* type) { return type == result_owner_type || type == piece_type; }

int add_result_owner_types(PyObject* module) {
  result_owner_type = make_type(&result_owner_spec);
  piece_type = make_type(&piece_spec);
  if (!result_owner_type || !piece_type) return -1;
  return PyModule_AddObjectRef(module, "ResultOwner", reinterpret_cast<PyObject*>(result_owner_type));
}

}  // namespace samebytes
