// What a std::function asks that was made of a Python callable.
#include "callback/callable.hpp"

#include "../src/samebytes/include/samebytes/crossing/api.hpp"
#include "call/pending.hpp"
#include "call/scope.hpp"
#include "call/writes.hpp"
#include "callback/callback.hpp"
#include "callback/closure.hpp"
#include "callback/last_words.hpp"
#include "callback/leaving.hpp"
#include "object/smart_pointer.hpp"

namespace samebytes {

namespace {

// args: where what keeps the result goes, the result, the arguments.
template <Thrower Throws>
callable_end run(void* callable, void** args) {
  auto end = callable_end::done;
  const bool ran = in_python([&] {
    const PendingException pending;
    const Callback& callback = *as_callback(static_cast<PyObject*>(callable));
    Ref result_owner;
    if (run_callback(callback, reinterpret_cast<const char* const*>(args + 2), static_cast<char*>(args[1]),
                     result_owner)) {
      *static_cast<void**>(args[0]) = result_owner.release();
    } else {
      end = leave(*callback.plan, callback.callable, callback.errors, Throws, Caller::object,
                  static_cast<void**>(args[0]));
      if (end == callable_end::reported &&
          run_on_error(callback, static_cast<char*>(args[1]), result_owner)) {
        *static_cast<void**>(args[0]) = result_owner.release();
        end = callable_end::done;
      }
    }
    back_in_cxx();
  });
  if (likely(ran)) return end;
  tell_of_late_call();
  return callable_end::reported;
}

void* keep_function(void* function) {
  void* kept = nullptr;
  in_python([&] { kept = Py_XNewRef(reinterpret_cast<PyObject*>(callback_of(function))); });
  return kept;
}

struct FunctionApi {  // samebytes_function_api of crossing/function.hpp
  void* (*keep)(void* function);
  void (*drop)(void* kept);
};
constexpr FunctionApi kFunctionApi = {keep_function, release_object};

constexpr callable_api kApi = {retain_object, release_object, run<Thrower::own>, last_words,
                               run<Thrower::common>};

}  // namespace

int add_callable_api(PyObject* module) {
  const Ref api = Ref::steal(PyLong_FromVoidPtr(const_cast<callable_api*>(&kApi)));
  const Ref functions = Ref::steal(PyLong_FromVoidPtr(const_cast<FunctionApi*>(&kFunctionApi)));
  if (!api || !functions || PyModule_AddObjectRef(module, "CALLABLE_API", api.get()) < 0) return -1;
  return PyModule_AddObjectRef(module, "FUNCTION_API", functions.get());
}

}  // namespace samebytes
