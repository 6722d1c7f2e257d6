// Makes views and shows their facts to Python; an argument that is a view takes the shortest route of all.
#include "view.hpp"

#include <cstddef>

#include "array.hpp"
#include "extents.hpp"
#include "ref.hpp"
#include "structmember.h"

namespace samebytes {

namespace {

PyTypeObject* view_type;

// The block of four times ndim numbers; false: MemoryError is set.
bool make_room(View* self, Py_ssize_t ndim) {
  int64_t* block = self->room;
  if (4 * ndim > static_cast<Py_ssize_t>(sizeof self->room / sizeof *self->room))
    block = static_cast<int64_t*>(PyMem_Malloc(4 * ndim * sizeof *block));
  if (!block) return PyErr_NoMemory(), false;
  self->ndim = static_cast<int32_t>(ndim);
  self->shape = block;
  self->bytes = block + ndim;
  self->strides = block + 2 * ndim;
  self->canonical = block + 3 * ndim;
  return true;
}

bool read_numbers(PyObject* tuple, int64_t* to) {
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(tuple); ++i) {
    to[i] = PyLong_AsLongLong(PyTuple_GET_ITEM(tuple, i));
    if (unlikely(to[i] == -1) && PyErr_Occurred()) return false;
  }
  return true;
}

bool refuse(const char* why) { return PyErr_SetString(PyExc_ValueError, why), false; }

// Nothing below may overflow once this holds: the elements lie inside the address space, and can be counted.
bool check_range(View* self) {
  using Wide = __int128;
  Wide low = reinterpret_cast<uintptr_t>(self->data), high = low, size = 1;
  const bool empty = is_empty(self->ndim, self->shape);
  for (int d = 0; d < self->ndim; ++d) {
    if (self->shape[d] < 0) return refuse("an extent is negative");
    if (empty) continue;
    const Wide reach = Wide{self->shape[d] - 1} * self->bytes[d];
    (reach < 0 ? low : high) += reach;
    size *= self->shape[d];
    if (size > PY_SSIZE_T_MAX) return refuse("there are more elements than memory can hold");
  }
  self->size = empty ? 0 : static_cast<int64_t>(size);
  if (empty) return true;
  if (size * self->itemsize > PY_SSIZE_T_MAX) return refuse("there are more bytes than memory can hold");
  if (low < 0 || high + self->itemsize > (Wide{1} << 64))
    return refuse("elements lie beyond the address space");
  return self->data || !self->itemsize ? true : refuse("there are elements, but no memory");
}

bool is_fortran_contiguous(const View* v) {
  int64_t expected = v->itemsize;
  for (int d = 0; d < v->ndim; ++d) {
    if (v->shape[d] > 1 && v->bytes[d] != expected) return v->size == 0;
    expected *= v->shape[d];
  }
  return true;
}

void derive(View* self) {
  const int64_t unit = self->itemsize ? self->itemsize : 1;
  self->divisible = true;
  for (int d = 0; d < self->ndim; ++d) {
    const bool divides = self->bytes[d] % unit == 0;
    if (!divides && self->shape[d] > 1 && self->size) self->divisible = false;
    self->strides[d] = divides ? self->bytes[d] / unit : 0;
    self->canonical[d] = self->strides[d];
  }
  self->c_order = self->size == 0 || is_c_contiguous(self->ndim, self->shape, self->bytes, self->itemsize);
  self->fortran_order = is_fortran_contiguous(self);
  if (!self->c_order) return;
  if (self->size) return c_strides(self->ndim, self->shape, self->canonical);
  int64_t next = 1;  // extents of an empty array are counted as 1, and their product may still overflow
  for (int d = self->ndim; d-- > 0;) {
    self->canonical[d] = next;
    if (self->shape[d] && __builtin_mul_overflow(next, self->shape[d], &next)) next = 1;
  }
}

bool read_device(View* self) {
  Ref type = Ref::steal(PyObject_GetAttrString(self->device, "type"));
  Ref id = Ref::steal(type ? PyObject_GetAttrString(self->device, "id") : nullptr);
  Ref host = Ref::steal(id ? PyObject_GetAttrString(self->device, "is_host") : nullptr);
  if (!host) return false;
  const long kind = PyLong_AsLong(type.get()), number = PyLong_AsLong(id.get());
  if (PyErr_Occurred()) return false;
  self->device_type = static_cast<int32_t>(kind);
  self->device_id = static_cast<int32_t>(number);
  if (self->device_type != kind || self->device_id != number) return refuse("no such device");
  self->on_host = host.get() == Py_True;
  return true;
}

// From `element`, else from the type's own DLPack triple, if it has one.
bool read_element(View* self, PyObject* element) {
  Ref triple = Ref::borrow(element);
  if (element == Py_None) {
    if (self->type == Py_None) return true;
    triple = Ref::steal(PyObject_GetAttrString(self->type, "dlpack"));
    if (!triple) {
      if (!PyErr_ExceptionMatches(PyExc_AttributeError)) return false;
      PyErr_Clear();
      return true;
    }
  }
  if (!PyTuple_Check(triple.get())) return refuse("element must be DLPack's code, bits and lanes");
  unsigned char code, bits;
  unsigned short lanes;
  if (!PyArg_ParseTuple(triple.get(), "bbH", &code, &bits, &lanes)) return false;
  self->element = {code, bits, lanes};
  return true;
}

Ref as_tuple(PyObject* object) { return Ref::steal(PySequence_Tuple(object)); }

PyObject* view_new(PyTypeObject* type, PyObject* args, PyObject* kwargs) {
  static const char* names[] = {"type",     "dtype_name", "ptr",      "shape",    "byte_strides",
                                "itemsize", "device",     "readonly", "protocol", "owner",
                                "stream",   "dtype",      "element",  nullptr};
  PyObject *kind, *words, *address, *shape, *bytes, *device, *protocol, *owner;
  PyObject *stream = Py_None, *dtype = Py_None, *element = Py_None;
  Py_ssize_t itemsize;
  int readonly;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "OOOOOnOpOO|OOO:ArrayView", const_cast<char**>(names), &kind,
                                   &words, &address, &shape, &bytes, &itemsize, &device, &readonly, &protocol,
                                   &owner, &stream, &dtype, &element))
    return nullptr;
  Ref extents = as_tuple(shape), steps = as_tuple(bytes);
  if (!extents || !steps) return nullptr;
  const Py_ssize_t ndim = PyTuple_GET_SIZE(extents.get());
  if (ndim != PyTuple_GET_SIZE(steps.get())) return refuse("shape and strides differ in length"), nullptr;
  if (ndim > kMaxRank) return refuse("there are more than 64 dimensions"), nullptr;
  if (itemsize < 0) return refuse("the itemsize is negative"), nullptr;
  const uint64_t place = PyLong_AsUnsignedLongLong(address);
  if (PyErr_Occurred()) return nullptr;

  Ref made = Ref::steal(type->tp_alloc(type, 0));
  if (!made) return nullptr;
  View* self = as_view(made.get());
  self->data = reinterpret_cast<char*>(place);
  self->itemsize = itemsize;
  self->readonly = readonly != 0;
  self->type = Py_NewRef(kind);
  self->dtype_name = Py_NewRef(words);
  self->device = Py_NewRef(device);
  self->protocol = Py_NewRef(protocol);
  self->owner = Py_NewRef(owner);
  self->stream = Py_NewRef(stream);
  self->dtype = Py_NewRef(dtype);
  if (!make_room(self, ndim) || !read_numbers(extents.get(), self->shape) ||
      !read_numbers(steps.get(), self->bytes) || !check_range(self) || !read_device(self) ||
      !read_element(self, element))
    return nullptr;
  self->shape_tuple = extents.release();
  self->bytes_tuple = steps.release();
  derive(self);
  return made.release();
}

