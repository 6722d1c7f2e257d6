// The numbers of callbacks that Python reads off the module.
#include "constants.hpp"

#include "callback/callback.hpp"
#include "callback/closure.hpp"
#include "callback/unwinding.hpp"

namespace samebytes {

int add_callback_constants(PyObject* module) {
  const ClosureRegisters registers = closure_registers();
  const Ref pair = has_closures() ? Ref::steal(Py_BuildValue("(ii)", registers.general, registers.real))
                                  : Ref::borrow(Py_None);
  if (!pair || PyModule_AddObjectRef(module, "CLOSURE_REGISTERS", pair.get()) < 0) return -1;
  return add_constants(module, {{"MOST_CALLBACK_ARGUMENTS", kMostCallbackArguments},
                                {"EXCEPTION_PASSES", static_cast<long>(Leaving::passes)},
                                {"EXCEPTION_IS_CAUGHT", static_cast<long>(Leaving::caught)},
                                {"EXCEPTION_ENDS", static_cast<long>(Leaving::ends)},
                                {"EXCEPTION_FATE_IS_UNKNOWN", static_cast<long>(Leaving::unknown)},
                                {"CLOSURES", closure_count()},
                                {"CLOSURES_AT_REST", kClosuresAtRest}});
}

}  // namespace samebytes
