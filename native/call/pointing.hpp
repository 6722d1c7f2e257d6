// What a Pointer is made of: see call/pointing.cpp.
#pragma once
#include "object/instance.hpp"

namespace samebytes {

// What keeps the memory behind a pointer valid, whatever it is made to point to later; a new reference or
// null. A subclass may hold memory in ways of its own, so it is held itself.
Ref content_of(Pointer* from);

// Makes the pointer point elsewhere; what kept the old memory valid is released once, after that.
bool point(PyObject* self, PyObject* args, PyObject* kwargs);

extern PyMethodDef rule_functions[];

}  // namespace samebytes
