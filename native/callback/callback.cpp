// The type Callback: what a Python callable gets and gives where C++ calls it.
#include "callback/callback.hpp"

#include <pthread.h>

#include <cstdio>
#include <cstring>

#include "call/pending.hpp"
#include "call/scope.hpp"
#include "callback/closure.hpp"
#include "callback/lent.hpp"
#include "free_list.hpp"
#include "object/addresses.hpp"
#include "object/attributes.hpp"
#include "object/overriding.hpp"
#include "object/result_owner.hpp"
#include "structmember.h"

namespace samebytes {

PyTypeObject* callback_type;

namespace {

FreeList<Callback> spare;

// --- a call ---

PyObject* read(PyObject* reader, const char* place) {
  if (likely(is_codec(reader))) {
    const Codec& codec = *as_codec(reader);
    if (codec.kind == Kind::view && overriding_is_known && !codec.is_const)  // often the object itself
      if (PyObject* const known = overriding_at(load<void*>(place), codec.element->python))
        return Py_NewRef(known);
    return decode(codec, place, nullptr);
  }
  void* const address = load<void*>(place);
  if (reader == reinterpret_cast<PyObject*>(pointer_type)) return new_pointer(address, nullptr);
  const Ref number = Ref::steal(PyLong_FromVoidPtr(address));
  return number ? PyObject_CallOneArg(reader, number.get()) : nullptr;
}

// A name stands for the method of the first argument: of its class, whatever that is at the moment.
PyObject* call_method(const Callback& callback, PyObject* const* values, size_t given) {
  PyObject* const object = *values;
  const unsigned int version = Py_TYPE(object)->tp_version_tag;
  const bool known = version && version == callback.version;
  Ref method = Ref::borrow(known ? callback.method : plain_method(object, callback.callable));
  if (unlikely(!known)) {
    callback.method = method.get();
    callback.version = method ? Py_TYPE(object)->tp_version_tag : 0;
  } else if (unlikely(has_attribute(object, callback.callable))) {
    method = Ref();
  }
  return likely(static_cast<bool>(method))
             ? PyObject_Vectorcall(method.get(), values, given, nullptr)
             : PyObject_VectorcallMethod(callback.callable, values, given, nullptr);
}

PyObject* call_values(const Callback& callback, PyObject* const* values, size_t given) {
  return PyUnicode_CheckExact(callback.callable)
             ? call_method(callback, values, given)
             : PyObject_Vectorcall(callback.callable, values, given, nullptr);
}

PyObject* call_arranged(const Callback& callback, PyObject* const* values) {
  const Ref all =
      Ref::steal(PyObject_Vectorcall(callback.plan->arrange, values, callback.plan->count, nullptr));
  if (!all) return nullptr;
  if (!PyTuple_CheckExact(all.get())) return type_error("arranged arguments are a tuple"), nullptr;
  return PyUnicode_CheckExact(callback.callable)
             ? call_values(callback, &PyTuple_GET_ITEM(all.get(), 0), PyTuple_GET_SIZE(all.get()))
             : PyObject_Call(callback.callable, all.get(), nullptr);
}

// What C++ gives to Python with an argument is Python's also where nothing of it is read.
void drop_unread(const CallbackPlan& plan, const char* const* places, int from) {
  for (int i = from; i < plan.count; ++i) {
    PyObject* const reader = plan.arguments[i].reader;
    if (is_codec(reader) && as_codec(reader)->kind == Kind::held)
      drop_owned_result(*as_codec(reader), places[i]);
  }
}

PyObject* call(const Callback& callback, const char* const* places) {
  const CallbackPlan& plan = *callback.plan;
  PyObject* values[kMostCallbackArguments + 1];
  int count = 0;
  PyObject* returned = nullptr;
  while (count < plan.count && (values[count + 1] = read(plan.arguments[count].reader, places[count])))
    ++count;
  if (likely(count == plan.count))
    returned = plan.arrange ? call_arranged(callback, values + 1)
                            : call_values(callback, values + 1, count | PY_VECTORCALL_ARGUMENTS_OFFSET);
  else
    drop_unread(plan, places, count + 1);
  if (!may_touch_python()) return returned;
  for (int i = 0; plan.lends && i < count; ++i)
    if (plan.arguments[i].lent) keep_lent(values[i + 1]);
  while (count) Py_DECREF(values[count--]);
  return returned;
}

Match encode_result(const Codec& codec, PyObject* returned, char* out) {
  if (likely(is_number(codec.kind))) return encode_number(codec.kind, codec.scalar, returned, out);
  CallResources resources;  // of a result without pointers
  return encode(codec, returned, out, resources);
}

bool write_result(const Callback& callback, PyObject* returned, char* out, Ref& result_owner) {
  const CallbackPlan& plan = *callback.plan;
  PyObject* const write = callback.write ? callback.write : plan.write;
  const Ref written = Ref::steal(PyObject_CallFunctionObjArgs(write, returned, callback.callable, nullptr));
  if (!written) return false;
  PyObject *bytes, *owners;
  if (!PyTuple_Check(written.get()) || !PyArg_ParseTuple(written.get(), "SO", &bytes, &owners) ||
      PyBytes_GET_SIZE(bytes) != plan.size) {
    PyErr_Clear();
    PyErr_Format(PyExc_SystemError, "a callback's result was not given as %zd bytes", plan.size);
    return false;
  }
  std::memcpy(out, PyBytes_AS_STRING(bytes), plan.size);
  result_owner = Ref::borrow(owners);
  return true;
}

bool give_result(const Callback& callback, PyObject* returned, char* out, Ref& result_owner) {
  const CallbackPlan& plan = *callback.plan;
  if (!plan.size) return true;
  if (likely(plan.result && !callback.write)) {
    const Match match = encode_result(*plan.result, returned, out);
    if (likely(match != Match::no)) return match == Match::yes;
  }
  return write_result(callback, returned, out, result_owner);
}

// --- the type ---

PyObject* callback_new(PyTypeObject*, PyObject* args, PyObject* kwargs) {
  static const char* names[] = {"plan", "callable", "errors", "write", "on_error", nullptr};
  PyObject *plan, *callable, *errors = Py_None, *write = Py_None, *on_error = Py_None;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O!O|OOO:Callback", const_cast<char**>(names),
                                   callback_plan_type, &plan, &callable, &errors, &write, &on_error))
    return nullptr;
  if (on_error != Py_None && (!PyTuple_Check(on_error) || PyTuple_GET_SIZE(on_error) != 1))
    return type_error("a value for errors stands in a tuple"), nullptr;
  return reinterpret_cast<PyObject*>(new_callback(as_callback_plan(plan), callable, errors,
                                                  write == Py_None ? nullptr : write,
                                                  on_error == Py_None ? nullptr : on_error));
}

