// The Python type Method: a plan as an attribute of a class, called with its object without a bound method.
#pragma once
#include "call/plan.hpp"

namespace samebytes {

PyObject* new_method(Plan& plan, CallFunction call);  // null: exception set

bool is_method(PyObject* object);
void set_call(PyObject* method, CallFunction call);
// What a call of the method does.
PyObject* call_method(PyObject* method, PyObject* const* args, Py_ssize_t count, PyObject* names);
int add_method_type(PyObject* module);

}  // namespace samebytes
