// Classes that caches remember without keeping them: where one is remembered, there is `gone_class` from the
// moment it dies, so that a class that comes to lie at the same address is not taken for it.
#pragma once
#include <Python.h>

namespace samebytes {

// The class of no object.
extern PyTypeObject gone_class __attribute__((visibility("hidden")));

// Puts `type` at `slot`, for as long as it lives; false: exception set, and nothing was put. With the GIL, as
// all of these; `slot` must not remember another class.
bool remember_class(PyTypeObject** slot, PyTypeObject* type);
// `slot` ends, or is to remember another class.
void forget_class(PyTypeObject** slot);

}  // namespace samebytes
