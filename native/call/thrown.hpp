// C++ exceptions as Python's.
#pragma once
#include "call/plan.hpp"

namespace samebytes {

// Null. `nogil`: of a call without the GIL.
PyObject* raise_shim_error(ShimError& error, bool nogil);
// Of an error that nobody is told.
void drop_shim_error(ShimError& error);
// The exceptions that the codes of an error record mean, as a tuple.
Ref exceptions_by_code();
// What libraries are told to call for an exception that left a destructor.
int add_unraised(PyObject* module);

}  // namespace samebytes