int callback_traverse(PyObject* self, visitproc visit, void* arg) {
  Callback& callback = *as_callback(self);
  Py_VISIT(Py_TYPE(self));
  Py_VISIT(callback.plan);
  Py_VISIT(callback.callable);
  Py_VISIT(callback.errors);
  Py_VISIT(callback.write);
  Py_VISIT(callback.on_error);
  return 0;
}

// There is no tp_clear: until the end C++ may call.
void callback_dealloc(PyObject* self) {
  PyObject_GC_UnTrack(self);
  Callback& callback = *as_callback(self);
  if (callback.slot >= 0) end_closure(&callback);
  Py_DECREF(callback.plan);
  Py_DECREF(callback.callable);
  Py_DECREF(callback.errors);
  Py_XDECREF(callback.write);
  Py_XDECREF(callback.on_error);
  spare.give(self);
}

PyObject* callback_function(PyObject* self, PyObject*) {
  Callback* const callback = as_callback(self);
  return PyLong_FromVoidPtr(callback->plan->is_function ? c_function(callback) : nullptr);
}

PyMethodDef callback_methods[] = {{"function", callback_function, METH_NOARGS,
                                   "function($self, /)\n--\n\nThe address of the C function, which exists as "
                                   "long as the callback; 0: there "
                                   "is none."},
                                  {}};
PyMemberDef callback_members[] = {{"plan", T_OBJECT, offsetof(Callback, plan), READONLY, nullptr},
                                  {"write", T_OBJECT, offsetof(Callback, write), READONLY, nullptr},
                                  {}};

PyType_Slot callback_slots[] = {
    {Py_tp_new, reinterpret_cast<void*>(callback_new)},
    {Py_tp_traverse, reinterpret_cast<void*>(callback_traverse)},
    {Py_tp_dealloc, reinterpret_cast<void*>(callback_dealloc)},
    {Py_tp_methods, callback_methods},
    {Py_tp_members, callback_members},
    {Py_tp_doc, const_cast<char*>("A Python callable in the place of a C++ function.")},
    {}};
PyType_Spec callback_spec = {"samebytes._native.Callback", sizeof(Callback), 0,
                             Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_IMMUTABLETYPE,
                             callback_slots};

