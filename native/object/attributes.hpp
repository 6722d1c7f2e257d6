// Attributes of Python's, for objects of classes that Python derives from C++'s.
#pragma once
#include "object/handle.hpp"

namespace samebytes {

int add_attributes_type(PyObject* module);

}  // namespace samebytes
