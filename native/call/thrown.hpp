// C++ exceptions as Python's.
#pragma once
#include "call/plan.hpp"

namespace samebytes {

// Null. `nogil`: of a call without the GIL.
PyObject* raise_shim_error(ShimError& error, bool nogil);
// Of an error that nobody is told.
void drop_shim_error(ShimError& error);
// What Python raised in a callback and C++ throws now, as the exception of its own that it stands for: where
// that comes back, it is this one. Null: none does.
extern __thread PyObject* flown;
// Takes the exception that is raised now for that, and puts a std::exception_ptr to C++'s into a slot that is
// empty. False: it stands for none, and is still raised.
bool fly(void** slot);
// C++ threw it no further.
void land();
// The exceptions that the codes of an error record mean, as a tuple.
Ref exceptions_by_code();
// What libraries are told to call for an exception that left a destructor.
int add_unraised(PyObject* module);

}  // namespace samebytes
