// Copies of what C++ has, and lets be changed there: elements of a container that is a member, say. Who
// writes to one would change nothing in C++, and is told.
#pragma once
#include "object/handle.hpp"

namespace samebytes {

// Whether a record is such a copy, or one that C++ gave as const, or lies in one; of a handle, its own flag
// says so.
bool is_copied_record(PyObject* record);

inline bool is_shown_copy(PyObject* object) {
  if (is_handle_class(Py_TYPE(object))) return as_handle(object)->copied;
  return is_record_class(Py_TYPE(object)) && as_instance(object)->owner && is_copied_record(object);
}

// Whether nothing may be written to an object: C++ gave it as const, or as a copy.
inline bool is_unwritable(PyObject* object) { return is_const_object(object) || is_shown_copy(object); }

// Makes one of an object that nobody else has yet. False: exception set.
bool mark_copy(PyObject* object);

// Whether C++ gave an object as const, and it is no copy.
bool is_constant(PyObject* object);
// Has an object that nobody else has yet refuse to be changed, as C++ gave it as const. False: exception set.
bool mark_const(PyObject* object);

int add_shown_copy_functions(PyObject* module);

}  // namespace samebytes
