// Integers that are no plain ints.
#pragma once
#include <Python.h>

#include <cstdint>

namespace samebytes {

// The number that an object is: a member of an enumeration of ints, or of any class derived from int that
// leaves int() as it was; an integer of NumPy's. False: it is none of these, or does not fit 64 bits.
bool other_int(PyObject* object, uint64_t& out, bool& negative);

int add_integer_functions(PyObject* module);

}  // namespace samebytes
