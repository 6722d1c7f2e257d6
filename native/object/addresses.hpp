// Addresses that a pointer or an int is, for as long as a call takes.
#pragma once
#include "call/resources.hpp"
#include "codec/scalar.hpp"
#include "object/instance.hpp"

namespace samebytes {

// Where a pointer points. What it holds is held, too: another thread may make it point elsewhere during the
// call. false: MemoryError is set.
inline bool pointer_address(PyObject* object, void*& address, CallResources& resources) {
  const Pointer* const pointer = as_pointer(object);
  address = pointer->address;
  return !(pointer->held && pointer->owner) || resources.hold(Py_NewRef(pointer->owner));
}

// false: the int is negative, or too wide.
inline bool int_address(PyObject* number, void*& address) {
  uint64_t bits;
  bool negative;
  if (!long_int(number, bits, negative) || negative) return false;
  address = reinterpret_cast<void*>(bits);
  return true;
}

}  // namespace samebytes
