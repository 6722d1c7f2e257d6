// Functions with overloads: builtin functions that have, beside what all have, `overload`.
#pragma once
#include "call/plan.hpp"

namespace samebytes {

PyObject* new_overloaded(Plan& plan);  // null: exception set

// What chooses an overload of a plan's by its C++ parameters; null: exception set, AttributeError where there
// is no choice.
PyObject* overload_of(const Plan& plan);

int ready_overloaded_type();  // negative: exception set

}  // namespace samebytes
