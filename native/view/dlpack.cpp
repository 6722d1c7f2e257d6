// Exports views by DLPack's capsules, of both kinds.
#include <cstdlib>

#include "call/pending.hpp"
#include "codec/scalar.hpp"
#include "ref.hpp"
#include "view/export.hpp"

namespace samebytes {

namespace {

bool this_thread_runs_python() {
#if PY_VERSION_HEX >= 0x030D0000
  return PyThreadState_GetUnchecked() != nullptr;
#elif PY_VERSION_HEX >= 0x030C0000
  return _PyThreadState_UncheckedGet() != nullptr;
#else
  return PyGILState_Check() != 0;
#endif
}

// A consumer may call a deleter from any thread, and after the interpreter has gone: then the view is leaked.
void drop(PyObject* object) {
  if (!Py_IsInitialized()) return;
  if (this_thread_runs_python()) {
    const PendingException pending;
    Py_DECREF(object);
  } else if (!python_is_over()) {
    in_python([&] { Py_DECREF(object); });
  }
}

template <class Managed>
void delete_exported(Managed* managed) {
  auto* view = static_cast<PyObject*>(managed->context);
  std::free(managed);
  drop(view);
}

template <class Managed>
void delete_unused(PyObject* capsule, const char* name) {
  if (!PyCapsule_IsValid(capsule, name)) return;  // consumed: it was renamed
  auto* managed = static_cast<Managed*>(PyCapsule_GetPointer(capsule, name));
  if (managed->deleter) managed->deleter(managed);
}

void delete_legacy_capsule(PyObject* capsule) { delete_unused<DLManagedTensor>(capsule, kNames[0]); }

bool needs_padding_flag(const View& v) { return v.elements->dl.bits * v.elements->dl.lanes % 8 != 0; }

}  // namespace

// USM consumers look up the allocation that `data` lies in, also where there are no elements: for them it is
// the lowest element's address.
DLTensor tensor_of(const View& v, int32_t device_type) {
  DLTensor tensor = {v.data, device_type, v.device_id, v.ndim, v.elements->dl, v.shape, v.canonical, 0};
  if (device_type != kOneApi) {
    if (!v.size) tensor.data = nullptr;
    return tensor;
  }
  for (int d = 0; v.size && d < v.ndim; ++d)
    if (v.bytes[d] < 0) tensor.byte_offset += static_cast<uint64_t>(-v.bytes[d]) * (v.shape[d] - 1);
  tensor.data = v.data - tensor.byte_offset;
  return tensor;
}

namespace {

template <class Managed>
Managed* make_managed(PyObject* self, int32_t device_type) {
  auto* managed = static_cast<Managed*>(std::calloc(1, sizeof(Managed)));
  if (!managed) return PyErr_NoMemory(), nullptr;
  managed->tensor = tensor_of(*as_view(self), device_type);
  managed->context = Py_NewRef(self);
  managed->deleter = delete_exported<Managed>;
  return managed;
}

}  // namespace

void delete_versioned_capsule(PyObject* capsule) {
  delete_unused<DLManagedTensorVersioned>(capsule, kNames[1]);
}

// Why a view cannot travel; null: it can.
const char* obstacle(const View& v, bool with_flags) {
  if (!v.elements->dl.bits) return "DLPack has no such element type";
  if (!v.divisible) return "the strides are no whole numbers of elements, as DLPack needs";
  if (with_flags) return nullptr;
  if (v.readonly)
    return "the view is read-only, and only a DLPack consumer of version 1.0 or newer can be told";
  return needs_padding_flag(v) ? "only a DLPack consumer of version 1.0 or newer can be told of the padding"
                               : nullptr;
}

DLManagedTensorVersioned* make_versioned(PyObject* self, int32_t device_type, uint64_t flags) {
  auto* managed = make_managed<DLManagedTensorVersioned>(self, device_type);
  if (!managed) return nullptr;
  const View& v = *as_view(self);
  managed->version = {kDLPackMajor, kDLPackMinor};
  managed->flags = flags | (v.readonly ? kReadOnly : 0) | (needs_padding_flag(v) ? kSubbytePadded : 0);
  return managed;
}

namespace {

template <class Managed>
PyObject* enclose(Managed* managed, const char* name, PyCapsule_Destructor destructor) {
  PyObject* capsule = managed ? PyCapsule_New(managed, name, destructor) : nullptr;
  if (managed && !capsule) managed->deleter(managed);
  return capsule;
}

// --- what consumers ask in Python

// What one consumer asks of __dlpack__().
struct Question {
  PyObject *stream = Py_None, *max_version = Py_None, *dl_device = Py_None, *copy = Py_None;

