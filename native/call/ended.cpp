// Objects that a call ends: see call/ended.hpp.
#include "call/ended.hpp"

#include <utility>

#include "call/pending.hpp"
#include "call/reach.hpp"
#include "call/reasons.hpp"
#include "call/seen.hpp"
#include "object/handle.hpp"
#include "object/smart_pointer.hpp"

namespace samebytes {

namespace {

PyObject* tell;  // tell(object, function) says of an object why it is gone

int first_input(const Candidate& candidate) {
  for (int i = 0; i < candidate.input_count; ++i)
    if (!candidate.inputs[i].argv) return i;
  return -1;
}

// What owns the object of an argument: itself, or whoever is known at the address; null: nobody in Python.
PyObject* owner_at(PyObject* argument, const Input& input, void* const* argv, const char*& reason) {
  if (is_handle_class(Py_TYPE(argument)) && (as_handle(argument)->destroy || box_of(argument)))
    return argument;
  const void* address = argv[0];
  if (is_record_class(Py_TYPE(argument)))
    address = as_instance(argument)->data;
  else if (input.kind == Kind::pointer && address)
    address = *static_cast<void* const*>(address);
  bool there = false;
  PyObject* const found = sole_owner(address, there);
  if (there && !found) reason = why::kept;
  return found;
}

const char* why_not(PyObject* object, const Running& running) {
  const Box* const box = box_of(object);
  if (is_taken(object)) return why::gone;
  if (as_handle(object)->shares || (box && box->share)) return why::shared;
  if (!box) return why::made;
  if (in_use(object, &running)) return why::used;
  return is_seen(object) ? why::seen : nullptr;
}

PyObject* set_tell_end(PyObject*, PyObject* function) {
  Py_XSETREF(tell, Py_NewRef(function));
  Py_RETURN_NONE;
}

PyMethodDef functions[] = {{"set_tell_end", set_tell_end, METH_O,
                            "set_tell_end(function, /)\n--\n\nfunction(object, name) is called where the "
                            "function of that name ended "
                            "an object."},
                           {}};

}  // namespace

bool Ended::look(const Candidate& candidate, PyObject* const* args, void* const* argv) {
  const int i = first_input(candidate);
  const char* reason = nullptr;
  const Ref object = Ref::borrow(i < 0 ? nullptr : owner_at(args[i], candidate.inputs[i], argv, reason));
  return !object || samebytes::look(object.get());
}

Conflict Ended::begin(const Candidate& candidate, PyObject* const* args, void* const* argv,
                      const Running& running) {
  const int i = first_input(candidate);
  if (i < 0) return {};
  const char* reason = nullptr;
  Ref object = Ref::borrow(owner_at(args[i], candidate.inputs[i], argv, reason));
  if (reason) return {reason, i, args[i], nullptr};
  if (!object) return {};
  reason = why_not(object.get(), running);
  Reach reach(object.get());
  for (int k = 0; !reason && k < candidate.input_count; ++k)
    if (k != i && reach.from(args[k])) reason = why::twice;
  if (reason) return {reason, i, args[i], nullptr};
  unlist(object.get());
  Handle* const handle = as_handle(object.get());
  size_ = Py_SIZE(handle);
  handle->claimed = true;
  Py_SET_SIZE(handle, 0);
  object_ = std::move(object);
  return {};
}

void Ended::undo() {
  Handle* const handle = as_handle(object_.get());
  Py_SET_SIZE(handle, size_);
  handle->claimed = false;
  list_again(object_.get());
}

void Ended::finish(PyObject* function, bool failed) {
  if (!object_) return;
  const Ref object = std::exchange(object_, Ref());
  disown(object.get());
  const PendingException pending;
  if (!failed && function && !Ref::steal(PyObject_CallFunctionObjArgs(tell, object.get(), function, nullptr)))
    PyErr_WriteUnraisable(tell);
  // What the C++ object could refer to is free now.
  Py_CLEAR(as_handle(object.get())->owner);
  Py_CLEAR(as_handle(object.get())->pointee_owners);
}

int add_ended_functions(PyObject* module) { return PyModule_AddFunctions(module, functions); }

}  // namespace samebytes
