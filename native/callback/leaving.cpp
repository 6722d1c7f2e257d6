// Decides between an exception of C++'s and a value, for every way in which C++ calls a Python callable.
#include "callback/leaving.hpp"

#include <exception>
#include <utility>

#include "call/scope.hpp"
#include "call/thrown.hpp"
#include "callback/last_words.hpp"

namespace samebytes {

namespace {

// Why C++ cannot throw what this callback has raised; null: it can.
const char* hindrance(const CallbackPlan& plan, Thrower thrower, Caller caller) {
  if (!scope_place()) return "this thread runs no call of Python's";
  if (plan.frames == Py_None) return "the type of the function is noexcept";
  if (!may_throw())
    return "the call went to a noexcept function or to one of C's, or a destructor was running";
  const Leaving fate = fate_of_throw(plan, thrower);
  if (fate == Leaving::ends || (fate == Leaving::unknown && caller == Caller::pointer))
    return "a function in between is noexcept or one of C's, or its code is not known";
  return nullptr;
}

}  // namespace

// One that passes goes to the call that C++ throws it to; else to the call for which the callable was made.
callable_end leave(const CallbackPlan& plan, PyObject* where, PyObject* errors, Thrower thrower,
                   Caller caller, void** slot) {
  if (const char* const why = hindrance(plan, thrower, caller)) {
    post_raised(where, errors, why);
    return callable_end::reported;
  }
  if (thrower == Thrower::common && may_throw_itself() && fly(slot)) return callable_end::thrown;
  post_raised(where, Py_None);
  return callable_end::raised;
}

void throw_on(void** slot) {
  static_assert(sizeof(std::exception_ptr) == sizeof *slot, "a slot has room for one");
  if (!*slot) throw python_error(last_words);
  auto& held = *reinterpret_cast<std::exception_ptr*>(slot);
  std::rethrow_exception(std::exchange(held, nullptr));
}

}  // namespace samebytes
