// What C++ lends a callable by const T&, often a temporary object: a callable that keeps it keeps a copy.
#pragma once
#include <Python.h>

namespace samebytes {

// After a callable has returned, while the object is still there. A view of an object that C++ gave as const
// and that somebody but the caller holds becomes a view of a copy, which it owns, and what Python has of the
// inside of its bytes follows. What C++ cannot copy stays C++'s. The exception that is raised stays raised.
void keep_lent(PyObject* view);

}  // namespace samebytes
