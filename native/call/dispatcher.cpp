// The Python type Dispatcher: the base of function templates. It remembers which function arguments mean, and
// asks Python's deduce() about others: (arguments) -> (function, whether arguments of such classes always
// mean it).
#include "call/dispatcher.hpp"

#include <new>

#include "array/aside.hpp"
#include "call/plan.hpp"
#include "structmember.h"

namespace samebytes {

namespace {

constexpr Py_ssize_t kMostKeys = 16;

struct Dispatcher {
  PyObject_HEAD vectorcallfunc vectorcall;
  KeyCache<PyObject*> functions;
};

Dispatcher* as_dispatcher(PyObject* object) { return reinterpret_cast<Dispatcher*>(object); }

bool keys_of(PyObject* const* args, Py_ssize_t nargs, ArgumentKey* keys) {
  static const Position plain{};
  if (nargs > kMostKeys) return false;
  for (Py_ssize_t i = 0; i < nargs; ++i)
    if (!argument_key(args[i], plain, keys[i])) return false;
  return true;
}

PyObject* call_by_name(PyObject* self, PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames) {
  Ref positional = make_tuple(args, nargs);
  const Call call{args, nargs, kwnames, false};
  Ref named = call.keywords();
  if (!positional || !named) return nullptr;
  Ref ordered = Ref::steal(PyObject_CallMethod(self, "positional", "OO", positional.get(), named.get()));
  return ordered ? PyObject_Call(self, ordered.get(), nullptr) : nullptr;
}

PyObject* dispatcher_call(PyObject* object, PyObject* const* args, size_t nargsf, PyObject* kwnames) {
  const Py_ssize_t nargs = PyVectorcall_NARGS(nargsf);
  if (kwnames && PyTuple_GET_SIZE(kwnames)) return call_by_name(object, args, nargs, kwnames);
  Dispatcher& self = *as_dispatcher(object);
  ArgumentKey keys[kMostKeys];
  const bool cacheable = keys_of(args, nargs, keys);
  if (!cacheable && PyErr_Occurred()) return nullptr;
  if (PyObject* known = cacheable ? self.functions.find(keys, nargs) : nullptr)
    return PyObject_Vectorcall(known, args, nargsf, nullptr);
  const KeyReferences held(keys, cacheable ? nargs : 0);
  Ref tuple = make_tuple(args, nargs);
  const Ref deduce = Ref::steal(tuple ? PyObject_GetAttrString(object, "deduce") : nullptr);
  Ref answer = Ref::steal(deduce ? ask_python(deduce.get(), tuple.get()) : nullptr);
  if (!answer) return nullptr;
  PyObject* function;
  int stable;
  if (!PyTuple_Check(answer.get()) || !PyArg_ParseTuple(answer.get(), "Op", &function, &stable)) {
    PyErr_Format(PyExc_SystemError, "deducing gave %R", answer.get());
    return nullptr;
  }
  if (cacheable && stable) self.functions.add(function, keys, nargs);
  return PyObject_Vectorcall(function, args, nargsf, nullptr);
}

PyObject* dispatcher_new(PyTypeObject* type, PyObject*, PyObject*) {
  // Python 3.11 does not let classes inherit it.
  if (type->tp_call == PyVectorcall_Call) type->tp_flags |= Py_TPFLAGS_HAVE_VECTORCALL;
  PyObject* self = type->tp_alloc(type, 0);
  if (!self) return nullptr;
  as_dispatcher(self)->vectorcall = dispatcher_call;
  new (&as_dispatcher(self)->functions) KeyCache<PyObject*>;
  return self;
}

int dispatcher_traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  return as_dispatcher(self)->functions.visit(visit, arg);
}

int dispatcher_clear(PyObject* self) {
  as_dispatcher(self)->functions.clear();
  return 0;
}

void dispatcher_dealloc(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  PyObject_GC_UnTrack(self);
  dispatcher_clear(self);
  type->tp_free(self);
  Py_DECREF(type);
}

PyMemberDef dispatcher_members[] = {
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(Dispatcher, vectorcall), READONLY, nullptr}, {}};

PyType_Slot dispatcher_slots[] = {
    {Py_tp_new, reinterpret_cast<void*>(dispatcher_new)},
    {Py_tp_dealloc, reinterpret_cast<void*>(dispatcher_dealloc)},
    {Py_tp_traverse, reinterpret_cast<void*>(dispatcher_traverse)},
    {Py_tp_clear, reinterpret_cast<void*>(dispatcher_clear)},
    {Py_tp_call, reinterpret_cast<void*>(PyVectorcall_Call)},
    {Py_tp_members, dispatcher_members},
    {Py_tp_doc, const_cast<char*>("Calls the function that its arguments mean.")},
    {}};

PyType_Spec dispatcher_spec = {
    "samebytes._native.Dispatcher", sizeof(Dispatcher), 0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_VECTORCALL,
    dispatcher_slots};

}  // namespace

int add_dispatcher_type(PyObject* module) {
  Ref type = Ref::steal(PyType_FromSpec(&dispatcher_spec));
  return type ? PyModule_AddObjectRef(module, "Dispatcher", type.get()) : -1;
}

}  // namespace samebytes
