// Pointers stored inside values and records: encoding them so that what they point into stays alive.
#include <cstring>

#include "instance.hpp"

namespace samebytes {

namespace {

// Views and nested records leave the keeping to the record whose bytes they are.
Instance* root_of(Instance* instance) {
  while (instance->owner && is_record_class(Py_TYPE(instance)) && is_record_class(Py_TYPE(instance->owner)))
    instance = as_instance(instance->owner);
  return instance;
}

bool keep(Instance* instance, const char* address, PyObject* object) {
  Instance* root = root_of(instance);
  if (object == Py_None && !root->kept) return true;
  if (!root->kept && !(root->kept = PyDict_New())) return false;
  Ref key = Ref::steal(PyLong_FromVoidPtr(const_cast<char*>(address)));
  return key && PyDict_SetItem(root->kept, key.get(), object) == 0;
}

// What keeps the memory valid that `object` was just encoded as pointing to. A memoryview also forbids
// exporters such as bytearray to move it.
Ref lasting(PyObject* object) {
  if (is_instance_class(Py_TYPE(object))) {
    Instance* root = root_of(as_instance(object));
    Ref kept = Ref::steal(root->kept ? PyDict_Copy(root->kept) : Py_NewRef(Py_None));
    return kept ? Ref::steal(PyTuple_Pack(2, object, kept.get())) : Ref();
  }
  if (PyObject_CheckBuffer(object)) {
    Ref view = Ref::steal(PyMemoryView_FromObject(object));
    if (view) return view;
    PyErr_Clear();  // an array of a dtype without a format; the array itself owns its memory
  }
  return Ref::borrow(object);
}

}  // namespace

Match encode_kept(Instance* instance, const CodecField& field, PyObject* object) {
  Keep locked;
  const Codec& codec = *field.codec;
  if (likely(!codec.has_pointers)) return encode_field(field, object, instance->data, locked);
  // Pointers in tuples and lists: Python's converter knows what to hold for each.
  if (PyTuple_Check(object) || PyList_Check(object)) return Match::no;
  Ref lasts = lasting(object);
  if (!lasts) return Match::error;
  const Match match = encode_field(field, object, instance->data, locked);
  if (match != Match::yes) return match;
  return keep(instance, instance->data + field.offset, lasts.get()) ? Match::yes : Match::error;
}

bool copy_converted(Instance* instance, char* out, Py_ssize_t size, PyObject* converted) {
  PyObject* bytes = converted;
  PyObject* owner = Py_None;
  if (PyTuple_CheckExact(converted) && PyTuple_GET_SIZE(converted) == 2) {
    bytes = PyTuple_GET_ITEM(converted, 0);
    owner = PyTuple_GET_ITEM(converted, 1);
  }
  if (!PyBytes_Check(bytes) || PyBytes_GET_SIZE(bytes) != size) {
    PyErr_Format(PyExc_SystemError, "converting to %s gave %R instead of %zd bytes",
                 Py_TYPE(instance)->tp_name, bytes, size);
    return false;
  }
  // A whole instance comes with a dict: offset (bytes) -> what the pointers there point into.
  if (PyDict_CheckExact(owner)) {
    PyObject *offset, *target;
    for (Py_ssize_t i = 0; PyDict_Next(owner, &i, &offset, &target);) {
      const Py_ssize_t where = PyLong_AsSsize_t(offset);
      if ((where == -1 && PyErr_Occurred()) || !keep(instance, out + where, target)) return false;
    }
  } else if (!keep(instance, out, owner)) {
    return false;
  }
  std::memcpy(out, PyBytes_AS_STRING(bytes), size);
  return true;
}

}  // namespace samebytes
