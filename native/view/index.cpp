// Parts of views: basic indices, single elements and the transpose. What is out of the ordinary, and the
// words of every refusal, are Python's.
#include <algorithm>
#include <cstring>

#include "codec/scalar.hpp"
#include "ref.hpp"
#include "view/view.hpp"

namespace samebytes {

namespace {

// Where an index leads.
struct SubView {
  int64_t offset = 0;
  int ndim = 0;
  int64_t shape[kMaxRank], bytes[kMaxRank];

  bool add(int64_t extent, int64_t stride) {
    if (unlikely(ndim == kMaxRank)) return false;
    shape[ndim] = extent;
    bytes[ndim++] = stride;
    return true;
  }
};

bool is_plain_bound(PyObject* bound) { return bound == Py_None || PyLong_CheckExact(bound); }

// Without the undefined behaviour of an overflow: strides of empty views mean nothing, and may be anything.
int64_t product(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
}

int64_t sum(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
}

bool add_slice(SubView& place, PyObject* part, int64_t extent, int64_t stride) {
  const auto* slice = reinterpret_cast<PySliceObject*>(part);
  if (!is_plain_bound(slice->start) || !is_plain_bound(slice->stop) || !is_plain_bound(slice->step))
    return false;
  Py_ssize_t start, stop, step;
  if (unlikely(PySlice_Unpack(part, &start, &stop, &step) < 0)) return PyErr_Clear(), false;
  const Py_ssize_t count = PySlice_AdjustIndices(extent, &start, &stop, step);
  if (count) place.offset = sum(place.offset, product(start, stride));
  return place.add(count, count > 1 ? product(stride, step) : stride);
}

bool add_number(SubView& place, PyObject* part, int64_t extent, int64_t stride) {
  int64_t number;
  if (unlikely(!PyLong_CheckExact(part) || !short_int(part, number))) {
    if (PyBool_Check(part) || !PyIndex_Check(part)) return false;
    number = PyNumber_AsSsize_t(part, nullptr);
    if (number == -1 && PyErr_Occurred()) return PyErr_Clear(), false;
  }
  if (number < 0) number += extent;
  place.offset = sum(place.offset, product(number, stride));
  return likely(number >= 0 && number < extent);
}

bool add_rest(SubView& place, const View& v, int& dimension, int until) {
  for (; dimension < until; ++dimension)
    if (!place.add(v.shape[dimension], v.bytes[dimension])) return false;
  return true;
}

// Where the parts lead. False, without an exception: Python must say.
bool find(const View& v, PyObject* const* parts, Py_ssize_t count, SubView& place, bool& open) {
  Py_ssize_t used = 0;
  for (Py_ssize_t i = 0; i < count; ++i) used += parts[i] != Py_None && parts[i] != Py_Ellipsis;
  if (unlikely(used > v.ndim)) return false;
  int dimension = 0;
  for (Py_ssize_t i = 0; i < count; ++i) {
    PyObject* part = parts[i];
    if (part == Py_None) {
      if (!place.add(1, 0)) return false;
    } else if (part == Py_Ellipsis) {
      if (open || !add_rest(place, v, dimension, dimension + v.ndim - static_cast<int>(used))) return false;
      open = true;
    } else {
      const int64_t extent = v.shape[dimension], stride = v.bytes[dimension];
      if (!(PySlice_Check(part) ? add_slice : add_number)(place, part, extent, stride)) return false;
      ++dimension;
    }
  }
  return add_rest(place, v, dimension, v.ndim);
}

PyObject* ask_python(PyObject* self, PyObject* key) {
  static PyObject* const name = PyUnicode_InternFromString("_getitem");
  return PyObject_CallMethodOneArg(self, name, key);
}

PyObject* part_at(const View& v, const SubView& place) {
  View* part = new_part(&v, place.ndim);
  if (unlikely(!part)) return nullptr;
  part->data = v.size ? v.data + place.offset : v.data;  // nothing is there to be reached in an empty one
  part->size = v.size ? 1 : 0;
  for (int d = 0; d < place.ndim; ++d) {
    part->shape[d] = place.shape[d];
    part->bytes[d] = place.bytes[d];
    if (part->size) part->size *= place.shape[d];
  }
  return derive(part), as_object(part);
}

// An element as NumPy's scalar; null without an exception while it is not known which that is.
PyObject* scalar_at(const View& v, const char* data) {
  PyTypeObject* type = v.elements->scalar.load(std::memory_order_acquire);
  if (!type) return nullptr;
  if (v.elements->dl.code == static_cast<uint8_t>(TypeCode::boolean))
    return PyObject_CallOneArg(reinterpret_cast<PyObject*>(type), *data ? Py_True : Py_False);
  PyObject* made = type->tp_alloc(type, 0);
  if (likely(made != nullptr))
    std::memcpy(const_cast<char*>(scalar_payload(made)), data, v.elements->itemsize);
  return made;
}

// Remembers the class of an element that Python has made, if its bytes are those of the memory.
void learn_scalar(const View& v, const char* data, PyObject* made) {
  Elements* e = v.elements;
  PyTypeObject* type = Py_TYPE(made);
  const bool number = e->dl.bits && e->dl.lanes == 1 && e->itemsize * 8 == e->dl.bits;
  const auto room = static_cast<int64_t>(sizeof(PyObject)) + e->itemsize;
  if (!number || PyFloat_CheckExact(made) || type->tp_itemsize || type->tp_basicsize < room) return;
  if (std::memcmp(scalar_payload(made), data, e->itemsize) != 0) return;
  PyTypeObject* none = nullptr;
  if (e->scalar.compare_exchange_strong(none, type)) Py_INCREF(type);
}

PyObject* element_at(PyObject* self, PyObject* key, const char* data) {
  const View& v = *as_view(self);
  PyObject* made = scalar_at(v, data);
  if (made || PyErr_Occurred()) return made;
  made = ask_python(self, key);
  if (made) learn_scalar(v, data, made);
  return made;
}

}  // namespace

PyObject* view_subscript(PyObject* self, PyObject* key) {
  const View& v = *as_view(self);
  SubView place;
  bool open = false;
  const bool several = PyTuple_CheckExact(key);
  PyObject* const* parts = several ? &PyTuple_GET_ITEM(key, 0) : &key;
  if (unlikely(!find(v, parts, several ? PyTuple_GET_SIZE(key) : 1, place, open)))
    return ask_python(self, key);
  if (place.ndim == 0 && !open && v.on_host) return element_at(self, key, v.data + place.offset);
  return part_at(v, place);
}

// For the sequence protocol, which has added the length to what is negative.
PyObject* view_item(PyObject* self, Py_ssize_t i) {
  const View& v = *as_view(self);
  if (i < 0 && v.ndim) i -= v.shape[0];
  Ref key = Ref::steal(PyLong_FromSsize_t(i));
  return key ? view_subscript(self, key.get()) : nullptr;
}

Py_ssize_t view_length(PyObject* self) {
  const View& v = *as_view(self);
  if (likely(v.ndim > 0)) return v.shape[0];
  PyErr_SetString(PyExc_TypeError, "len() of a view without dimensions");
  return -1;
}

PyObject* view_transposed(PyObject* self, void*) {
  const View& v = *as_view(self);
  View* turned = new_part(&v, v.ndim);
  if (unlikely(!turned)) return nullptr;
  turned->data = v.data;
  turned->size = v.size;
  std::reverse_copy(v.shape, v.shape + v.ndim, turned->shape);
  std::reverse_copy(v.bytes, v.bytes + v.ndim, turned->bytes);
  return derive(turned), as_object(turned);
}

}  // namespace samebytes
