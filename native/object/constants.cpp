// The numbers of objects that Python reads off the module.
#include "constants.hpp"

#include "object/allocation.hpp"

namespace samebytes {

int add_object_constants(PyObject* module) { return add_constants(module, {{"MOST_FACTORS", kMostFactors}}); }

}  // namespace samebytes
