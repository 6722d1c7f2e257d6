// What a std::function asks that was made of a Python callable.
#include "callback/callable.hpp"

#include "call/pending.hpp"
#include "call/scope.hpp"
#include "callback/callback.hpp"
#include "callback/last_words.hpp"
#include "object/owned.hpp"

namespace samebytes {

namespace {

constexpr int kDone = 0, kRaised = 1, kReported = 2;

// args: where what keeps the result goes, the result, the arguments.
int run(void* callable, void** args) {
  int code = kDone;
  in_python([&] {
    const PendingException pending;
    const Callback& callback = *as_callback(static_cast<PyObject*>(callable));
    Ref kept;
    if (run_callback(callback, reinterpret_cast<const char* const*>(args + 2), static_cast<char*>(args[1]),
                     kept)) {
      *static_cast<void**>(args[0]) = kept.release();
    } else {
      post_raised(callback.callable, callback.errors);
      code = may_throw() ? kRaised : kReported;
    }
  });
  return code;
}

struct Api {
  bool (*retain)(void*);
  void (*release)(void*);
  int (*run)(void*, void**);
  std::terminate_handler (*last_words)(std::terminate_handler);
};
constexpr Api kApi = {retain_object, release_object, run, last_words};

}  // namespace

int add_callable_api(PyObject* module) {
  const Ref api = Ref::steal(PyLong_FromVoidPtr(const_cast<Api*>(&kApi)));
  return api ? PyModule_AddObjectRef(module, "CALLABLE_API", api.get()) : -1;
}

}  // namespace samebytes
