// The internal type Share: the smart pointer that owns a viewed object. And what shims ask of Python objects.
#include "owned.hpp"

#include <cstring>

#include "scalar.hpp"

namespace samebytes {

namespace {

PyTypeObject* share_type;

struct Share {
  PyObject_HEAD Box* box;
  PyObject* owner;  // of the box
};

// As for Held: what it holds never changes.
void share_dealloc(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  Py_XDECREF(reinterpret_cast<Share*>(self)->owner);
  type->tp_free(self);
  Py_DECREF(type);
}

// The box of the smart pointer that owns an object; null: none does.
Box* box_of(PyObject* object) {
  PyObject* owner = is_record_class(Py_TYPE(object)) ? as_instance(object)->owner : nullptr;
  return owner && Py_IS_TYPE(owner, share_type) ? reinterpret_cast<Share*>(owner)->box : nullptr;
}

// --- what shims call, in any thread, with or without the GIL ---

bool is_over() {
#if PY_VERSION_HEX >= 0x030D0000
  return !Py_IsInitialized() || Py_IsFinalizing();
#else
  return !Py_IsInitialized() || _Py_IsFinalizing();
#endif
}

void retain(void* object) {
  const PyGILState_STATE state = PyGILState_Ensure();
  Py_INCREF(static_cast<PyObject*>(object));
  PyGILState_Release(state);
}

void release(void* object) {
  if (is_over()) return;  // C++ outlives Python
  const PyGILState_STATE state = PyGILState_Ensure();
  Py_DECREF(static_cast<PyObject*>(object));
  PyGILState_Release(state);
}

bool take(void* object) {
  const PyGILState_STATE state = PyGILState_Ensure();
  Handle* handle = as_handle(static_cast<PyObject*>(object));
  const bool there = handle->data != nullptr;
  if (there) {
    if (Box* box = box_of(static_cast<PyObject*>(object))) box->forget(box->pointer);
    handle->data = nullptr;
    handle->destroy = nullptr;
    Py_SET_SIZE(handle, 0);  // no size fits any more: every path stops here
  }
  PyGILState_Release(state);
  return there;
}

struct Api {
  void (*retain)(void*);
  void (*release)(void*);
  bool (*take)(void*);
};
constexpr Api kApi = {retain, release, take};

// --- what Python's conversion asks ---

PyObject* owned(PyObject*, PyObject* object) {
  const Box* box = box_of(object);
  const bool handle = is_handle_class(Py_TYPE(object));
  const bool heap = handle && as_handle(object)->destroy && as_handle(object)->heap;
  return Py_BuildValue("KOOO", reinterpret_cast<unsigned long long>(box),
                       box && box->forget ? Py_True : Py_False, heap ? Py_True : Py_False,
                       handle && is_taken(object) ? Py_True : Py_False);
}

PyMethodDef functions[] = {
    {"owned", owned, METH_O,
     "owned(object, /)\n--\n\nThe box of the smart pointer that owns it or 0, whether that is a "
     "std::unique_ptr, whether C++ could delete it, whether C++ has taken it over."},
    {}};

PyType_Slot share_slots[] = {{Py_tp_dealloc, reinterpret_cast<void*>(share_dealloc)},
                             {Py_tp_doc, const_cast<char*>("The smart pointer that owns an object.")},
                             {}};
constexpr unsigned kFlags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE | Py_TPFLAGS_DISALLOW_INSTANTIATION;
PyType_Spec share_spec = {"samebytes._native.Share", sizeof(Share), 0, kFlags, share_slots};

}  // namespace

PyObject* decode_owner(const Codec& codec, const char* data, PyObject* owner) {
  const auto wire = load<OwnerWire>(data);
  if (!wire.object) Py_RETURN_NONE;
  auto* share = reinterpret_cast<Share*>(share_type->tp_alloc(share_type, 0));
  if (!share) return nullptr;
  share->box = static_cast<Box*>(wire.box);
  share->owner = Py_XNewRef(owner);
  const Ref held = Ref::steal(reinterpret_cast<PyObject*>(share));
  return view_object(*codec.element, static_cast<char*>(wire.object), held.get(), codec.is_const);
}

int add_owned_type(PyObject* module) {
  share_type = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&share_spec));
  if (!share_type || PyModule_AddFunctions(module, functions) < 0) return -1;
  const Ref api = Ref::steal(PyLong_FromVoidPtr(const_cast<Api*>(&kApi)));
  return api ? PyModule_AddObjectRef(module, "OWNER_API", api.get()) : -1;
}

}  // namespace samebytes
