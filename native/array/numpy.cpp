// Checks that the running NumPy lays out its arrays as its headers say, and describes arrays to Python.
#include "array/numpy.hpp"

#include "array/array.hpp"
#include "array/describe.hpp"
#include "ref.hpp"

namespace samebytes {

namespace {

// What the struct says, and what the attributes say.
Ref struct_facts(PyObject* array) {
  const PyArrayObject_fields* a = array_fields(array);
  return Ref::steal(Py_BuildValue(
      "(i(LL)(LL)KOiL)", a->nd, extents(a->dimensions)[0], extents(a->dimensions)[1], extents(a->strides)[0],
      extents(a->strides)[1], static_cast<unsigned long long>(reinterpret_cast<uintptr_t>(a->data)),
      reinterpret_cast<PyObject*>(a->descr), (a->flags & NPY_ARRAY_WRITEABLE) != 0,
      static_cast<long long>(array_itemsize(a))));
}

constexpr const char* kFacts =
    "lambda a: (a.ndim, a.shape, a.strides, a.__array_interface__['data'][0], a.dtype, a.flags.writeable, "
    "a.itemsize)";
constexpr const char* kArrays =
    "lambda n: (n.zeros((4, 6), 'i2'), n.broadcast_to(n.zeros(3, 'f8'), (2, 3)), n.zeros((5, 7), "
    "'>c8')[::-2, 1:])";

Ref evaluate(const char* expression) {
  const Ref names = Ref::steal(Py_BuildValue("{sO}", "__builtins__", PyEval_GetBuiltins()));
  return Ref::steal(names ? PyRun_String(expression, Py_eval_input, names.get(), names.get()) : nullptr);
}

Ref call(const Ref& function, PyObject* argument) {
  return Ref::steal(function && argument ? PyObject_CallOneArg(function.get(), argument) : nullptr);
}

bool layout_is_known(PyObject* numpy) {
  const Ref arrays = call(evaluate(kArrays), numpy);
  const Ref facts = evaluate(kFacts);
  for (Py_ssize_t i = 0; arrays && i < PyTuple_GET_SIZE(arrays.get()); ++i) {
    PyObject* array = PyTuple_GET_ITEM(arrays.get(), i);
    const Ref expected = call(facts, array);
    const Ref found = struct_facts(array);
    if (!expected || !found || PyObject_RichCompareBool(found.get(), expected.get(), Py_EQ) != 1)
      return false;
  }
  return static_cast<bool>(arrays);
}

PyTypeObject* checked_ndarray_type() {
  const Ref numpy = Ref::steal(PyImport_ImportModule("numpy"));
  if (!numpy) return nullptr;
  if (!layout_is_known(numpy.get())) {
    if (!PyErr_Occurred())
      PyErr_SetString(PyExc_RuntimeError, "the installed NumPy lays out its arrays in an unknown way");
    return nullptr;
  }
  return reinterpret_cast<PyTypeObject*>(PyObject_GetAttrString(numpy.get(), "ndarray"));
}

}  // namespace

void set_numpy_flags(ArraySpec& spec) {
  spec.flags = (spec.writable ? NPY_ARRAY_WRITEABLE : 0) | (spec.contiguous ? NPY_ARRAY_C_CONTIGUOUS : 0);
  spec.flag_mask = spec.flags | (spec.writable ? kWarnOnWrite : 0);
}

PyTypeObject* ndarray_type() {
  static std::atomic<PyTypeObject*> known{nullptr};
  PyTypeObject* type = known.load(std::memory_order_acquire);
  if (!type && (type = checked_ndarray_type())) known.store(type, std::memory_order_release);
  return type;
}

Match match_ndarray(const ArraySpec& spec, PyObject* object, const Route&, ArrayRef& out, CallResources&) {
  return ndarray_fits(spec, object, out) ? Match::yes : Match::no;
}

Match match_readonly_ndarray(const ArraySpec& spec, PyObject* object, const Route&, ArrayRef& out,
                             CallResources&) {
  return !spec.writable && ndarray_fits(spec, object, out) ? Match::yes : Match::no;
}

PyObject* describe_ndarray(PyObject*, PyObject* array) {
  PyTypeObject* type = ndarray_type();
  if (!type) return nullptr;
  if (!PyObject_TypeCheck(array, type))
    return PyErr_Format(PyExc_TypeError, "expected numpy.ndarray, got %s", Py_TYPE(array)->tp_name);
  const PyArrayObject_fields* a = array_fields(array);
  PyObject* itemsize = PyObject_GetAttrString(array, "itemsize");
  if (!itemsize) return nullptr;
  const long long bytes = PyLong_AsLongLong(itemsize);
  Py_DECREF(itemsize);
  const bool readonly = (a->flags & (NPY_ARRAY_WRITEABLE | kWarnOnWrite)) != NPY_ARRAY_WRITEABLE;
  return description({a->data, a->nd, extents(a->dimensions), extents(a->strides), 1,
                      Py_NewRef(reinterpret_cast<PyObject*>(a->descr)), bytes, 1, 0, readonly, array});
}

}  // namespace samebytes
