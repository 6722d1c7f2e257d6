// The objects that are bytes: values and records share one struct, pointers have another. Both are stable.
#pragma once
#include <Python.h>

#include "codec/codec.hpp"
#include "linked.hpp"
#include "ref.hpp"

namespace samebytes {

// An object's place in the list of those that depend on others: see object/dependents.hpp.
using Dependent = Linked;

// ob_size is the payload's size in bytes, also of a view. An inline payload follows the struct, aligned.
struct Instance {
  PyObject_VAR_HEAD char* data;
  PyObject* owner;  // what a view views, or what a result's pointers point into; never changes
  PyObject*
      pointee_owners;  // dict or null: what the pointers inside point into; see codec/pointee_owners.hpp
  Dependent dependent;
};

// A record, which others may refer to weakly. An inline payload follows the struct, aligned.
struct alignas(16) Record {
  Instance instance;
  PyObject* weak_references;  // CPython's list
};

// The same struct as in samebytes/pointer.h: other modules derive from it.
struct Pointer {
  PyObject_HEAD void* address;
  PyObject* owner;        // what keeps the memory valid, or null; __init__ exchanges it
  uint16_t made;          // __new__ has made use of the arguments
  uint16_t held;          // __init__ may release the owner: whoever uses the address holds it
  uint32_t const_levels;  // as a codec's: where C++ gave what is behind the address as const
  Dependent dependent;
};

// A pointer that knows which array is there.
struct Shown {
  Pointer pointer;
  PyObject* array;  // a view, or null: nothing is known but the address
};

extern PyTypeObject* value_type;
extern PyTypeObject* record_type;
extern PyTypeObject* pointer_type;
extern PyTypeObject* shown_type;

inline Instance* as_instance(PyObject* object) { return reinterpret_cast<Instance*>(object); }
inline Pointer* as_pointer(PyObject* object) { return reinterpret_cast<Pointer*>(object); }
inline Shown* as_shown(PyObject* object) { return reinterpret_cast<Shown*>(object); }
inline bool is_pointer_class(PyTypeObject* type) { return PyType_IsSubtype(type, pointer_type); }
// Whether a codec is of pointers to functions, or of handles: pointers of other classes are none of those.
inline bool is_opaque(const Codec& codec) { return codec.python && is_pointer_class(codec.python); }
// Whether C++ could write through the codec's pointers to what it gave as const.
inline bool drops_const(const Codec& codec, PyObject* pointer) {
  return as_pointer(pointer)->const_levels & codec.mutable_levels;
}
// Whether a pointer's declaration says how many elements there are at least.
inline bool is_counted(const Codec& codec) { return codec.count && codec.least; }

inline bool is_shown_class(PyTypeObject* type) { return PyType_IsSubtype(type, shown_type); }
inline bool is_record_class(PyTypeObject* type) { return PyType_IsSubtype(type, record_type); }
inline bool is_instance_class(PyTypeObject* type) {
  return PyType_IsSubtype(type, value_type) || is_record_class(type);
}

// How far behind the beginning of an object its own bytes begin, a handle's too, unless they are aligned
// further.
constexpr uintptr_t kOwnBytesReach = sizeof(Record) + 64;

// Whether an instance's bytes lie in the object itself, and not in memory that another placed.
inline bool has_own_bytes(PyObject* object) {
  const auto at =
      reinterpret_cast<uintptr_t>(as_instance(object)->data) - reinterpret_cast<uintptr_t>(object);
  return at <= kOwnBytesReach && !as_instance(object)->owner;
}

// Where an object has a virtual base, or one behind it; null: nowhere, as C++ has taken the object or it
// died.
char* virtual_data(const AcceptedType& node, PyObject* object);

// Where an instance of an accepted class has the part of so many bytes; null: nowhere.
inline char* accepted_data(const AcceptedType& node, PyObject* object, Py_ssize_t size) {
  if (likely(Py_SIZE(object) >= node.offset + size)) return as_instance(object)->data + node.offset;
  return node.upcast ? virtual_data(node, object) : nullptr;
}

// Where the bytes of an object are for a codec: those of its base, if it is of a derived class. Null: the
// codec does not take its class.
inline char* instance_data(const Codec& codec, PyObject* object) {
  if (likely(Py_TYPE(object) == codec.python && Py_SIZE(object) == codec.size))
    return as_instance(object)->data;
  const AcceptedType* node = find_accepted(codec, Py_TYPE(object));
  return node ? accepted_data(*node, object, codec.size) : nullptr;
}

// The attribute __class__ of objects whose class says what their bytes are: it is read, and never set.
inline PyObject* own_class(PyObject* self, void*) {
  return Py_NewRef(reinterpret_cast<PyObject*>(Py_TYPE(self)));
}
inline int refuse_class(PyObject* self, PyObject*, void*) {
  PyErr_Format(PyExc_TypeError, "the class of a %s cannot be changed: its bytes are those of its class",
               Py_TYPE(self)->tp_name);
  return -1;
}

// The codec of an instance's class.
Ref class_codec(PyTypeObject* type);

// A new instance: with `from` a copy of those bytes, else zeros.
PyObject* new_instance(PyTypeObject* type, const Codec& codec, const char* from, PyObject* owner);
PyObject* view_instance(PyTypeObject* type, Py_ssize_t size, char* data, PyObject* owner);

// `type` derives from Pointer; null: Pointer itself.
PyObject* new_pointer(void* address, PyObject* owner, PyTypeObject* type = nullptr,
                      uint32_t const_levels = 0);
// A pointer of class `type` to the array that a view shows.
PyObject* new_shown(PyTypeObject* type, PyObject* view);
// A Pointer to the same place that nobody can make to point elsewhere; null: exception set.
Ref frozen(PyObject* pointer);

int add_instance_types(PyObject* module);
int add_field_type(PyObject* module);
int add_pointer_type(PyObject* module);
int add_shown_type(PyObject* module);
int add_pointer_api(PyObject* module);

}  // namespace samebytes