template <class Do>
void each_object(View* v, Do act) {
  for (PyObject** slot : {&v->type, &v->dtype_name, &v->shape_tuple, &v->bytes_tuple, &v->device,
                          &v->protocol, &v->owner, &v->stream, &v->dtype})
    act(*slot);
}

// There is no tp_clear: what a view holds never changes, so that it closes no cycle by itself.
int view_traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  Py_VISIT(as_view(self)->owner);
  Py_VISIT(as_view(self)->stream);
  Py_VISIT(as_view(self)->type);
  return 0;
}

void view_dealloc(PyObject* object) {
  PyTypeObject* type = Py_TYPE(object);
  View* self = as_view(object);
  PyObject_GC_UnTrack(object);
  if (self->weak) PyObject_ClearWeakRefs(object);
  each_object(self, [](PyObject*& slot) { Py_CLEAR(slot); });
  if (self->shape != self->room) PyMem_Free(self->shape);
  type->tp_free(object);
  Py_DECREF(type);
}

PyObject* element_strides(PyObject* object, void*) {
  const View* self = as_view(object);
  if (!self->divisible) Py_RETURN_NONE;
  Ref tuple = Ref::steal(PyTuple_New(self->ndim));
  for (int d = 0; tuple && d < self->ndim; ++d) {
    PyObject* number = PyLong_FromLongLong(self->strides[d]);
    if (!number) return nullptr;
    PyTuple_SET_ITEM(tuple.get(), d, number);
  }
  return tuple.release();
}

PyObject* element_triple(PyObject* object, void*) {
  const ElementType e = as_view(object)->element;
  if (!e.bits) Py_RETURN_NONE;
  return Py_BuildValue("(iii)", e.code, e.bits, e.lanes);
}

