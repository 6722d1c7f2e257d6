// Views of objects that show their memory by a dict: the CUDA Array Interface and __array_interface__. Only
// the dicts that nearly every producer gives are read here; Python reads the others, and words what is wrong
// with them.
#include <utility>

#include "array/array.hpp"
#include "array/dlpack.hpp"
#include "codec/scalar.hpp"
#include "ref.hpp"
#include "view/known_elements.hpp"

namespace samebytes {

namespace {

struct Names {
  PyObject *cuda, *sycl, *host, *device, *shape, *typestr, *data, *strides, *stream, *mask, *version, *str;
};

const Names& names() {
  const auto name = PyUnicode_InternFromString;
  static const Names all = {name("__cuda_array_interface__"),
                            name("__sycl_usm_array_interface__"),
                            name("__array_interface__"),
                            name("device"),
                            name("shape"),
                            name("typestr"),
                            name("data"),
                            name("strides"),
                            name("stream"),
                            name("mask"),
                            name("version"),
                            name("str")};
  return all;
}

std::atomic<PyObject*> cuda_device{nullptr};  // that Python gave

// A type string of NumPy's own numbers in the machine's byte order, "<f4"; no bits: another one.
ElementType parse_typestr(PyObject* object) {
  Py_ssize_t length;
  const char* const text = PyUnicode_AsUTF8AndSize(object, &length);
  if (!text) return PyErr_Clear(), ElementType{};
  if (length < 3 || length > 4 || text[2] < '1' || text[2] > '9') return {};
  int bytes = text[2] - '0';
  if (length == 4) {
    if (text[3] < '0' || text[3] > '9') return {};
    bytes = 10 * bytes + text[3] - '0';
  }
  if (text[0] != (bytes == 1 ? '|' : '<') || bytes > 16) return {};
  for (const auto& [letter, code] : {std::pair('b', TypeCode::boolean), std::pair('i', TypeCode::integer),
                                     std::pair('u', TypeCode::unsigned_integer),
                                     std::pair('f', TypeCode::floating), std::pair('c', TypeCode::complex)})
    if (text[1] == letter) return {static_cast<uint8_t>(code), static_cast<uint8_t>(8 * bytes), 1};
  return {};
}

// An attribute; null without an exception where the object has none.
Ref attribute(PyObject* object, PyObject* name) {
  PyObject* found;
#if PY_VERSION_HEX >= 0x030D0000
  PyObject_GetOptionalAttr(object, name, &found);
#else
  _PyObject_LookupAttr(object, name, &found);
#endif
  return Ref::steal(found);
}

// An entry; null where it is missing or None. Owned: another thread may change the dict.
Ref entry(PyObject* dict, PyObject* name) {
  PyObject* found = nullptr;
#if PY_VERSION_HEX >= 0x030D0000
  if (PyDict_GetItemRef(dict, name, &found) < 0) found = nullptr;
#else
  found = Py_XNewRef(PyDict_GetItemWithError(dict, name));
#endif
  Ref owned = Ref::steal(found);
  return found == Py_None ? Ref() : std::move(owned);
}

bool read_extents(PyObject* tuple, int64_t* to) {
  for (Py_ssize_t d = 0; d < PyTuple_GET_SIZE(tuple); ++d) {
    PyObject* number = PyTuple_GET_ITEM(tuple, d);
    if (!PyLong_CheckExact(number) || !short_int(number, to[d])) {
      int overflow;
      if (!PyLong_CheckExact(number)) return false;
      to[d] = PyLong_AsLongLongAndOverflow(number, &overflow);
      if (overflow) return false;
    }
  }
  return true;
}

bool put_c_strides(View* v) {
  int64_t next = v->elements->itemsize;
  bool fits = true;
  for (int d = v->ndim; d-- > 0;) {
    v->bytes[d] = next;
    fits &= !__builtin_mul_overflow(next, v->shape[d], &next);
  }
  return fits;
}

bool read_data(PyObject* pair, View* v) {
  if (!pair || !PyTuple_CheckExact(pair) || PyTuple_GET_SIZE(pair) != 2) return false;
  PyObject *address = PyTuple_GET_ITEM(pair, 0), *readonly = PyTuple_GET_ITEM(pair, 1);
  if (!PyLong_CheckExact(address) || !PyBool_Check(readonly)) return false;
  const uint64_t place = PyLong_AsUnsignedLongLong(address);  // not AsVoidPtr, which takes what is negative
  v->data = reinterpret_cast<char*>(place);
  v->readonly = readonly == Py_True;
  return place != UINT64_MAX || !PyErr_Occurred();
}

bool is_extents(PyObject* object) {
  return PyTuple_CheckExact(object) && PyTuple_GET_SIZE(object) <= kMaxRank;
}

// Null: the dict is one for Python.
Ref shown(SaidBy protocol, PyObject* dict, PyObject* owner) {
  const Names& n = names();
  const Ref shape = entry(dict, n.shape), typestr = entry(dict, n.typestr), strides = entry(dict, n.strides);
  if (!shape || !is_extents(shape.get()) || !typestr || !PyUnicode_CheckExact(typestr.get()) ||
      entry(dict, n.mask))
    return Ref();
  const Py_ssize_t ndim = PyTuple_GET_SIZE(shape.get());
  if (strides && (!is_extents(strides.get()) || PyTuple_GET_SIZE(strides.get()) != ndim)) return Ref();
  Elements* const elements = known_elements(protocol, parse_typestr(typestr.get()));
  if (!elements) return Ref();
  Ref made = Ref::steal(as_object(new_view(elements, ndim, owner)));
  View* v = made ? as_view(made.get()) : nullptr;
  if (!v || !read_extents(shape.get(), v->shape) || !read_data(entry(dict, n.data).get(), v)) return Ref();
  if (strides ? !read_extents(strides.get(), v->bytes) : !put_c_strides(v)) return Ref();
  return settle(v) ? std::move(made) : Ref();
}

PyObject* read_host(PyObject* object, PyObject* dict) {
  return shown(SaidBy::array_interface, dict, object).release();
}

// A stream is an address, or 1 and 2; the interface forbids 0.
bool put_stream(View* v, PyObject* stream) {
  if (!stream) return true;
  if (!PyLong_CheckExact(stream) || !PyLong_AsUnsignedLongLong(stream) || PyErr_Occurred()) return false;
  v->stream = Py_NewRef(stream);
  return true;
}

PyObject* read_cuda(PyObject* object, PyObject* dict) {
  const Names& n = names();
  PyObject* device = cuda_device.load(std::memory_order_acquire);
  const Ref version = entry(dict, n.version);
  int64_t number;
  if (!device || !version || !PyLong_CheckExact(version.get()) || !short_int(version.get(), number) ||
      number < 2)
    return nullptr;
  if (attribute(object, n.device) || PyErr_Occurred()) return nullptr;  // it knows more than the dict says
  Ref made = shown(SaidBy::cuda_interface, dict, object);
  View* v = made ? as_view(made.get()) : nullptr;
  if (!v) return nullptr;
  v->device = Py_NewRef(device);
  v->device_type = kCuda;
  v->on_host = false;
  return put_stream(v, entry(dict, n.stream).get()) ? made.release() : nullptr;
}

// Each object is asked in the order of the protocols: an attribute may be the instance's own.
PyObject* make(PyObject* object, const Route&) {
  const Names& n = names();
  PyObject* made = nullptr;
  if (const Ref found = attribute(object, n.cuda)) {
    if (PyDict_CheckExact(found.get())) made = read_cuda(object, found.get());
  } else if (!PyErr_Occurred() && !attribute(object, n.sycl) && !PyErr_Occurred()) {
    const Ref dict = attribute(object, n.host);
    if (dict && PyDict_CheckExact(dict.get())) made = read_host(object, dict.get());
  }
  return made || !PyErr_Occurred() ? made : give_up();
}

// Type strings of NumPy's own numbers: what others mean depends on the object.
void learn(PyObject*, const View& described) {
  Elements* e = described.elements;
  const bool on_cuda = is_by(described, "__cuda_array_interface__");
  const bool known = on_cuda ? described.device_type == kCuda && described.device_id == 0
                             : is_by(described, "__array_interface__");
  if (!known || !is_plain_number(e->dtype, false)) return;
  const Ref typestr = attribute(e->dtype, names().str);
  if (!typestr || !PyUnicode_CheckExact(typestr.get())) return PyErr_Clear();
  if (!(parse_typestr(typestr.get()) == e->dl)) return;
  PyObject* none = nullptr;
  if (on_cuda && cuda_device.compare_exchange_strong(none, described.device)) Py_INCREF(described.device);
  learn_elements(on_cuda ? SaidBy::cuda_interface : SaidBy::array_interface, e);
}

}  // namespace

const Showing kShowInterface = {make, learn};

}  // namespace samebytes
