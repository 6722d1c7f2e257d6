// The internal type of a call's memory: see call/memory.hpp.
#include "call/memory.hpp"

#include <new>

namespace samebytes {

namespace {

PyTypeObject* memory_type;

// What it holds never changes once the call has ended, so a cycle through it passes through something else
// that can be cleared.
int memory_traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  return as_memory(self)->resources.visit(visit, arg);
}

void memory_dealloc(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  PyObject_GC_UnTrack(self);
  as_memory(self)->resources.~CallResources();
  type->tp_free(self);
  Py_DECREF(type);
}

PyType_Slot memory_slots[] = {
    {Py_tp_dealloc, reinterpret_cast<void*>(memory_dealloc)},
    {Py_tp_traverse, reinterpret_cast<void*>(memory_traverse)},
    {Py_tp_doc, const_cast<char*>("What a call held, for the pointers that it returned.")},
    {}};

PyType_Spec memory_spec = {
    "samebytes._native.Memory", sizeof(Memory), 1,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_IMMUTABLETYPE | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    memory_slots};

}  // namespace

Memory* new_memory(size_t size, size_t align) {
  auto* self = PyObject_GC_NewVar(Memory, memory_type, static_cast<Py_ssize_t>(size + align));
  if (!self) return nullptr;
  new (&self->resources) CallResources();
  const uintptr_t end = reinterpret_cast<uintptr_t>(self + 1) + align - 1;
  self->block = reinterpret_cast<char*>(end & ~static_cast<uintptr_t>(align - 1));
  PyObject_GC_Track(reinterpret_cast<PyObject*>(self));
  return self;
}

bool is_memory(PyTypeObject* type) { return type == memory_type; }

int add_memory_type() {
  memory_type = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&memory_spec));
  return memory_type ? 0 : -1;
}

}  // namespace samebytes
