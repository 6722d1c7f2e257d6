// The class of views, and their facts as Python sees them; an argument that is a view takes the shortest
// route of all.
#include "view/view.hpp"

#include <cstddef>

#include "array/array.hpp"
#include "array/extents.hpp"
#include "call/unlocked.hpp"
#include "object/dependents.hpp"
#include "ref.hpp"
#include "structmember.h"

namespace samebytes {

PyObject* host_device;

namespace {

PyTypeObject* view_type;

// There is no tp_clear: what a view holds never changes, so that it closes no cycle by itself.
int view_traverse(PyObject* object, visitproc visit, void* arg) {
  const View* self = as_view(object);
  Py_VISIT(Py_TYPE(object));
  Py_VISIT(self->owner);
  Py_VISIT(self->stream);
  Py_VISIT(reinterpret_cast<PyObject*>(self->elements));
  return 0;
}

// A view may own another's buffer or capsule, which owns that view, and so on: the trashcan avoids recursion.
void view_dealloc(PyObject* object) {
  View* self = as_view(object);
  PyObject_GC_UnTrack(object);
  delist(self);
  Py_TRASHCAN_BEGIN(object, view_dealloc);
  if (unlikely(self->weak != nullptr)) PyObject_ClearWeakRefs(object);
  if (unlikely(self->shape != self->room)) PyMem_Free(self->shape);
  Py_XDECREF(self->device);
  Py_XDECREF(self->stream);
  Py_XDECREF(self->owner);
  Py_XDECREF(reinterpret_cast<PyObject*>(self->elements));
  free_view(object);
  Py_TRASHCAN_END;
}

PyObject* as_tuple(int count, const int64_t* values) {
  PyObject* tuple = PyTuple_New(count);
  for (int d = 0; tuple && d < count; ++d) {
    PyObject* number = PyLong_FromLongLong(values[d]);
    if (!number) return Py_DECREF(tuple), nullptr;
    PyTuple_SET_ITEM(tuple, d, number);
  }
  return tuple;
}

PyObject* shape_tuple(PyObject* self, void*) { return as_tuple(as_view(self)->ndim, as_view(self)->shape); }
PyObject* bytes_tuple(PyObject* self, void*) { return as_tuple(as_view(self)->ndim, as_view(self)->bytes); }

PyObject* element_strides(PyObject* self, void*) {
  if (!as_view(self)->divisible) Py_RETURN_NONE;
  return as_tuple(as_view(self)->ndim, as_view(self)->strides);
}

PyObject* element_triple(PyObject* object, void*) {
  const ElementType e = as_view(object)->elements->dl;
  if (!e.bits) Py_RETURN_NONE;
  return Py_BuildValue("(iii)", e.code, e.bits, e.lanes);
}

PyObject* device(PyObject* self, void*) {
  PyObject* known = as_view(self)->device;
  return Py_NewRef(known ? known : host_device);
}

PyObject* itemsize(PyObject* self, void*) { return PyLong_FromLongLong(as_view(self)->elements->itemsize); }

PyObject* fortran_order(PyObject* self, void*) {
  return PyBool_FromLong(is_fortran_contiguous(as_view(self)));
}

PyObject* overlap(PyObject* self, void*) {
  const Overlap found = as_view(self)->overlap;
  return found == Overlap::unknown ? Py_NewRef(Py_None) : PyBool_FromLong(found == Overlap::yes);
}

PyObject* shared(PyObject* self, void* offset) {
  const char* elements = reinterpret_cast<const char*>(as_view(self)->elements);
  return Py_NewRef(*reinterpret_cast<PyObject* const*>(elements + reinterpret_cast<uintptr_t>(offset)));
}

PyMemberDef members[] = {
    {"ptr", T_ULONGLONG, offsetof(View, data), READONLY, "Address of the element with all indices 0."},
    {"readonly", T_BOOL, offsetof(View, readonly), READONLY, "Whether nobody may write through it."},
    {"owner", T_OBJECT, offsetof(View, owner), READONLY, "What keeps the memory alive."},
    {"stream", T_OBJECT, offsetof(View, stream), READONLY, "The stream on which the data is ready, or None."},
    {"ndim", T_INT, offsetof(View, ndim), READONLY, "The number of dimensions."},
    {"size", T_LONGLONG, offsetof(View, size), READONLY, "The number of elements."},
    {"divisible", T_BOOL, offsetof(View, divisible), READONLY,
     "Whether every stride that is used is a whole number of elements."},
    {"contiguous", T_BOOL, offsetof(View, c_order), READONLY,
     "Whether the elements lie in C order without gaps; extents of 0 and 1 put no constraint on their "
     "stride."},
    {"__weaklistoffset__", T_PYSSIZET, offsetof(View, weak), READONLY, nullptr},
    {}};

void* in_elements(size_t offset) { return reinterpret_cast<void*>(offset); }

PyGetSetDef getset[] = {
    {"type", shared, nullptr, "The element type, or None.", in_elements(offsetof(Elements, type))},
    {"dtype_name", shared, nullptr, "The element type in words.",
     in_elements(offsetof(Elements, dtype_name))},
    {"protocol", shared, nullptr, "How the description was obtained.",
     in_elements(offsetof(Elements, protocol))},
    {"dtype", shared, nullptr, "The producer's own dtype object, or None.",
     in_elements(offsetof(Elements, dtype))},
    {"shape", shape_tuple, nullptr, "Elements in each dimension.", nullptr},
    {"byte_strides", bytes_tuple, nullptr, "Bytes between neighbours.", nullptr},
    {"itemsize", itemsize, nullptr, "Bytes of one element.", nullptr},
    {"device", device, nullptr, "Where the memory lies.", nullptr},
    {"fortran_contiguous", fortran_order, nullptr, "Whether they lie in Fortran's order without gaps.",
     nullptr},
    {"_overlap", overlap, nullptr, "Whether elements overlap; None: that could not be told.", nullptr},
    {"T", view_transposed, nullptr, "The view with its dimensions reversed.", nullptr},
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
    {Py_mp_subscript, reinterpret_cast<void*>(view_subscript)},
    {Py_mp_length, reinterpret_cast<void*>(view_length)},
    {Py_sq_item, reinterpret_cast<void*>(view_item)},
    {Py_sq_length, reinterpret_cast<void*>(view_length)},
    {Py_bf_getbuffer, reinterpret_cast<void*>(export_buffer)},
    {Py_bf_releasebuffer, reinterpret_cast<void*>(release_buffer)},
    {Py_tp_doc, const_cast<char*>("What an array object says about the memory that it shows.")},
    {}};

constexpr unsigned kFlags =
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_IMMUTABLETYPE;
PyType_Spec spec = {"samebytes._native.View", sizeof(View), 0, kFlags, slots};

// Takes the class of all views that the core makes, which adds nothing to a view's memory, and the host's
// Device.
PyObject* set_array_view(PyObject*, PyObject* args) {
  PyTypeObject* type;
  PyObject* device;
  if (!PyArg_ParseTuple(args, "O!O:set_array_view", &PyType_Type, &type, &device)) return nullptr;
  if (!PyType_IsSubtype(type, view_type) || type->tp_dictoffset ||
      type->tp_basicsize != static_cast<Py_ssize_t>(sizeof(View)))
    return value_error("the class must derive from View and have __slots__ = ()"), nullptr;
  type->tp_dealloc = view_dealloc;  // CPython's own would look for slots that are not there
  Py_XSETREF(host_device, Py_NewRef(device));
  array_view.store(reinterpret_cast<PyTypeObject*>(Py_NewRef(reinterpret_cast<PyObject*>(type))));
  Py_RETURN_NONE;
}

PyMethodDef functions[] = {
    {"set_array_view", set_array_view, METH_VARARGS,
     "set_array_view(type, host, /)\n--\n\nThe class of the views that the core makes, and the host's "
     "Device."},
    {"describes", describes, METH_O,
     "describes(function, /)\n--\n\nA native view() with the function's name and words, which it asks for "
     "what "
     "the core does not recognise."},
    {"exchange_api", exchange_api, METH_NOARGS,
     "exchange_api()\n--\n\nThe capsule of View's DLPack exchange table."},
    {"set_adopt", set_adopt, METH_O,
     "set_adopt(function, /)\n--\n\nHow the exchange table makes a view of a DLPack capsule."},
    {}};

bool same_elements(const ArraySpec& need, const Elements& e) {
  if (is_element(need, e.dl)) return true;
  return e.dtype != Py_None && (e.dtype == need.dtype || need.accepts(e.dtype)) &&
         (need.anything || e.itemsize == need.itemsize);
}

}  // namespace

bool is_view(PyObject* object) { return PyObject_TypeCheck(object, view_type); }

Match match_view(const ArraySpec& need, PyObject* object, const Route& route, ArrayRef& out,
                 CallResources& resources) {
  const View& v = *as_view(object);
  if (need.writable &&
      (v.readonly || v.overlap != Overlap::no || route.readonly.load(std::memory_order_relaxed)))
    return Match::no;
  if (!(v.on_host || need.anywhere) || !v.divisible || !rank_fits(need, v.ndim) ||
      !same_elements(need, *v.elements))
    return Match::no;
  if (!is_aligned(need, v.data) || (need.contiguous && !v.c_order)) return Match::no;
  put_element_strides(v.ndim, v.shape, v.strides, out);
  out.data = v.data;
  if (unlikely(need.writable && tensors_are_met) && !note_written_view(object, resources))
    return Match::error;
  return Match::yes;
}

bool setup_view(Route& route) {
  route.match = match_view;
  route.showing = &kShowView;
  if (PyType_IsSubtype(route.type, view_type)) return true;
  PyErr_Format(PyExc_ValueError, "%s is no View", route.type->tp_name);
  return false;
}

int add_view_type(PyObject* module) {
  view_type = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&spec));
  if (!view_type || add_elements_type() < 0 || PyModule_AddFunctions(module, functions) < 0) return -1;
  if (add_buffer_route() < 0 || add_dlpack_route() < 0) return -1;
  return PyModule_AddObjectRef(module, "View", reinterpret_cast<PyObject*>(view_type));
}

}  // namespace samebytes
