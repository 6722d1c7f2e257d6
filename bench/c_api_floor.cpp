// The floor of the C API's cases: each call written by hand against CPython's C API, with its arguments checked.
// Addresses and handles are ints, arrays are NumPy's, statuses come back as ints.
#define NPY_NO_DEPRECATED_API NPY_2_0_API_VERSION
#include <Python.h>
#include <hip/hip_runtime_api.h>
extern "C" {
#include <hipblas/hipblas.h>
}
#include <numpy/arrayobject.h>

static bool fits(Py_ssize_t given, Py_ssize_t due) {
  if (given != due) PyErr_SetString(PyExc_TypeError, "another number of arguments is due");
  return given == due;
}

static bool as_address(PyObject* object, void** out) {
  if (object == Py_None) return *out = nullptr, true;
  if (!PyLong_CheckExact(object)) return PyErr_SetString(PyExc_TypeError, "an address is due"), false;
  *out = PyLong_AsVoidPtr(object);
  return *out || !PyErr_Occurred();
}

static bool as_memory(PyObject* object, bool writes, void** out) {
  if (Py_TYPE(object) != &PyArray_Type) return as_address(object, out);
  auto* a = reinterpret_cast<PyArrayObject_fields*>(object);
  const int need = NPY_ARRAY_C_CONTIGUOUS | (writes ? NPY_ARRAY_WRITEABLE : 0);
  if ((a->flags & need) != need || PyDataType_REFCHK(a->descr))
    return PyErr_SetString(PyExc_TypeError, "unsuitable array"), false;
  return *out = a->data, true;
}

static bool as_long(PyObject* object, long low, long high, long* out) {
  if (!PyLong_Check(object)) return PyErr_SetString(PyExc_TypeError, "an int is due"), false;
  *out = PyLong_AsLong(object);
  if (PyErr_Occurred()) return false;
  if (*out < low || *out > high) return PyErr_SetString(PyExc_OverflowError, "too large"), false;
  return true;
}

static PyObject* status(long code) { return Py_BuildValue("(l)", code); }

static PyObject* nothing(PyObject*, PyObject* const*, Py_ssize_t n) {
  return fits(n, 0) ? status(hipDeviceSynchronize()) : nullptr;
}

static PyObject* device(PyObject*, PyObject* const*, Py_ssize_t n) {
  int number = 0;
  if (!fits(n, 0)) return nullptr;
  const long code = hipGetDevice(&number);
  return Py_BuildValue("(li)", code, number);
}

static PyObject* copy(PyObject*, PyObject* const* args, Py_ssize_t n) {
  void *to, *from, *stream = nullptr;
  long size, kind;
  if ((n != 4 && !fits(n, 5)) || !as_memory(args[0], true, &to) || !as_memory(args[1], false, &from) ||
      !as_long(args[2], 0, PY_SSIZE_T_MAX, &size) || !as_long(args[3], 0, 4, &kind) ||
      (n == 5 && !as_address(args[4], &stream)))
    return nullptr;
  const auto way = static_cast<hipMemcpyKind>(kind);
  return status(n == 4 ? hipMemcpy(to, from, size, way)
                       : hipMemcpyAsync(to, from, size, way, static_cast<hipStream_t>(stream)));
}

static PyObject* memory(PyObject*, PyObject* const* args, Py_ssize_t n) {
  long size;
  void* made = nullptr;
  if (!fits(n, 1) || !as_long(args[0], 0, PY_SSIZE_T_MAX, &size)) return nullptr;
  const long code = hipMalloc(&made, size);
  return Py_BuildValue("(lN)", code, PyLong_FromVoidPtr(made));
}

static PyObject* release(PyObject*, PyObject* const* args, Py_ssize_t n) {
  void* made;
  return fits(n, 1) && as_address(args[0], &made) ? status(hipFree(made)) : nullptr;
}

static PyObject* stream(PyObject*, PyObject* const*, Py_ssize_t n) {
  hipStream_t made = nullptr;
  if (!fits(n, 0)) return nullptr;
  const long code = hipStreamCreate(&made);
  return Py_BuildValue("(lN)", code, PyLong_FromVoidPtr(made));
}

static PyObject* end_stream(PyObject*, PyObject* const* args, Py_ssize_t n) {
  void* made;
  return fits(n, 1) && as_address(args[0], &made) ? status(hipStreamDestroy(static_cast<hipStream_t>(made))) : nullptr;
}

static PyObject* event(PyObject*, PyObject* const*, Py_ssize_t n) {
  hipEvent_t made = nullptr;
  if (!fits(n, 0)) return nullptr;
  const long code = hipEventCreate(&made);
  return Py_BuildValue("(lN)", code, PyLong_FromVoidPtr(made));
}

static PyObject* elapsed(PyObject*, PyObject* const* args, Py_ssize_t n) {
  void *start, *stop;
  float ms = 0;
  if (!fits(n, 2) || !as_address(args[0], &start) || !as_address(args[1], &stop)) return nullptr;
  const long code = hipEventElapsedTime(&ms, static_cast<hipEvent_t>(start), static_cast<hipEvent_t>(stop));
  return Py_BuildValue("(lf)", code, ms);
}

static PyObject* properties(PyObject*, PyObject* const* args, Py_ssize_t n) {
  void* record;
  long number;
  if (!fits(n, 2) || !as_memory(args[0], true, &record) || !as_long(args[1], INT_MIN, INT_MAX, &number)) return nullptr;
  return status(hipGetDeviceProperties(static_cast<hipDeviceProp_t*>(record), static_cast<int>(number)));
}

static PyObject* blas(PyObject*, PyObject*) {
  hipblasHandle_t made = nullptr;
  hipblasCreate(&made);
  return PyLong_FromVoidPtr(made);
}

static PyObject* saxpy(PyObject*, PyObject* const* args, Py_ssize_t n) {
  void *handle, *x, *y;
  long count, incx, incy;
  if (!fits(n, 7) || !as_address(args[0], &handle) || !as_long(args[1], INT_MIN, INT_MAX, &count) ||
      !as_memory(args[3], false, &x) || !as_long(args[4], INT_MIN, INT_MAX, &incx) || !as_memory(args[5], true, &y) ||
      !as_long(args[6], INT_MIN, INT_MAX, &incy))
    return nullptr;
  const auto alpha = static_cast<float>(PyFloat_AsDouble(args[2]));
  if (PyErr_Occurred()) return nullptr;
  return status(hipblasSaxpy(static_cast<hipblasHandle_t>(handle), count, &alpha, static_cast<float*>(x), incx,
                             static_cast<float*>(y), incy));
}

#define FUNCTION(name) {#name, reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(name)), METH_FASTCALL, nullptr}
static PyMethodDef functions[] = {FUNCTION(nothing), FUNCTION(device), FUNCTION(copy), FUNCTION(memory),
                                  FUNCTION(release), FUNCTION(stream), FUNCTION(end_stream), FUNCTION(event),
                                  FUNCTION(elapsed), FUNCTION(properties), FUNCTION(saxpy),
                                  {"blas", blas, METH_NOARGS, nullptr}, {}};
static PyModuleDef module = {PyModuleDef_HEAD_INIT, "c_api_floor", nullptr, -1, functions};

PyMODINIT_FUNC PyInit_c_api_floor() {
  import_array();
  return PyModule_Create(&module);
}
