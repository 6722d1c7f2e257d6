// The internal type of what views of one element type share, and room for new views.
#include <new>

#include "array/dlpack.hpp"
#include "free_list.hpp"
#include "object/dependents.hpp"
#include "ref.hpp"
#include "view/view.hpp"

namespace samebytes {

std::atomic<PyTypeObject*> array_view{nullptr};

namespace {

PyTypeObject* elements_type;
FreeList<View> free_views;  // of class `array_view`

Elements* as_elements(PyObject* object) { return reinterpret_cast<Elements*>(object); }

// There is no tp_clear: what it holds never changes, so that it closes no cycle by itself.
int elements_traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  Py_VISIT(as_elements(self)->type);
  Py_VISIT(as_elements(self)->dtype);
  return 0;
}

void elements_dealloc(PyObject* object) {
  PyTypeObject* type = Py_TYPE(object);
  Elements* self = as_elements(object);
  PyObject_GC_UnTrack(object);
  for (PyObject* held : {self->type, self->dtype_name, self->dtype, self->protocol}) Py_DECREF(held);
  Py_XDECREF(reinterpret_cast<PyObject*>(self->scalar.load()));
  type->tp_free(object);
  Py_DECREF(type);
}

PyType_Slot slots[] = {{Py_tp_dealloc, reinterpret_cast<void*>(elements_dealloc)},
                       {Py_tp_traverse, reinterpret_cast<void*>(elements_traverse)},
                       {Py_tp_doc, const_cast<char*>("What views of one element type share.")},
                       {}};
PyType_Spec spec = {
    "samebytes._native.Elements", sizeof(Elements), 0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_IMMUTABLETYPE | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    slots};

int shift_of(int64_t itemsize) {
  const bool power_of_two = itemsize > 0 && (itemsize & (itemsize - 1)) == 0;
  return power_of_two ? __builtin_ctzll(static_cast<unsigned long long>(itemsize)) : -1;
}

View* allocate(Elements* elements, Py_ssize_t ndim, PyObject* owner) {
  PyTypeObject* type = array_view.load(std::memory_order_acquire);
  if (unlikely(!type))
    return PyErr_SetString(PyExc_RuntimeError, "samebytes.arrays.view is not imported"), nullptr;
  View* made = free_views.take(type);
  if (unlikely(!made)) return nullptr;
  made->elements = reinterpret_cast<Elements*>(Py_NewRef(reinterpret_cast<PyObject*>(elements)));
  made->owner = Py_NewRef(owner);
  made->device = made->stream = made->weak = nullptr;
  made->dependent = {};
  if (unlikely(!make_room(made, ndim))) return Py_DECREF(as_object(made)), nullptr;
  // What holds nothing depends on nothing.
  if (PyObject_IS_GC(owner)) enlist(made);
  // What cannot be part of a cycle need not be known to the collector: NumPy's arrays are not either.
  if (PyObject_GC_IsTracked(owner) || !elements->lasting.load(std::memory_order_relaxed))
    PyObject_GC_Track(as_object(made));
  return made;
}

}  // namespace

Elements* new_elements(PyObject* type, PyObject* dtype_name, PyObject* dtype, PyObject* protocol,
                       int64_t itemsize, ElementType dl) {
  Elements* self = PyObject_GC_New(Elements, elements_type);
  if (!self) return nullptr;
  self->type = Py_NewRef(type);
  self->dtype_name = Py_NewRef(dtype_name);
  self->dtype = Py_NewRef(dtype);
  self->protocol = Py_NewRef(protocol);
  self->itemsize = itemsize;
  self->dl = dl;
  self->shift = shift_of(itemsize);
  new (&self->scalar) std::atomic<PyTypeObject*>(nullptr);
  new (&self->lasting) std::atomic<bool>(false);
  PyObject_GC_Track(self);
  return self;
}

bool is_by(const View& described, const char* protocol) {
  PyObject* said = described.elements->protocol;
  return PyUnicode_CheckExact(said) && PyUnicode_CompareWithASCIIString(said, protocol) == 0;
}

void free_view(PyObject* object) {
  PyTypeObject* type = Py_TYPE(object);
  if (likely(type == array_view.load(std::memory_order_relaxed))) return free_views.give(object);
  type->tp_free(object);
  Py_DECREF(type);
}

// The block of four times ndim numbers.
bool make_room(View* self, Py_ssize_t ndim) {
  int64_t* block = self->room;
  if (unlikely(4 * ndim > static_cast<Py_ssize_t>(sizeof self->room / sizeof *self->room)))
    block = static_cast<int64_t*>(PyMem_Malloc(4 * ndim * sizeof *block));
  self->shape = block ? block : self->room;
  if (unlikely(!block)) return PyErr_NoMemory(), false;
  self->ndim = static_cast<int32_t>(ndim);
  self->bytes = block + ndim;
  self->strides = block + 2 * ndim;
  self->canonical = block + 3 * ndim;
  return true;
}

View* new_view(Elements* elements, Py_ssize_t ndim, PyObject* owner) {
  View* made = allocate(elements, ndim, owner);
  if (unlikely(!made)) return nullptr;
  made->device_type = kCpu;
  made->device_id = 0;
  made->readonly = false;
  made->overlap = Overlap::no;
  made->on_host = true;
  return made;
}

View* new_part(const View* of, Py_ssize_t ndim) {
  View* made = allocate(of->elements, ndim, of->owner);
  if (unlikely(!made)) return nullptr;
  made->device = Py_XNewRef(of->device);
  made->stream = Py_XNewRef(of->stream);
  made->device_type = of->device_type;
  made->device_id = of->device_id;
  made->readonly = of->readonly;
  made->overlap = of->overlap;
  made->on_host = of->on_host;
  return made;
}

int add_elements_type() {
  elements_type = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&spec));
  return elements_type ? 0 : -1;
}

}  // namespace samebytes
