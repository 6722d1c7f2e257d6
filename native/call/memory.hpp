// Memory that a returned pointer may point into: the frame of the call, and all that the call held.
#pragma once
#include "call/resources.hpp"

namespace samebytes {

// A Python object, so that pointers can own it. `block` is aligned to the `align` it was made with.
struct Memory {
  PyObject_VAR_HEAD CallResources resources;
  char* block;
};

Memory* new_memory(size_t size, size_t align);  // null: exception set

bool is_memory(PyTypeObject* type);
inline Memory* as_memory(PyObject* object) { return reinterpret_cast<Memory*>(object); }

int add_memory_type();

}  // namespace samebytes