  PyObject** slot(PyObject* name) {
    static PyObject* const names[] = {
        PyUnicode_InternFromString("stream"), PyUnicode_InternFromString("max_version"),
        PyUnicode_InternFromString("dl_device"), PyUnicode_InternFromString("copy")};
    PyObject** const slots[] = {&stream, &max_version, &dl_device, &copy};
    for (int i = 0; i < 4; ++i)
      if (names[i] == name) return slots[i];
    return nullptr;  // also for a name that is not interned
  }

  bool read(PyObject* const* values, PyObject* names) {
    for (Py_ssize_t i = 0; names && i < PyTuple_GET_SIZE(names); ++i) {
      PyObject** to = slot(PyTuple_GET_ITEM(names, i));
      if (!to) return false;
      *to = values[i];
    }
    return true;
  }
};

// The two small numbers of a tuple.
bool read_pair(PyObject* tuple, int64_t (&to)[2]) {
  if (!PyTuple_CheckExact(tuple) || PyTuple_GET_SIZE(tuple) != 2) return false;
  for (int i = 0; i < 2; ++i) {
    PyObject* number = PyTuple_GET_ITEM(tuple, i);
    if (!PyLong_CheckExact(number) || !short_int(number, to[i])) return false;
  }
  return true;
}

// Whether nothing has to be ordered, copied or shown elsewhere; and which kind of capsule is wanted.
bool is_common(const View& v, const Question& q, bool& versioned) {
  int64_t version[2] = {0, 0}, device[2] = {v.device_type, v.device_id};
  if (q.stream != Py_None || v.stream || (q.copy != Py_None && q.copy != Py_False)) return false;
  if (q.max_version != Py_None && !read_pair(q.max_version, version)) return false;
  if (q.dl_device != Py_None && !read_pair(q.dl_device, device)) return false;
  versioned = version[0] >= 1;
  return device[0] == v.device_type && device[1] == v.device_id && !obstacle(v, versioned);
}

PyObject* enclosed(PyObject* self, bool versioned, int32_t device_type, uint64_t flags) {
  if (versioned)
    return enclose(make_versioned(self, device_type, flags), kNames[1], delete_versioned_capsule);
  return enclose(make_managed<DLManagedTensor>(self, device_type), kNames[0], delete_legacy_capsule);
}

// _capsule(versioned, device_type, copied=False)
PyObject* view_capsule(PyObject* self, PyObject* args) {
  int versioned, device_type, copied = 0;
  if (!PyArg_ParseTuple(args, "pi|p:_capsule", &versioned, &device_type, &copied)) return nullptr;
  if (const char* why = obstacle(*as_view(self), versioned))
    return PyErr_SetString(PyExc_BufferError, why), nullptr;
  return enclosed(self, versioned, device_type, copied ? kIsCopied : 0);
}

PyObject* view_dlpack(PyObject* self, PyObject* const* args, Py_ssize_t count, PyObject* names) {
  const View& v = *as_view(self);
  Question question;
  bool versioned;
  if (likely(!count && question.read(args, names) && is_common(v, question, versioned)))
    return enclosed(self, versioned, v.device_type, 0);
  static PyObject* const name = PyUnicode_InternFromString("_dlpack");
  Ref python = Ref::steal(PyObject_GetAttr(self, name));
  return python ? PyObject_Vectorcall(python.get(), args, static_cast<size_t>(count), names) : nullptr;
}

PyObject* view_dlpack_device(PyObject* self, PyObject*) {
  const View& v = *as_view(self);
  Ref pair = Ref::steal(PyTuple_New(2));
  if (!pair) return nullptr;
  const int32_t numbers[] = {v.device_type, v.device_id};
  for (int i = 0; i < 2; ++i) {
    PyObject* number = PyLong_FromLong(numbers[i]);
    if (!number) return nullptr;
    PyTuple_SET_ITEM(pair.get(), i, number);
  }
  return pair.release();
}

}  // namespace

PyMethodDef view_dlpack_methods[] = {
    {"__dlpack__", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(view_dlpack)),
     METH_FASTCALL | METH_KEYWORDS,
     "__dlpack__($self, /, *, stream=None, max_version=None, dl_device=None, copy=None)\n--\n\n"
     "A DLPack capsule of this memory (Array API v2025.12, ``__dlpack__``).\n\n"
     "Raises\n------\nBufferError\n    If the element type, the strides, the device or ``copy=True`` cannot "
     "be "
     "served."},
    {"__dlpack_device__", view_dlpack_device, METH_NOARGS,
     "__dlpack_device__($self, /)\n--\n\nDLPack's device type and number."},
    {"_capsule", view_capsule, METH_VARARGS,
     "_capsule($self, versioned, device_type, copied=False, /)\n--\n\nA DLPack "
     "capsule of this memory that holds the view."},
    {"_row", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(view_row)), METH_FASTCALL,
     "_row($self, address, count, owner, stream, /)\n--\n\nSo many elements at an address, of this view's "
     "type and "
     "on its device."},
    {}};

}  // namespace samebytes
