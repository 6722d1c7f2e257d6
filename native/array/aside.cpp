// Finds torch.compiler.disable() where a program has imported Dynamo, and calls our own functions through it.
#include "array/aside.hpp"

#include <atomic>

#include "ref.hpp"

namespace samebytes {

namespace {

constexpr size_t kMostArguments = 6;

// torch.compiler.disable(operator.call), once there is something to be apart from; else null.
std::atomic<PyObject*> apart{nullptr};

PyObject* make_apart(PyObject* dynamo) {
  const Ref ready =
      Ref::steal(PyObject_GetAttrString(dynamo, "disable"));  // missing while it is being imported
  const Ref operators = Ref::steal(ready ? PyImport_ImportModule("operator") : nullptr);
  const Ref call = Ref::steal(operators ? PyObject_GetAttrString(operators.get(), "call") : nullptr);
  Ref made = Ref::steal(call ? PyObject_CallOneArg(ready.get(), call.get()) : nullptr);
  if (!made) return PyErr_Clear(), nullptr;
  PyObject* none = nullptr;
  return apart.compare_exchange_strong(none, made.get()) ? made.release() : none;
}

// Nothing is imported: only what the program has is looked up.
PyObject* find_apart() {
  if (PyObject* known = apart.load(std::memory_order_acquire)) return known;
  static PyObject* const name = PyUnicode_InternFromString("torch._dynamo");
  PyObject* const modules = PyImport_GetModuleDict();
  PyObject* const dynamo = PyDict_Check(modules) ? PyDict_GetItemWithError(modules, name) : nullptr;
  if (!dynamo) return PyErr_Clear(), nullptr;
  const Ref held = Ref::borrow(dynamo);
  return make_apart(held.get());
}

}  // namespace

PyObject* call_aside(PyObject* function, PyObject* const* args, size_t count) {
  PyObject* const through = find_apart();
  if (likely(!through || count > kMostArguments)) return PyObject_Vectorcall(function, args, count, nullptr);
  PyObject* all[kMostArguments + 1] = {function};
  for (size_t i = 0; i < count; ++i) all[i + 1] = args[i];
  return PyObject_Vectorcall(through, all, count + 1, nullptr);
}

}  // namespace samebytes
