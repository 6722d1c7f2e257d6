// The little that other files need to know of NumPy: its flags and its array type.
#pragma once
#include "array.hpp"

namespace samebytes {

void set_numpy_flags(ArraySpec& spec);

// numpy.ndarray (borrowed) once the running NumPy's array struct has been checked against its attributes.
PyTypeObject* ndarray_type();  // null: exception set

}  // namespace samebytes
