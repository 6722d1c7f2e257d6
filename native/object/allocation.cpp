// The internal type Allocation: of a C function's results, the address comes back as an array of the bytes
// there. The usual case; what it does not know goes to Python (samebytes/call/c_api/allocating.py).
#include "object/allocation.hpp"

#include "call/plan.hpp"
#include "object/addresses.hpp"
#include "structmember.h"
#include "view/view.hpp"

namespace samebytes {

namespace {

struct Allocation {
  PyObject_HEAD vectorcallfunc call;
  Py_ssize_t at;     // which result is the address
  bool told;         // the first result says whether the call failed
  int factor_count;  // the arguments whose product ...
  int factors[kMostFactors];
  int64_t fixed;        // ... and this are the number of bytes
  bool asks;            // `current` says which device is current; else the first is
  PyObject* current;    // null: Python has yet to find it
  PyObject* rows;       // dict of a device's number -> an empty row of bytes there
  PyTypeObject* array;  // DeviceArray
  PyObject* usual;      // the device that it names by itself
  PyObject* otherwise;  // (results, arguments) -> the same, by Python
};

Allocation* as_allocation(PyObject* object) { return reinterpret_cast<Allocation*>(object); }

// An int, or what is another integer.
bool as_number(PyObject* object, int64_t& out) {
  uint64_t bits;
  bool negative;
  if (!PyLong_CheckExact(object) ? !other_int(object, bits, negative) : !long_int(object, bits, negative))
    return false;
  out = static_cast<int64_t>(bits);
  return negative == (out < 0);
}

bool count_bytes(const Allocation& how, PyObject* arguments, int64_t& count) {
  count = how.fixed;
  for (int i = 0; i < how.factor_count; ++i) {
    int64_t factor;
    if (how.factors[i] >= PyTuple_GET_SIZE(arguments) ||
        !as_number(PyTuple_GET_ITEM(arguments, how.factors[i]), factor) ||
        __builtin_mul_overflow(count, factor, &count))
      return false;
  }
  return count >= 0;
}

// The row that all arrays on the current device are like; null without an exception: Python makes it first.
Ref row_like(const Allocation& how) {
  Ref number;
  if (how.asks) {
    if (!how.current || how.current == Py_None) return Ref();
    number = Ref::steal(PyObject_CallNoArgs(how.current));
    if (!number) return Ref();
    if (PyTuple_CheckExact(number.get())) {
      const Py_ssize_t count = PyTuple_GET_SIZE(number.get());
      if (!count) return Ref();
      number = Ref::borrow(PyTuple_GET_ITEM(number.get(), count - 1));
    }
    if (!PyLong_CheckExact(number.get())) return Ref();
  } else {
    number = Ref::steal(PyLong_FromLong(0));
    if (!number) return Ref();
  }
  return Ref::borrow(PyDict_GetItemWithError(how.rows, number.get()));
}

// Null without an exception: it is for Python.
PyObject* finish(const Allocation& how, PyObject* results, PyObject* arguments) {
  if (how.at >= PyTuple_GET_SIZE(results)) return nullptr;
  PyObject* const pointer = PyTuple_GET_ITEM(results, how.at);
  int64_t status = 0, count;
  if (!is_pointer_class(Py_TYPE(pointer)) || !as_pointer(pointer)->address) return nullptr;
  if (how.told && (!as_number(PyTuple_GET_ITEM(results, 0), status) || status)) return nullptr;
  if (!count_bytes(how, arguments, count)) return nullptr;
  const Ref like = row_like(how);
  if (!like || !is_view(like.get())) return nullptr;
  const auto address = reinterpret_cast<uintptr_t>(as_pointer(pointer)->address);
  const Ref row = Ref::steal(new_row(*as_view(like.get()), address, count, Py_None, nullptr));
  Ref array = Ref::steal(row ? new_shown(how.array, row.get()) : nullptr);
  if (!array) return nullptr;
  static PyObject* const at = PyUnicode_InternFromString("_at");
  PyObject* const device = as_view(row.get())->device;
  if (device != how.usual && (!device || PyObject_SetAttr(array.get(), at, device) < 0)) return nullptr;
  const Py_ssize_t size = PyTuple_GET_SIZE(results);
  PyObject* const made = PyTuple_New(size);
  for (Py_ssize_t i = 0; made && i < size; ++i)
    PyTuple_SET_ITEM(made, i, i == how.at ? array.release() : Py_NewRef(PyTuple_GET_ITEM(results, i)));
  return made;
}

PyObject* call(PyObject* self, PyObject* const* args, size_t nargsf, PyObject* names) {
  const Allocation& how = *as_allocation(self);
  if (PyVectorcall_NARGS(nargsf) != 2 || names || !PyTuple_CheckExact(args[0]) ||
      !PyTuple_CheckExact(args[1]))
    return type_error("an allocation takes the results and the arguments of a call"), nullptr;
  PyObject* const made = finish(how, args[0], args[1]);
  if (likely(made || PyErr_Occurred())) return made;
  PyObject* const both[] = {args[0], args[1]};
  return PyObject_Vectorcall(how.otherwise, both, 2, nullptr);
}

PyObject* allocation_new(PyTypeObject* type, PyObject* args, PyObject* kwargs) {
  static const char* names[] = {"at",   "told",  "factors", "fixed",     "asks",
                                "rows", "array", "usual",   "otherwise", nullptr};
  PyObject *factors, *rows, *array, *usual, *otherwise;
  Py_ssize_t at;
  int told, asks;
  long long fixed;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "npO!LpO!O!OO:Allocation", const_cast<char**>(names), &at,
                                   &told, &PyTuple_Type, &factors, &fixed, &asks, &PyDict_Type, &rows,
                                   &PyType_Type, &array, &usual, &otherwise))
    return nullptr;
  const Py_ssize_t count = PyTuple_GET_SIZE(factors);
  if (at < 0 || fixed < 0 || count > kMostFactors) return value_error("no such allocation is known"), nullptr;
  if (!is_shown_class(reinterpret_cast<PyTypeObject*>(array)))
    return type_error("the array's class derives from Shown"), nullptr;
  const Ref self = Ref::steal(type->tp_alloc(type, 0));
  if (!self) return nullptr;
  Allocation& how = *as_allocation(self.get());
  how.call = call;
  how.at = at;
  how.told = told;
  how.fixed = fixed;
  how.asks = asks;
  for (; how.factor_count < count; ++how.factor_count) {
    const long index = PyLong_AsLong(PyTuple_GET_ITEM(factors, how.factor_count));
    if (index < 0 || index >= kMaxArguments) return value_error("a factor is an argument"), nullptr;
    how.factors[how.factor_count] = static_cast<int>(index);
  }
  how.rows = Py_NewRef(rows);
  how.array = reinterpret_cast<PyTypeObject*>(Py_NewRef(array));
  how.usual = Py_NewRef(usual);
  how.otherwise = Py_NewRef(otherwise);
  return Py_NewRef(self.get());
}

