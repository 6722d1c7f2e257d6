// Attributes of Python's, for objects of classes that Python derives from C++'s.
#pragma once
#include "object/handle.hpp"

namespace samebytes {

// The function that the class of an object has by a name, to be called with the object before its arguments.
// Borrowed; null, with no exception: only Python's own way of looking it up tells.
PyObject* plain_method(PyObject* object, PyObject* name);

// Whether such an object has an attribute of its own by a name, which stands before a function of the class.
bool has_attribute(PyObject* object, PyObject* name);

int add_attributes_type(PyObject* module);

}  // namespace samebytes