// Whether a function says at once that it takes so many arguments; what wraps another function may not.
bool takes_exactly(PyObject* object, int count) {
  if (PyMethod_Check(object)) {
    object = PyMethod_GET_FUNCTION(object);
    ++count;
  }
  if (!Py_IS_TYPE(object, &PyFunction_Type)) return false;
  const auto* const function = reinterpret_cast<PyFunctionObject*>(object);
  const auto* const code = reinterpret_cast<PyCodeObject*>(function->func_code);
  if (code->co_argcount != count || code->co_kwonlyargcount) return false;
  return !function->func_dict || !PyDict_GET_SIZE(function->func_dict);
}

}  // namespace

Callback* new_callback(CallbackPlan* plan, PyObject* callable, PyObject* errors, PyObject* write,
                       PyObject* on_error) {
  expect_callbacks();
  Callback* const self = spare.take(callback_type);
  if (!self) return nullptr;
  Py_INCREF(plan);
  self->plan = plan;
  self->callable = Py_NewRef(callable);
  self->errors = Py_NewRef(errors);
  self->write = Py_XNewRef(write);
  self->on_error = Py_XNewRef(on_error);
  self->slot = -1;
  self->method = nullptr;
  self->version = 0;
  PyObject_GC_Track(reinterpret_cast<PyObject*>(self));
  return self;
}

namespace {

constexpr size_t kStackReserve = 256 * 1024;  // bytes, for what the callable itself may call

// Where this thread's C stack is used but for a reserve; null: unknown.
const char* find_stack_end() {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes)) return nullptr;
  void* lowest = nullptr;
  size_t size = 0;
  const bool known = !pthread_attr_getstack(&attributes, &lowest, &size);
  pthread_attr_destroy(&attributes);
  return known ? static_cast<const char*>(lowest) + (size / 4 < kStackReserve ? size / 4 : kStackReserve)
               : nullptr;
}

// Where this thread's stack ends; 1: that is not known yet. Initial-exec: an access is one instruction.
__attribute__((tls_model("initial-exec"))) __thread uintptr_t stack_end = 1;

// Python counts levels of its own functions by itself, and a level that goes through C++ takes more of the
// stack than Python thinks: since 3.13 it allows more of them than fit. It counts here only where the end of
// the stack is not known.
bool enter() {
  if (unlikely(stack_end == 1)) stack_end = reinterpret_cast<uintptr_t>(find_stack_end());
  if (unlikely(!stack_end)) return !Py_EnterRecursiveCall(" in a callback of C++");
  if (likely(reinterpret_cast<uintptr_t>(__builtin_frame_address(0)) >= stack_end)) return true;
  PyErr_SetString(PyExc_RecursionError, "the stack is full in a callback of C++");
  return false;
}

void leave() {
  if (unlikely(!stack_end)) Py_LeaveRecursiveCall();
}

}  // namespace

bool run_callback(const Callback& callback, const char* const* places, char* out, Ref& result_owner) {
  const CallbackPlan& plan = *callback.plan;
  if (unlikely(!enter())) return drop_unread(plan, places, 0), false;
  const Ref returned = Ref::steal(call(callback, places));
  leave();
  return returned && give_result(callback, returned.get(), out, result_owner);
}

bool run_on_error(const Callback& callback, char* out, Ref& result_owner) {
  if (likely(!callback.on_error)) return false;
  if (give_result(callback, PyTuple_GET_ITEM(callback.on_error, 0), out, result_owner)) return true;
  post_raised(callback.callable, callback.errors);
  return false;
}

void tell_of_late_call() {
  std::fputs("samebytes: C++ called a Python callback when Python had ended; it got zero\n", stderr);
}

Match take_callable(const Codec& codec, PyObject* object, void*& address, CallResources& resources) {
  CallbackPlan* const plan = as_callback_plan(codec.callbacks);
  if (!takes_exactly(object, plan->count)) return Match::no;
  PyObject* const errors = errors_here();
  if (!errors && PyErr_Occurred()) return Match::error;
  Callback* const made = new_callback(plan, object, errors ? errors : Py_None, nullptr);
  if (!made || !resources.hold(reinterpret_cast<PyObject*>(made))) return Match::error;
  address = c_function(made);
  return address ? Match::yes : Match::no;
}

int add_callback_type(PyObject* module) {
  callback_type = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&callback_spec));
  if (!callback_type) return -1;
  return PyModule_AddObjectRef(module, "Callback", reinterpret_cast<PyObject*>(callback_type));
}

}  // namespace samebytes