PyMemberDef members[] = {
    {"type", T_OBJECT, offsetof(View, type), READONLY, "The element type, or None."},
    {"dtype_name", T_OBJECT, offsetof(View, dtype_name), READONLY, "The element type in words."},
    {"ptr", T_ULONGLONG, offsetof(View, data), READONLY, "Address of the element with all indices 0."},
    {"shape", T_OBJECT, offsetof(View, shape_tuple), READONLY, "Elements in each dimension."},
    {"byte_strides", T_OBJECT, offsetof(View, bytes_tuple), READONLY, "Bytes between neighbours."},
    {"itemsize", T_LONGLONG, offsetof(View, itemsize), READONLY, "Bytes of one element."},
    {"device", T_OBJECT, offsetof(View, device), READONLY, "Where the memory lies."},
    {"readonly", T_BOOL, offsetof(View, readonly), READONLY, "Whether nobody may write through it."},
    {"protocol", T_OBJECT, offsetof(View, protocol), READONLY, "How the description was obtained."},
    {"owner", T_OBJECT, offsetof(View, owner), READONLY, "What keeps the memory alive."},
    {"stream", T_OBJECT, offsetof(View, stream), READONLY, "The stream on which the data is ready, or None."},
    {"dtype", T_OBJECT, offsetof(View, dtype), READONLY, "The producer's own dtype object, or None."},
    {"ndim", T_INT, offsetof(View, ndim), READONLY, "The number of dimensions."},
    {"size", T_LONGLONG, offsetof(View, size), READONLY, "The number of elements."},
    {"divisible", T_BOOL, offsetof(View, divisible), READONLY,
     "Whether every stride that is used is a whole number of elements."},
    {"contiguous", T_BOOL, offsetof(View, c_order), READONLY,
     "Whether the elements lie in C order without gaps; extents of 0 and 1 put no constraint on their "
     "stride."},
    {"fortran_contiguous", T_BOOL, offsetof(View, fortran_order), READONLY, "The same in Fortran's order."},
    {"__weaklistoffset__", T_PYSSIZET, offsetof(View, weak), READONLY, nullptr},
    {}};

PyGetSetDef getset[] = {
    {"_strides", element_strides, nullptr, "Strides in elements, or None.", nullptr},
    {"_element", element_triple, nullptr, "DLPack's code, bits and lanes, or None.", nullptr},
    {}};

PyType_Slot slots[] = {
    {Py_tp_new, reinterpret_cast<void*>(view_new)},
    {Py_tp_dealloc, reinterpret_cast<void*>(view_dealloc)},
    {Py_tp_traverse, reinterpret_cast<void*>(view_traverse)},
    {Py_tp_members, members},
    {Py_tp_getset, getset},
    {Py_tp_methods, view_dlpack_methods},
    {Py_bf_getbuffer, reinterpret_cast<void*>(export_buffer)},
    {Py_bf_releasebuffer, reinterpret_cast<void*>(release_buffer)},
    {Py_tp_doc, const_cast<char*>("What an array object says about the memory that it shows.")},
    {}};

constexpr unsigned kFlags =
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_IMMUTABLETYPE;
PyType_Spec spec = {"samebytes._native.View", sizeof(View), 0, kFlags, slots};

PyMethodDef functions[] = {
    {"exchange_api", exchange_api, METH_NOARGS,
     "exchange_api()\n--\n\nThe capsule of View's DLPack exchange table."},
    {"set_adopt", set_adopt, METH_O,
     "set_adopt(function, /)\n--\n\nHow the exchange table makes a view of a DLPack capsule."},
    {}};

bool same_elements(const ArraySpec& need, const View& v) {
  if (need.dl.bits && v.element == need.dl) return true;
  return v.dtype != Py_None && (v.dtype == need.dtype || need.accepts(v.dtype)) &&
         v.itemsize == need.itemsize;
}

}  // namespace

bool is_view(PyObject* object) { return PyObject_TypeCheck(object, view_type); }

Match match_view(const ArraySpec& need, PyObject* object, const Route& route, ArrayRef& out, Keep&) {
  const View& v = *as_view(object);
  if (need.writable && (v.readonly || route.readonly.load(std::memory_order_relaxed))) return Match::no;
  if (!v.on_host || !v.divisible || !rank_fits(need, v.ndim) || !same_elements(need, v)) return Match::no;
  if (!is_aligned(need, v.data) || (need.contiguous && !v.c_order)) return Match::no;
  put_element_strides(v.ndim, v.shape, v.strides, out);
  out.data = v.data;
  return Match::yes;
}

bool setup_view(Route& route) {
  route.match = match_view;
  if (PyType_IsSubtype(route.type, view_type)) return true;
  PyErr_Format(PyExc_ValueError, "%s is no View", route.type->tp_name);
  return false;
}

int add_view_type(PyObject* module) {
  view_type = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&spec));
  if (!view_type || PyModule_AddFunctions(module, functions) < 0) return -1;
  return PyModule_AddObjectRef(module, "View", reinterpret_cast<PyObject*>(view_type));
}

}  // namespace samebytes
