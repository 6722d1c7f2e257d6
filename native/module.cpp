// The extension module samebytes._native: everything that must be fast, and nothing else.
#include <Python.h>

#include "array/array.hpp"
#include "call/claim.hpp"
#include "call/dispatcher.hpp"
#include "call/ended.hpp"
#include "call/guarded_memory.hpp"
#include "call/memory.hpp"
#include "call/plan.hpp"
#include "call/running.hpp"
#include "call/scope.hpp"
#include "call/seen.hpp"
#include "call/thrown.hpp"
#include "call/tier3_general.hpp"
#include "call/unlocked.hpp"
#include "call/writes.hpp"
#include "callback/callable.hpp"
#include "callback/callback.hpp"
#include "clang/queries.hpp"
#include "codec/codec.hpp"
#include "codec/integers.hpp"
#include "constants.hpp"
#include "file_system.hpp"
#include "launch/cuda.hpp"
#include "launch/launching.hpp"
#include "launch/subscripts.hpp"
#include "launch/sycl.hpp"
#include "launch/track.hpp"
#include "object/allocation.hpp"
#include "object/atomic.hpp"
#include "object/attributes.hpp"
#include "object/ending.hpp"
#include "object/ending_type.hpp"
#include "object/gone.hpp"
#include "object/handle.hpp"
#include "object/instance.hpp"
#include "object/iterations.hpp"
#include "object/method.hpp"
#include "object/overriding.hpp"
#include "object/result_owner.hpp"
#include "object/shown_copy.hpp"
#include "object/smart_pointer.hpp"
#include "view/view.hpp"

namespace {

int execute(PyObject* module) {
  using namespace samebytes;
  static bool once = false;  // the types are global: one interpreter
  if (once) {
    PyErr_SetString(PyExc_ImportError,
                    "samebytes._native is loaded once in a process: another interpreter, or a second import "
                    "of it, cannot have it");
    return -1;
  }
  once = true;
  constexpr int (*parts[])(PyObject*) = {
      add_codec_type,
      add_pointer_type,
      add_shown_type,
      add_instance_types,
      add_field_type,
      add_plan_type,
      add_key_functions,
      add_array_functions,
      add_view_type,
      add_scope_functions,
      add_method_type,
      add_handle_type,
      add_shown_copy_functions,
      add_attributes_type,
      add_virtual_type,
      add_base_member_type,
      add_overriding_functions,
      add_dispatcher_type,
      add_claim_type,
      add_smart_pointer_type,
      add_seen_functions,
      add_callable_api,
      add_callback_plan_type,
      add_callback_type,
      add_unraised,
      add_ending_type,
      add_allocation_type,
      add_integer_functions,
      add_write_back_functions,
      add_running_functions,
      add_guarded_memory,
      add_gone_functions,
      add_ended_functions,
      add_unlocked_functions,
      add_array_constants,
      add_call_constants,
      add_callback_constants,
      add_codec_constants,
      add_object_constants,
      add_iterations,
      add_atomic,
      add_file_system,
      add_clang_queries,
      add_launch,
      add_launching,
      add_subscripts,
      add_tracks,
      add_sycl_launch,
      add_writes,
  };
  for (auto add : parts)
    if (add(module) < 0) return -1;
  if (add_memory_type() < 0 || add_result_owner_types(module) < 0) return -1;
  return watch_the_end();
}

PyModuleDef_Slot slots[] = {{Py_mod_exec, reinterpret_cast<void*>(execute)},
#if PY_VERSION_HEX >= 0x030C0000
                            {Py_mod_multiple_interpreters, Py_MOD_MULTIPLE_INTERPRETERS_NOT_SUPPORTED},
#endif
#if PY_VERSION_HEX >= 0x030D0000
                            // Nothing has run on a build without the GIL yet: there it is switched on.
                            {Py_mod_gil, Py_MOD_GIL_USED},
#endif
                            {0, nullptr}};

PyModuleDef definition = {PyModuleDef_HEAD_INIT,
                          "samebytes._native",
                          "The compiled core of samebytes.",
                          0,
                          nullptr,
                          slots,
                          nullptr,
                          nullptr,
                          nullptr};

}  // namespace

PyMODINIT_FUNC PyInit__native() { return PyModuleDef_Init(&definition); }
