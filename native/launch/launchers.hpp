// What stands in the places of overloads' shims, as Python is told of it.
#pragma once
#include <Python.h>

#include <initializer_list>

#include "ref.hpp"

namespace samebytes {

// A tuple of the functions' addresses; null with an error set.
inline Ref addresses_of(std::initializer_list<void (*)(void**)> functions) {
  Ref all = Ref::steal(PyTuple_New(static_cast<Py_ssize_t>(functions.size())));
  Py_ssize_t i = 0;
  for (void (*const function)(void**) : functions) {
    PyObject* address = all ? PyLong_FromVoidPtr(reinterpret_cast<void*>(function)) : nullptr;
    if (address)
      PyTuple_SET_ITEM(all.get(), i++, address);
    else
      all = Ref();
  }
  return all;
}

}  // namespace samebytes
