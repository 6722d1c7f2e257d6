// Reads NumPy arrays straight from their C struct; NumPy's function table is never needed.
#define NPY_NO_DEPRECATED_API NPY_2_0_API_VERSION
#include "numpy.hpp"

#include <numpy/ndarraytypes.h>

#include "describe.hpp"
#include "extents.hpp"

namespace samebytes {

namespace {

using Fields = PyArrayObject_fields;
static_assert(sizeof(npy_intp) == sizeof(int64_t), "extents are read as 64-bit numbers");

const Fields* fields(PyObject* array) { return reinterpret_cast<const Fields*>(array); }
const int64_t* extents(const npy_intp* values) { return reinterpret_cast<const int64_t*>(values); }

// Arrays that only warn when written (np.broadcast_arrays) are read-only to us: their elements overlap.
constexpr int kWarnOnWrite = static_cast<int>(1u << 31);

// Compares what the struct says about one strided, read-only array with what its attributes say.
bool struct_matches(PyObject* array) {
  const Fields* a = fields(array);
  PyObject* found = Py_BuildValue(
      "(i(LL)(LL)KOO)", a->nd, static_cast<long long>(a->dimensions[0]),
      static_cast<long long>(a->dimensions[1]), static_cast<long long>(a->strides[0]),
      static_cast<long long>(a->strides[1]),
      static_cast<unsigned long long>(reinterpret_cast<uintptr_t>(a->data)),
      reinterpret_cast<PyObject*>(a->descr), a->flags & NPY_ARRAY_WRITEABLE ? Py_True : Py_False);
  PyObject* flags = PyObject_GetAttrString(array, "flags");
  PyObject* ctypes = PyObject_GetAttrString(array, "ctypes");
  PyObject* expected = nullptr;
  if (flags && ctypes)
    expected = Py_BuildValue("(NNNNNN)", PyObject_GetAttrString(array, "ndim"),
                             PyObject_GetAttrString(array, "shape"), PyObject_GetAttrString(array, "strides"),
                             PyObject_GetAttrString(ctypes, "data"), PyObject_GetAttrString(array, "dtype"),
                             PyObject_GetAttrString(flags, "writeable"));
  const int same = found && expected ? PyObject_RichCompareBool(found, expected, Py_EQ) : -1;
  Py_XDECREF(flags);
  Py_XDECREF(ctypes);
  Py_XDECREF(found);
  Py_XDECREF(expected);
  return same == 1;
}

PyTypeObject* checked_ndarray_type() {
  PyObject* numpy = PyImport_ImportModule("numpy");
  PyObject* type = numpy ? PyObject_GetAttrString(numpy, "ndarray") : nullptr;
  PyObject* plain = type ? PyObject_CallMethod(numpy, "zeros", "((ii)s)", 4, 6, "i2") : nullptr;
  PyObject* array = plain ? PyObject_CallMethod(plain, "transpose", nullptr) : nullptr;
  PyObject* frozen = array ? PyObject_CallMethod(array, "setflags", "(i)", 0) : nullptr;
  const bool fits = frozen && struct_matches(plain) && struct_matches(array);
  if (!fits && !PyErr_Occurred())
    PyErr_SetString(PyExc_RuntimeError, "the installed NumPy lays out its arrays in an unknown way");
  Py_XDECREF(numpy);
  Py_XDECREF(plain);
  Py_XDECREF(array);
  Py_XDECREF(frozen);
  if (!fits) Py_CLEAR(type);
  return reinterpret_cast<PyTypeObject*>(type);
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

Match match_ndarray(const ArraySpec& spec, PyObject* object, const Route& route, ArrayRef& out, Keep&) {
  const Fields* a = fields(object);
  auto* dtype = reinterpret_cast<PyObject*>(a->descr);
  if (__builtin_expect(dtype != spec.dtype, 0) && !spec.accepts(dtype)) return Match::no;
  if (!rank_fits(spec, a->nd) || (a->flags & spec.flag_mask) != spec.flags || !is_aligned(spec, a->data))
    return Match::no;
  if (spec.writable && route.readonly.load(std::memory_order_relaxed)) return Match::no;
  if (!put_byte_strides(spec, a->nd, extents(a->dimensions), extents(a->strides), out)) return Match::no;
  out.data = a->data;
  return Match::yes;
}

PyObject* describe_ndarray(PyObject*, PyObject* array) {
  PyTypeObject* type = ndarray_type();
  if (!type) return nullptr;
  if (!PyObject_TypeCheck(array, type))
    return PyErr_Format(PyExc_TypeError, "expected numpy.ndarray, got %s", Py_TYPE(array)->tp_name);
  const Fields* a = fields(array);
  PyObject* itemsize = PyObject_GetAttrString(array, "itemsize");
  if (!itemsize) return nullptr;
  const long long bytes = PyLong_AsLongLong(itemsize);
  Py_DECREF(itemsize);
  const bool readonly = (a->flags & (NPY_ARRAY_WRITEABLE | kWarnOnWrite)) != NPY_ARRAY_WRITEABLE;
  return description({a->data, a->nd, extents(a->dimensions), extents(a->strides), 1,
                      Py_NewRef(reinterpret_cast<PyObject*>(a->descr)), bytes, 1, 0, readonly, array});
}

}  // namespace samebytes
