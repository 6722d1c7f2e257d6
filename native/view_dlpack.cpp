// Exports views by DLPack: capsules of both kinds, and the exchange table for consumers written in C.
#include <cstdlib>
#include <cstring>
#include <new>

#include "dlpack.hpp"
#include "extents.hpp"
#include "pending.hpp"
#include "ref.hpp"
#include "view.hpp"

namespace samebytes {

namespace {

constexpr const char* kNames[] = {"dltensor", "dltensor_versioned"};

bool this_thread_runs_python() {
#if PY_VERSION_HEX >= 0x030D0000
  return PyThreadState_GetUnchecked() != nullptr;
#elif PY_VERSION_HEX >= 0x030C0000
  return _PyThreadState_UncheckedGet() != nullptr;
#else
  return PyGILState_Check() != 0;
#endif
}

bool python_is_ending() {
#if PY_VERSION_HEX >= 0x030D0000
  return Py_IsFinalizing() != 0;
#else
  return _Py_IsFinalizing() != 0;
#endif
}

// A consumer may call a deleter from any thread, and after the interpreter has gone: then the view is leaked.
void drop(PyObject* object) {
  if (!Py_IsInitialized()) return;
  if (this_thread_runs_python()) {
    const PendingException pending;
    Py_DECREF(object);
  } else if (!python_is_ending()) {
    const PyGILState_STATE state = PyGILState_Ensure();
    Py_DECREF(object);
    PyGILState_Release(state);
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
void delete_versioned_capsule(PyObject* capsule) {
  delete_unused<DLManagedTensorVersioned>(capsule, kNames[1]);
}

bool needs_padding_flag(const View& v) { return v.elements->dl.bits * v.elements->dl.lanes % 8 != 0; }

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

DLTensor tensor_of(const View& v, int32_t device_type) {
  return {
      v.size ? v.data : nullptr, device_type, v.device_id, v.ndim, v.elements->dl, v.shape, v.canonical, 0};
}

template <class Managed>
Managed* make_managed(PyObject* self, int32_t device_type) {
  auto* managed = static_cast<Managed*>(std::calloc(1, sizeof(Managed)));
  if (!managed) return PyErr_NoMemory(), nullptr;
  managed->tensor = tensor_of(*as_view(self), device_type);
  managed->context = Py_NewRef(self);
  managed->deleter = delete_exported<Managed>;
  return managed;
}

DLManagedTensorVersioned* make_versioned(PyObject* self, int32_t device_type, uint64_t flags) {
  auto* managed = make_managed<DLManagedTensorVersioned>(self, device_type);
  if (!managed) return nullptr;
  const View& v = *as_view(self);
  managed->version = {kDLPackMajor, kDLPackMinor};
  managed->flags = flags | (v.readonly ? kReadOnly : 0) | (needs_padding_flag(v) ? kSubbytePadded : 0);
  return managed;
}

template <class Managed>
PyObject* enclose(Managed* managed, const char* name, PyCapsule_Destructor destructor) {
  PyObject* capsule = managed ? PyCapsule_New(managed, name, destructor) : nullptr;
  if (managed && !capsule) managed->deleter(managed);
  return capsule;
}

// _capsule(versioned, device_type, copied=False)
PyObject* view_capsule(PyObject* self, PyObject* args) {
  int versioned, device_type, copied = 0;
  if (!PyArg_ParseTuple(args, "pi|p:_capsule", &versioned, &device_type, &copied)) return nullptr;
  if (const char* why = obstacle(*as_view(self), versioned))
    return PyErr_SetString(PyExc_BufferError, why), nullptr;
  if (!versioned)
    return enclose(make_managed<DLManagedTensor>(self, device_type), kNames[0], delete_legacy_capsule);
  return enclose(make_versioned(self, device_type, copied ? kIsCopied : 0), kNames[1],
                 delete_versioned_capsule);
}

// --- the exchange table: no function of it may let a C++ exception out, and none does

PyObject* adopt;  // capsule -> view

bool may_travel(PyObject* object, bool with_flags) {
  const char* why = "this exchange table is for views only";
  if (is_view(object)) {
    const View& v = *as_view(object);
    why = obstacle(v, with_flags);
    if (!why && v.stream) why = "the table cannot hand over the view's stream; use __dlpack__";
  }
  if (why) PyErr_SetString(PyExc_BufferError, why);
  return !why;
}

int managed_from_object(void* object, DLManagedTensorVersioned** out) {
  auto* self = static_cast<PyObject*>(object);
  if (!may_travel(self, true)) return -1;
  *out = make_versioned(self, as_view(self)->device_type, 0);
  return *out ? 0 : -1;
}

int dltensor_from_object(void* object, DLTensor* out) {
  auto* self = static_cast<PyObject*>(object);
  if (!may_travel(self, false)) return -1;
  *out = tensor_of(*as_view(self), as_view(self)->device_type);
  return 0;
}

int managed_to_object(DLManagedTensorVersioned* stolen, void** out) {
  Ref capsule = Ref::steal(PyCapsule_New(stolen, kNames[1], delete_versioned_capsule));
  if (!capsule) {
    if (stolen->deleter) stolen->deleter(stolen);
    return -1;
  }
  if (!adopt) return PyErr_SetString(PyExc_RuntimeError, "samebytes.protocols is not imported"), -1;
  *out = PyObject_CallOneArg(adopt, capsule.get());
  return *out ? 0 : -1;
}

int current_stream(int32_t, int32_t, void** out) {
  *out = nullptr;  // a view that waits for another stream is not handed out above
  return 0;
}

constexpr size_t kAlignment = 256;  // bytes; what DLPack asks of memory for all devices

void free_allocated(DLManagedTensorVersioned* managed) { std::free(managed); }

size_t round_up(size_t bytes) { return (bytes + kAlignment - 1) / kAlignment * kAlignment; }

// New host memory, in one block: struct, shape, strides, elements.
int allocate(DLTensor* like, DLManagedTensorVersioned** out, void* context,
             void (*set_error)(void*, const char*, const char*)) {
  const auto fail = [&](const char* kind, const char* why) { return set_error(context, kind, why), -1; };
  if (like->device_type != kCpu) return fail("BufferError", "samebytes allocates host memory only");
  if (like->ndim < 0 || like->ndim > kMaxRank || (like->ndim && !like->shape))
    return fail("ValueError", "the shape is missing, or has more than 64 dimensions");
  size_t bytes = (size_t{like->dtype.bits} * like->dtype.lanes + 7) / 8;
  for (int d = 0; d < like->ndim; ++d)
    if (like->shape[d] < 0 || __builtin_mul_overflow(bytes, static_cast<size_t>(like->shape[d]), &bytes))
      return fail("ValueError", "an extent is negative or too large");
  const size_t head = round_up(sizeof **out + 2 * kMaxRank * sizeof(int64_t));
  char* block = nullptr;
  if (bytes < SIZE_MAX / 2)
    block = static_cast<char*>(std::aligned_alloc(kAlignment, head + round_up(bytes)));
  if (!block) return fail("MemoryError", "there is not enough memory");
  auto* made = new (block) DLManagedTensorVersioned{};
  auto* shape = reinterpret_cast<int64_t*>(block + sizeof *made);
  if (like->ndim) std::memcpy(shape, like->shape, like->ndim * sizeof *shape);
  if (bytes) {
    c_strides(like->ndim, shape, shape + kMaxRank);
  } else {
    std::memset(shape + kMaxRank, 0, kMaxRank * sizeof *shape);
  }
  made->version = {kDLPackMajor, kDLPackMinor};
  made->deleter = free_allocated;
  made->tensor = {
      bytes ? block + head : nullptr, kCpu, 0, like->ndim, like->dtype, shape, shape + kMaxRank, 0};
  *out = made;
  return 0;
}

const DLPackExchangeAPI api = {
    {kDLPackMajor, kDLPackMinor}, nullptr,       allocate, managed_from_object, managed_to_object,
    dltensor_from_object,         current_stream};

}  // namespace

PyMethodDef view_dlpack_methods[] = {
    {"_capsule", view_capsule, METH_VARARGS,
     "_capsule($self, versioned, device_type, copied=False, /)\n--\n\nA DLPack "
     "capsule of this memory that holds the view."},
    {}};

PyObject* exchange_api(PyObject*, PyObject*) {
  return PyCapsule_New(const_cast<DLPackExchangeAPI*>(&api), "dlpack_exchange_api", nullptr);
}

PyObject* set_adopt(PyObject*, PyObject* function) {
  Py_XSETREF(adopt, Py_NewRef(function));
  Py_RETURN_NONE;
}

}  // namespace samebytes
