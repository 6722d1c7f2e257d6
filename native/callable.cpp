// What a std::function asks that was made of a Python callable.
#include "callable.hpp"

#include "last_words.hpp"
#include "owned.hpp"
#include "pending.hpp"
#include "scope.hpp"

namespace samebytes {

namespace {

constexpr int kDone = 0, kRaised = 1, kReported = 2;

// The runner reads the arguments, calls, writes the result and gives what keeps it; None: an exception is
// posted.
int run(void* runner, void** args) {
  const PyGILState_STATE state = PyGILState_Ensure();
  int code = kDone;
  {
    const PendingException pending;
    const Ref address = Ref::steal(PyLong_FromVoidPtr(args));
    PyObject* kept = address ? PyObject_CallOneArg(static_cast<PyObject*>(runner), address.get()) : nullptr;
    if (!kept) post_raised(static_cast<PyObject*>(runner));
    if (!kept || kept == Py_None) {
      Py_XDECREF(kept);
      code = may_throw() ? kRaised : kReported;
    } else {
      *static_cast<void**>(args[0]) = kept;
    }
  }
  PyGILState_Release(state);
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
