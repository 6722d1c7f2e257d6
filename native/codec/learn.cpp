// What a codec learns once it is made: classes and dtypes that it takes, too, and the shims of its class.
#include <new>

#include "callback/callback.hpp"
#include "object/classes.hpp"
#include "object/handle.hpp"

namespace samebytes {

namespace {

constexpr int kMaxAccepted = 64;

PyObject* learn(Codec& codec, const AcceptedType& what) {
  if (accepts(codec, what.type)) Py_RETURN_NONE;
  AcceptedType* head = codec.accepted.load(std::memory_order_acquire);
  int length = 0;
  for (auto* node = head; node; node = node->next, ++length) {
    if (node->type != &gone_class) continue;
    node->offset = what.offset;
    node->upcast = what.upcast;
    node->behind = what.behind;
    node->holds = what.holds;
    if (!remember_class(&node->type, what.type)) return nullptr;
    Py_RETURN_NONE;
  }
  if (length >= kMaxAccepted) Py_RETURN_NONE;  // the rest keep working through Python
  auto* node = new (std::nothrow) AcceptedType(what);
  if (!node) return PyErr_NoMemory();
  if (!remember_class(&node->type, what.type)) return delete node, nullptr;
  node->next = codec.accepted.load(std::memory_order_acquire);
  while (!codec.accepted.compare_exchange_weak(node->next, node, std::memory_order_release)) {
  }
  Py_RETURN_NONE;
}

}  // namespace

PyObject* codec_accept(PyObject* self, PyObject* args) {
  Codec& codec = *as_codec(self);
  PyObject* object;
  Py_ssize_t offset = 0;
  unsigned long long upcast = 0;
  if (!PyArg_ParseTuple(args, "O|nK:accept", &object, &offset, &upcast)) return nullptr;
  if (offset < 0) return value_error("a base is inside its object"), nullptr;
  auto* type = reinterpret_cast<PyTypeObject*>(object);
  const bool pointer = codec.kind == Kind::pointer;
  const bool usable =
      PyType_Check(object) && (is_instance_class(type) || (pointer && PyType_IsSubtype(type, pointer_type)));
  const bool bytes =
      codec.adapts && PyType_Check(object) && type->tp_as_buffer && type->tp_as_buffer->bf_getbuffer;
  const bool takes = pointer || codec.kind == Kind::structure || codec.kind == Kind::handle;
  const bool number =
      codec.kind == Kind::enumeration && PyType_Check(object) && PyType_IsSubtype(type, &PyLong_Type);
  if (!((usable || bytes) && takes) && !number)
    return PyErr_SetString(PyExc_TypeError,
                           "a codec accepts classes derived from Value, Record or Pointer, that of an "
                           "enumeration those derived from int"),
           nullptr;
  auto* const shim = reinterpret_cast<void (*)(void**)>(upcast);
  return learn(codec, {type, shim ? kNowhere : offset, nullptr, shim, offset, Holds::bytes});
}

PyObject* codec_accept_address(PyObject* self, PyObject* args) {
  Codec& codec = *as_codec(self);
  PyObject* object;
  unsigned long long address;
  if (!PyArg_ParseTuple(args, "OK:accept_address", &object, &address)) return nullptr;
  PyTypeObject* const type = Py_TYPE(object);
  if (codec.kind != Kind::pointer || is_pointer_class(type) || is_instance_class(type))
    return type_error("a pointer accepts classes of objects that hold an address"), nullptr;
  if (type->tp_as_buffer && type->tp_as_buffer->bf_getbuffer)
    return learn(codec, {type, 0, nullptr, nullptr, 0, Holds::address});
  const auto& reference = *reinterpret_cast<const Reference*>(object);
  const bool lies_so = type->tp_basicsize >= static_cast<Py_ssize_t>(sizeof(Reference)) && address &&
                       reference.tag == 'P' && reinterpret_cast<uintptr_t>(reference.value) == address;
  if (!lies_so) Py_RETURN_NONE;  // Python goes on reading them
  return learn(codec, {type, 0, nullptr, nullptr, 0, Holds::reference});
}

PyObject* codec_accept_callables(PyObject* self, PyObject* plan) {
  Codec& codec = *as_codec(self);
  if (codec.kind != Kind::pointer || !Py_IS_TYPE(plan, callback_plan_type) ||
      !as_callback_plan(plan)->is_function)
    return type_error("a pointer takes callables as a CallbackPlan of C functions says"), nullptr;
  if (!codec.callbacks) codec.callbacks = Py_NewRef(plan);
  Py_RETURN_NONE;
}

PyObject* codec_set_destroy(PyObject* self, PyObject* address) {
  Codec& codec = *as_codec(self);
  if (codec.kind != Kind::handle || codec.destroy)
    return value_error("a handle is given its destructor once"), nullptr;
  void* shim = PyLong_AsVoidPtr(address);
  if (!shim) return PyErr_Occurred() ? nullptr : (value_error("a shim's address is not null"), nullptr);
  codec.destroy = reinterpret_cast<void (*)(void**)>(shim);
  Py_RETURN_NONE;
}

PyObject* codec_set_room(PyObject* self, PyObject* args) {
  Codec& codec = *as_codec(self);
  PyObject *room, *unroom;
  if (!PyArg_ParseTuple(args, "OO:set_room", &room, &unroom)) return nullptr;
  void* const made = PyLong_AsVoidPtr(room);
  void* const given_back = PyErr_Occurred() ? nullptr : PyLong_AsVoidPtr(unroom);
  if (PyErr_Occurred()) return nullptr;
  if (codec.kind != Kind::handle || codec.room || !made || !given_back)
    return value_error("a handle is given its memory once"), nullptr;
  codec.unroom = reinterpret_cast<void (*)(void**)>(given_back);
  codec.room = reinterpret_cast<void (*)(void**)>(made);
  Py_RETURN_NONE;
}

PyObject* codec_set_dynamic(PyObject* self, PyObject* args) {
  Codec& codec = *as_codec(self);
  PyObject *address, *derived;
  if (!PyArg_ParseTuple(args, "OO!:set_dynamic", &address, &PyTuple_Type, &derived)) return nullptr;
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(derived); ++i)
    if (!PyType_Check(PyTuple_GET_ITEM(derived, i))) return type_error("derived are classes"), nullptr;
  void* const shim = PyLong_AsVoidPtr(address);
  if (PyErr_Occurred()) return nullptr;
  if (codec.kind != Kind::handle || codec.dynamic || !shim)
    return value_error("a handle is told once how to find out what an object is"), nullptr;
  codec.derived = Py_NewRef(derived);
  codec.dynamic = reinterpret_cast<void (*)(void**)>(shim);
  Py_RETURN_NONE;
}

PyObject* codec_accept_dtype(PyObject* self, PyObject* dtype) {
  Codec& codec = *as_codec(self);
  if (codec.kind != Kind::pointer && codec.kind != Kind::array)
    return PyErr_SetString(PyExc_TypeError, "only pointers and arrays accept a dtype"), nullptr;
  const Ref objects = Ref::steal(PyObject_GetAttrString(dtype, "hasobject"));
  const int refused = objects ? PyObject_IsTrue(objects.get()) : -1;
  if (refused > 0) PyErr_SetString(PyExc_TypeError, "elements that are Python objects are not data");
  if (refused || !codec.array.accept_dtype(dtype)) return nullptr;
  Py_RETURN_NONE;
}

}  // namespace samebytes
