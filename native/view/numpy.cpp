// Views of NumPy arrays, from their C struct; what their elements are is learned from Python once for each
// dtype.
#include "array/array.hpp"
#include "ref.hpp"
#include "view/known_elements.hpp"

namespace samebytes {

bool is_plain_number(PyObject* dtype, bool of_others) {
  const auto* d = reinterpret_cast<const _PyArray_DescrNumPy2*>(dtype);
  const bool number = PyTypeNum_ISNUMBER(d->type_num) || PyTypeNum_ISBOOL(d->type_num);
  const bool user = of_others && d->type_num >= NPY_USERDEF && d->type_num < NPY_VSTRING;
  return (number || user) && d->byteorder != NPY_BIG && !d->metadata;
}

namespace {

PyObject* make(PyObject* object, const Route&) {
  if (Py_TYPE(object) != plain_ndarray.load(std::memory_order_acquire)) return nullptr;
  const PyArrayObject_fields* a = array_fields(object);
  Elements* elements = known_elements(reinterpret_cast<PyObject*>(a->descr));
  if (unlikely(!elements)) return nullptr;
  View* made = new_view(elements, a->nd, object);
  if (unlikely(!made)) return nullptr;
  made->data = a->data;
  made->readonly = (a->flags & (NPY_ARRAY_WRITEABLE | kWarnOnWrite)) != NPY_ARRAY_WRITEABLE;
  for (int d = 0; d < a->nd; ++d) {
    made->shape[d] = a->dimensions[d];
    made->bytes[d] = a->strides[d];
  }
  if (likely(settle(made))) return as_object(made);
  PyErr_Clear();
  return Py_DECREF(as_object(made)), nullptr;
}

void learn(PyObject* object, const View& described) {
  if (Py_TYPE(object) != plain_ndarray.load(std::memory_order_acquire)) return;
  auto* dtype = reinterpret_cast<PyObject*>(array_fields(object)->descr);
  if (is_plain_number(dtype, true)) learn_elements(dtype, described.elements);
}

}  // namespace

const Showing kShowNdarray = {make, learn};

}  // namespace samebytes
