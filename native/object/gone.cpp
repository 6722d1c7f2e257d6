// Why the C++ objects of handles are gone: see object/gone.hpp. Few are, so that a handle has no place for
// it.
#include "object/gone.hpp"

#include <new>
#include <unordered_map>

#include "call/pending.hpp"
#include "call/plan.hpp"
#include "object/smart_pointer.hpp"

namespace samebytes {

namespace {

// By handle, as long as that lives. With the GIL; never destroyed, as handles outlive what ends a process.
std::unordered_map<const void*, PyObject*>& reasons() {
  static auto* const known = new std::unordered_map<const void*, PyObject*>;
  return *known;
}

constexpr const char* kUnmade = "super().__init__() makes it, which has not been called";

PyObject* tell_losses;  // tell_losses(name, arguments, exception), or null

PyObject* say_why_gone(PyObject*, PyObject* args) {
  PyObject *object, *words;
  if (!PyArg_ParseTuple(args, "O!U:say_why_gone", handle_type, &object, &words)) return nullptr;
  if (!is_taken(object)) return value_error("this object is there"), nullptr;
  try {
    PyObject*& known = reasons()[object];
    Py_XSETREF(known, Py_NewRef(words));
  } catch (const std::bad_alloc&) {
    return PyErr_NoMemory();
  }
  Py_RETURN_NONE;
}

PyObject* why(PyObject*, PyObject* object) {
  PyObject* const words = is_handle_class(Py_TYPE(object)) ? why_gone(object) : nullptr;
  return Py_NewRef(words ? words : Py_None);
}

PyObject* set_tell_losses(PyObject*, PyObject* function) {
  Py_XSETREF(tell_losses, Py_NewRef(function));
  Py_RETURN_NONE;
}

PyMethodDef functions[] = {
    {"say_why_gone", say_why_gone, METH_VARARGS,
     "say_why_gone(object, words, /)\n--\n\nRemember why the C++ object of a handle is gone."},
    {"why_gone", why, METH_O,
     "why_gone(object, /)\n--\n\nWhy the C++ object of a handle is gone; None: nobody said."},
    {"set_tell_losses", set_tell_losses, METH_O,
     "set_tell_losses(function, /)\n--\n\nfunction(name, arguments, exception) is called where C++ may "
     "have taken arguments over and then raised."},
    {}};

}  // namespace

PyObject* why_gone(PyObject* handle) {
  if (as_handle(handle)->unmade) {
    static PyObject* const unmade = PyUnicode_InternFromString(kUnmade);
    return unmade;
  }
  if (!is_taken(handle) || reasons().empty()) return nullptr;
  const auto found = reasons().find(handle);
  return found == reasons().end() ? nullptr : found->second;
}

void forget_why(const void* handle) {
  if (reasons().empty()) return;
  const auto found = reasons().find(handle);
  if (found == reasons().end()) return;
  PyObject* const words = found->second;
  reasons().erase(found);
  Py_DECREF(words);
}

void note_losses(PyObject* name, PyObject* const* args, int count) {
  if (!tell_losses) return;
  const Ref error = take_raised();
  const Ref given = make_tuple(args, count);
  const Ref told = Ref::steal(
      given ? PyObject_CallFunctionObjArgs(tell_losses, name, given.get(), error.get(), nullptr) : nullptr);
  if (!told) PyErr_WriteUnraisable(tell_losses);  // the exception stays the call's
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(error.get())), error.get());
}

int add_gone_functions(PyObject* module) {
  if (PyModule_AddStringConstant(module, "UNMADE", kUnmade) < 0) return -1;
  return PyModule_AddFunctions(module, functions);
}

}  // namespace samebytes
