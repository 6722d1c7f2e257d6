// The capsule by which C takes and makes pointers: samebytes/pointer.h says what is in it.
#include <cstddef>

#include "../src/samebytes/include/samebytes/pointer.h"
#include "object/instance.hpp"

namespace samebytes {

namespace {

static_assert(sizeof(samebytes_Pointer) == sizeof(Pointer));
static_assert(offsetof(samebytes_Pointer, address) == offsetof(Pointer, address));
static_assert(offsetof(samebytes_Pointer, owner) == offsetof(Pointer, owner));
static_assert(offsetof(samebytes_Pointer, const_levels) == offsetof(Pointer, const_levels));

PyObject* make(void* address, PyObject* owner) { return new_pointer(address, owner); }

PyObject* from_object(PyObject* object, int readonly) {
  if (PyObject_TypeCheck(object, pointer_type)) {
    if (readonly || !(as_pointer(object)->const_levels & 1)) return Py_NewRef(object);
    PyErr_Format(PyExc_TypeError,
                 "expected a Pointer to what C may write to, got %R: Pointer(x, readonly=True) says that it "
                 "will not",
                 object);
    return nullptr;
  }
  Ref args = Ref::steal(PyTuple_Pack(1, object));
  Ref named = Ref::steal(Py_BuildValue("{s:O}", "readonly", readonly ? Py_True : Py_False));
  if (!args || !named) return nullptr;
  return PyObject_Call(reinterpret_cast<PyObject*>(pointer_type), args.get(), named.get());
}

int address(PyObject* pointer, void** out) {
  if (!PyObject_TypeCheck(pointer, pointer_type)) {
    PyErr_Format(PyExc_TypeError, "expected a samebytes.Pointer, got %s", Py_TYPE(pointer)->tp_name);
    return -1;
  }
  *out = reinterpret_cast<Pointer*>(pointer)->address;
  return 0;
}

samebytes_PointerApi api = {SAMEBYTES_POINTER_API_VERSION, nullptr, make, from_object, address};

}  // namespace

int add_pointer_api(PyObject* module) {
  api.type = pointer_type;
  Ref capsule = Ref::steal(PyCapsule_New(&api, SAMEBYTES_POINTER_API_NAME, nullptr));
  return capsule ? PyModule_AddObjectRef(module, "pointer_api", capsule.get()) : -1;
}

}  // namespace samebytes
