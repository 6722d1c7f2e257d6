// What Python reads off the module of calls: the flags of arguments, why C++ cannot have an object, and the
// exceptions that a shim's error record means.
#include "constants.hpp"

#include "call/reasons.hpp"
#include "call/thrown.hpp"

namespace samebytes {

namespace {

int add_reasons(PyObject* module) {
  const Ref names = Ref::steal(PyTuple_New(kReasonCount));
  for (int i = 0; names && i < kReasonCount; ++i) {
    PyObject* const name = PyUnicode_InternFromString(kReasons[i]);
    if (!name) return -1;
    PyTuple_SET_ITEM(names.get(), i, name);
  }
  return names ? PyModule_AddObjectRef(module, "REASONS", names.get()) : -1;
}

}  // namespace

int add_call_constants(PyObject* module) {
  const Ref thrown = exceptions_by_code();
  if (!thrown || PyModule_AddObjectRef(module, "EXCEPTIONS", thrown.get()) < 0 || add_reasons(module) < 0)
    return -1;
  return add_constants(module, {{"MAX_ARGUMENTS", kMaxArguments},
                                {"MAX_FRAME", kMaxFrame},
                                {"MAX_ALIGN", kMaxAlign},
                                {"COPY", kCopy},
                                {"INDIRECT", kIndirect},
                                {"REFERENCE", kReference},
                                {"RETAINED", kRetained},
                                {"TAKES", kTakes},
                                {"MOVES", kMoves},
                                {"CARRIES", kCarries},
                                {"OWN_BYTES", kOwnBytes}});
}

}  // namespace samebytes
