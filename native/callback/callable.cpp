// What a std::function asks that was made of a Python callable.
#include "callback/callable.hpp"

#include "../src/samebytes/include/samebytes/crossing/api.hpp"
#include "call/pending.hpp"
#include "call/scope.hpp"
#include "call/thrown.hpp"
#include "call/writes.hpp"
#include "callback/callback.hpp"
#include "callback/closure.hpp"
#include "callback/last_words.hpp"
#include "object/smart_pointer.hpp"

namespace samebytes {

namespace {

// An exception that stands for one of C++'s is that again, and goes to args[0].
callable_end raised(const Callback& callback, void** args) {
  if (args && may_throw_itself() && fly(args)) return callable_end::thrown;
  post_raised(callback.callable, callback.errors);
  return may_throw() ? callable_end::raised : callable_end::reported;
}

// args: where what keeps the result goes, the result, the arguments.
template <bool Throws>
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
      end = raised(callback, Throws ? static_cast<void**>(args[0]) : nullptr);
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

constexpr callable_api kApi = {retain_object, release_object, run<false>, last_words, run<true>};

}  // namespace

int add_callable_api(PyObject* module) {
  const Ref api = Ref::steal(PyLong_FromVoidPtr(const_cast<callable_api*>(&kApi)));
  const Ref functions = Ref::steal(PyLong_FromVoidPtr(const_cast<FunctionApi*>(&kFunctionApi)));
  if (!api || !functions || PyModule_AddObjectRef(module, "CALLABLE_API", api.get()) < 0) return -1;
  return PyModule_AddObjectRef(module, "FUNCTION_API", functions.get());
}

}  // namespace samebytes
