// What Python and the core share as numbers: the core states it, and Python reads it off the module.
#pragma once
#include <Python.h>

#include <initializer_list>

namespace samebytes {

struct Constant {
  const char* name;
  long value;
};

inline int add_constants(PyObject* module, std::initializer_list<Constant> all) {
  for (const Constant& one : all)
    if (PyModule_AddIntConstant(module, one.name, one.value) < 0) return -1;
  return 0;
}

// Each folder's, in its own constants.cpp; -1: exception set.
int add_array_constants(PyObject* module);
int add_call_constants(PyObject* module);
int add_callback_constants(PyObject* module);
int add_codec_constants(PyObject* module);
int add_object_constants(PyObject* module);

}  // namespace samebytes
