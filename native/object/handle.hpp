// The Python type Handle: a C++ object that is no bytes, made, copied and destroyed by C++ alone.
#pragma once
#include "call/plan.hpp"
#include "object/instance.hpp"

namespace samebytes {

// Begins like any record's instance, so that fields read it: inline in its payload, or a view of an object
// that something else owns.
struct alignas(16) Handle {
  PyObject_VAR_HEAD char* data;
  PyObject* owner;
  PyObject* pointee_owners;
  Dependent dependent;
  PyObject* weak_references;
  Shim destroy;          // null: not constructed yet, or a view
  bool is_const;         // of a view: C++ gave it as const
  bool heap : 1;         // the object lies in memory that C++ can take over
  bool claimed : 1;      // a call is about to have C++ take it over
  bool overriding : 1;   // see object/overriding.hpp
  bool watched : 1;      // of such an object: C++ says when it ends
  bool given : 1;        // ... and owns it, and a reference to the handle
  bool copied : 1;       // see object/shown_copy.hpp
  bool unmade : 1;       // an __init__ of Python's has still to have C++'s constructor make the object
  uint8_t bucket;        // of the memory that it lies in
  bool viewed;           // Python may have objects that lie inside of it or refer to it: see call/seen.hpp
  uint32_t shares;       // std::shared_ptr of C++'s that hold it
  PyObject* attributes;  // strong or null: what an object of a class of Python's has besides, by name
};

extern PyTypeObject* handle_type;

inline Handle* as_handle(PyObject* object) { return reinterpret_cast<Handle*>(object); }
inline bool is_handle_class(PyTypeObject* type) { return PyType_IsSubtype(type, handle_type); }
inline bool is_const_object(PyObject* object) {
  return is_handle_class(Py_TYPE(object)) && as_handle(object)->is_const;
}

// A handle without its C++ object, which a shim then makes at `data`.
PyObject* new_handle(PyTypeObject* type, const Codec& codec);
// The same for a class whose __init__, which is Python's, has C++ make the object: until then the handle has
// no size, and is none to anybody but the constructor.
PyObject* new_unmade(PyTypeObject* type, const Codec& codec);
// Gives such a handle the memory that C++ makes the object in, or takes it away again. False: exception set.
bool give_room(PyObject* handle, const Codec& codec);
void take_room(PyObject* handle);
// Its constructor begins: until that ends, nobody else has the object.
inline void begin_making(PyObject* object) {
  if (is_handle_class(Py_TYPE(object)) && as_handle(object)->unmade) as_handle(object)->claimed = true;
}
// The C++ object is there: it is destroyed with the handle, which keeps what the object may refer to.
void complete_handle(PyObject* handle, const Codec& codec);
// A view of a record or of a handle, by the codec of its class.
// Unless `exact`, of an object of a derived class that of this class.
// A handle knows itself that C++ gave it as const; a record is marked.
PyObject* view_object(const Codec& codec, char* data, PyObject* owner, bool is_const, bool exact = false);

// Whether an object may be viewed that lies where Python found it inside of `owner`: not of a handle whose
// object is gone, perhaps since. False: exception set.
bool check_there(PyObject* owner);

// Has objects of a class that adds nothing die without Python's search for what it might have added.
void dies_directly(PyTypeObject* type);

int add_handle_type(PyObject* module);
int add_virtual_type(PyObject* module);
int add_base_member_type(PyObject* module);

}  // namespace samebytes
