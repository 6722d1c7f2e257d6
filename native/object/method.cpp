// The Python type Method: see object/method.hpp.
#include "object/method.hpp"

#include <cstring>

#include "call/overloaded.hpp"
#include "object/overriding.hpp"
#include "structmember.h"

namespace samebytes {

namespace {

PyTypeObject* method_type;
constexpr char kEndOfSignature[] = "\n--\n\n";

struct Method {
  PyObject_HEAD vectorcallfunc vectorcall;
  CallFunction call;
  Plan* plan;  // strong
};

Method* as_method(PyObject* object) { return reinterpret_cast<Method*>(object); }

PyObject* method_call(PyObject* self, PyObject* const* args, size_t nargsf, PyObject* kwnames) {
  Method* method = as_method(self);
  if (unlikely(overriding_is_known) && PyVectorcall_NARGS(nargsf))
    if (PyObject* const own = own_of(args[0], method->plan->name, self))
      return PyObject_Vectorcall(own, args, nargsf, kwnames);
  return method->call(reinterpret_cast<PyObject*>(method->plan), args, PyVectorcall_NARGS(nargsf), kwnames);
}

PyObject* method_get(PyObject* self, PyObject* object, PyObject*) {
  return object && object != Py_None ? PyMethod_New(self, object) : Py_NewRef(self);
}

int method_traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  Py_VISIT(as_method(self)->plan);
  return 0;
}

// The plan stays: it drops this object, and so breaks the cycle between the two.
void method_dealloc(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  PyObject_GC_UnTrack(self);
  Py_XDECREF(as_method(self)->plan);
  type->tp_free(self);
  Py_DECREF(type);
}

PyObject* method_repr(PyObject* self) {
  const Plan& plan = *as_method(self)->plan;
  return PyUnicode_FromFormat("<method %U of %U>", plan.name, plan.module);
}

// As for builtin functions: the plan has the method as an attribute of its own name.
PyObject* method_reduce(PyObject* self, PyObject*) {
  Plan* plan = as_method(self)->plan;
  Ref builtins = Ref::steal(PyImport_ImportModule("builtins"));
  Ref getattr = builtins ? Ref::steal(PyObject_GetAttrString(builtins.get(), "getattr")) : Ref();
  return getattr ? Py_BuildValue("O(OO)", getattr.get(), plan, plan->name) : nullptr;
}

PyObject* method_name(PyObject* self, void*) { return Py_NewRef(as_method(self)->plan->name); }
// As for builtin functions: the name of the plan's class says where the method belongs.
PyObject* method_qualname(PyObject* self, void*) {
  auto* plan = reinterpret_cast<PyObject*>(as_method(self)->plan);
  Ref owner = Ref::steal(PyObject_GetAttrString(reinterpret_cast<PyObject*>(Py_TYPE(plan)), "__qualname__"));
  return owner ? PyUnicode_FromFormat("%S.%U", owner.get(), as_method(self)->plan->name) : nullptr;
}
PyObject* method_module(PyObject* self, void*) { return Py_NewRef(as_method(self)->plan->module); }
PyObject* method_plan(PyObject* self, void*) {
  return Py_NewRef(reinterpret_cast<PyObject*>(as_method(self)->plan));
}

PyObject* method_overload(PyObject* self, void*) { return overload_of(*as_method(self)->plan); }

// What tells descriptors apart by their class, as torch's Dynamo does, binds these as it binds C's own
// methods.
PyObject* method_class(PyObject*, void*) {
  return Py_NewRef(reinterpret_cast<PyObject*>(&PyMethodDescr_Type));
}

// A builtin's doc begins with `name(parameters)`, as far as there is one form.
PyObject* method_doc(PyObject* self, void*) {
  PyObject* doc = as_method(self)->plan->doc;
  const char* text = doc == Py_None ? nullptr : PyUnicode_AsUTF8(doc);
  if (!text) return doc == Py_None ? Py_NewRef(doc) : nullptr;
  const char* end = std::strstr(text, kEndOfSignature);
  return end ? PyUnicode_FromString(end + sizeof kEndOfSignature - 1) : Py_NewRef(doc);
}

PyObject* method_text_signature(PyObject* self, void*) {
  PyObject* doc = as_method(self)->plan->doc;
  const char* text = doc == Py_None ? nullptr : PyUnicode_AsUTF8(doc);
  if (!text && doc != Py_None) return nullptr;
  const char* end = text ? std::strstr(text, kEndOfSignature) : nullptr;
  const char* begin = end ? std::strchr(text, '(') : nullptr;
  if (!begin || begin > end) Py_RETURN_NONE;
  return PyUnicode_FromStringAndSize(begin, end - begin);
}

PyGetSetDef method_getset[] = {
    {"__name__", method_name, nullptr, nullptr, nullptr},
    {"__qualname__", method_qualname, nullptr, nullptr, nullptr},
    {"__module__", method_module, nullptr, nullptr, nullptr},
    {"__doc__", method_doc, nullptr, nullptr, nullptr},
    {"__class__", method_class, nullptr, nullptr, nullptr},
    {"__text_signature__", method_text_signature, nullptr, nullptr, nullptr},
    {"overload", method_overload, nullptr, "Chooses one overload by its C++ parameters.", nullptr},
    {"__plan__", method_plan, nullptr, "The plan that runs the calls.", nullptr},
    {}};

PyMethodDef method_methods[] = {{"__reduce__", method_reduce, METH_NOARGS, nullptr}, {}};

PyMemberDef method_members[] = {
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(Method, vectorcall), READONLY, nullptr}, {}};

PyType_Slot method_slots[] = {{Py_tp_dealloc, reinterpret_cast<void*>(method_dealloc)},
                              {Py_tp_traverse, reinterpret_cast<void*>(method_traverse)},
                              {Py_tp_call, reinterpret_cast<void*>(PyVectorcall_Call)},
                              {Py_tp_descr_get, reinterpret_cast<void*>(method_get)},
                              {Py_tp_repr, reinterpret_cast<void*>(method_repr)},
                              {Py_tp_getset, method_getset},
                              {Py_tp_methods, method_methods},
                              {Py_tp_members, method_members},
                              {}};

PyType_Spec method_spec = {"samebytes._native.Method", sizeof(Method), 0,
                           Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_IMMUTABLETYPE |
                               Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_METHOD_DESCRIPTOR |
                               Py_TPFLAGS_HAVE_VECTORCALL,
                           method_slots};

}  // namespace

bool is_method(PyObject* object) { return Py_IS_TYPE(object, method_type); }

void set_call(PyObject* method, CallFunction call) { as_method(method)->call = call; }

PyObject* call_method(PyObject* method, PyObject* const* args, Py_ssize_t count, PyObject* names) {
  return as_method(method)->call(reinterpret_cast<PyObject*>(as_method(method)->plan), args, count, names);
}

PyObject* new_method(Plan& plan, CallFunction call) {
  auto* self = PyObject_GC_New(Method, method_type);
  if (!self) return nullptr;
  self->vectorcall = method_call;
  self->call = call;
  self->plan = reinterpret_cast<Plan*>(Py_NewRef(reinterpret_cast<PyObject*>(&plan)));
  PyObject_GC_Track(reinterpret_cast<PyObject*>(self));
  return reinterpret_cast<PyObject*>(self);
}

int add_method_type(PyObject* module) {
  method_type = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&method_spec));
  return method_type ? PyModule_AddObjectRef(module, "Method", reinterpret_cast<PyObject*>(method_type)) : -1;
}

}  // namespace samebytes