int allocation_traverse(PyObject* self, visitproc visit, void* arg) {
  const Allocation& how = *as_allocation(self);
  Py_VISIT(Py_TYPE(self));
  Py_VISIT(how.current);
  Py_VISIT(how.rows);
  Py_VISIT(how.array);
  Py_VISIT(how.usual);
  Py_VISIT(how.otherwise);
  return 0;
}

// There is no tp_clear: what it refers to never changes, so that a cycle passes through something that has
// one.
void allocation_dealloc(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  PyObject_GC_UnTrack(self);
  const Allocation& how = *as_allocation(self);
  for (PyObject* member :
       {how.current, how.rows, reinterpret_cast<PyObject*>(how.array), how.usual, how.otherwise})
    Py_XDECREF(member);
  type->tp_free(self);
  Py_DECREF(type);
}

PyMemberDef members[] = {{"__vectorcalloffset__", T_PYSSIZET, offsetof(Allocation, call), READONLY, nullptr},
                         {"current", T_OBJECT, offsetof(Allocation, current), 0, nullptr},
                         {}};

PyType_Slot slots[] = {
    {Py_tp_new, reinterpret_cast<void*>(allocation_new)},
    {Py_tp_call, reinterpret_cast<void*>(PyVectorcall_Call)},
    {Py_tp_traverse, reinterpret_cast<void*>(allocation_traverse)},
    {Py_tp_dealloc, reinterpret_cast<void*>(allocation_dealloc)},
    {Py_tp_members, members},
    {Py_tp_doc, const_cast<char*>("Makes an array of the address that a C function allocated.")},
    {}};
PyType_Spec spec = {
    "samebytes._native.Allocation", sizeof(Allocation), 0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_IMMUTABLETYPE | Py_TPFLAGS_HAVE_VECTORCALL, slots};

}  // namespace

int add_allocation_type(PyObject* module) {
  const Ref type = Ref::steal(PyType_FromSpec(&spec));
  return type ? PyModule_AddObjectRef(module, "Allocation", type.get()) : -1;
}

}  // namespace samebytes
