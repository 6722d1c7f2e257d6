// The Python type Method: a plan as an attribute of a class, called with its object without a bound method.
#pragma once
#include "plan.hpp"

namespace samebytes {

PyObject* new_method(Plan& plan, CallFunction call);  // null: exception set

int add_method_type(PyObject* module);

}  // namespace samebytes
