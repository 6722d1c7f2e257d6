// Reads DLPack producers: through their exchange API inside a call, through capsules in Python's slow path.
#include "array/dlpack.hpp"

#include "array/describe.hpp"
#include "array/extents.hpp"
#include "array/overlap.hpp"
#include "call/pending.hpp"
#include "call/unlocked.hpp"
#include "ref.hpp"
#include "view/view.hpp"

namespace samebytes {

namespace {

bool on_host(const DLTensor& t) {
  return t.device_type == kCpu || t.device_type == kCudaHost || t.device_type == kRocmHost;
}

}  // namespace

char* address(const DLTensor& t) {
  const auto base = reinterpret_cast<uintptr_t>(t.data);
  return base ? reinterpret_cast<char*>(base + t.byte_offset) : nullptr;
}

// Whether shape and strides may be read; what they say is checked by whoever uses it.
bool is_readable(const DLTensor& t) {
  return t.ndim >= 0 && t.ndim <= kMaxRank && (t.ndim == 0 || t.shape) &&
         reinterpret_cast<uintptr_t>(t.data) + t.byte_offset >= t.byte_offset;
}

namespace {

const char* unreadable(const DLTensor& t) {
  if (t.ndim < 0 || t.ndim > kMaxRank) return "the DLPack producer gave %d dimensions; 0 to 64 are possible";
  if (t.ndim > 0 && !t.shape) return "the DLPack producer gave no shape for %d dimensions";
  return "the DLPack producer's byte_offset leads out of the address space";
}

bool tensor_fits(const ArraySpec& spec, const DLTensor& t) {
  if (!is_readable(t) || !rank_fits(spec, t.ndim) || spec.dl.bits == 0 || !(t.dtype == spec.dl) ||
      !on_host(t))
    return false;
  if (!is_aligned(spec, address(t)) || (!t.data && !is_empty(t.ndim, t.shape))) return false;
  if (spec.contiguous) return is_c_contiguous(t.ndim, t.shape, t.strides, 1);
  return !spec.writable || !t.strides || !may_overlap(t.ndim, t.shape, t.strides, 1);
}

PyObject* describe_tensor(const DLTensor& t, uint64_t flags, PyObject* owner) {
  if (!is_readable(t)) return PyErr_Format(PyExc_BufferError, unreadable(t), t.ndim);
  const int bits = t.dtype.bits * t.dtype.lanes;
  const bool packed = bits % 8 != 0 && !(flags & kSubbytePadded);
  const int64_t itemsize = packed ? 0 : (bits + 7) / 8;
  PyObject* dtype = Py_BuildValue("(iii)", t.dtype.code, t.dtype.bits, t.dtype.lanes);
  return description({address(t), t.ndim, t.shape, t.strides, packed ? 1 : itemsize, dtype, itemsize,
                      t.device_type, t.device_id, (flags & kReadOnly) != 0, owner});
}

// A consumed managed tensor lives in a capsule of ours, whose death (with the GIL held) calls the deleter
// once.
constexpr const char* kOwner = "samebytes_dlpack_owner";

template <class Managed>
void delete_owned(PyObject* owner) {
  auto* managed = static_cast<Managed*>(PyCapsule_GetPointer(owner, kOwner));
  if (!managed || !managed->deleter) return;
  const PendingException pending;
  managed->deleter(managed);
}

Taken opened(const DLManagedTensor* managed, Ref owner) { return {std::move(owner), &managed->tensor, 0}; }

Taken opened(const DLManagedTensorVersioned* managed, Ref owner) {
  if (managed->version.major == kDLPackMajor) return {std::move(owner), &managed->tensor, managed->flags};
  PyErr_Format(PyExc_BufferError, "DLPack %u.%u is not supported, only %u.x", managed->version.major,
               managed->version.minor, kDLPackMajor);
  return {};
}

template <class Managed>
PyObject* take(PyObject* capsule, const char* name, const char* used_name, Managed** managed) {
  *managed = static_cast<Managed*>(PyCapsule_GetPointer(capsule, name));
  if (!*managed) return nullptr;
  PyObject* owner = PyCapsule_New(*managed, kOwner, nullptr);
  if (owner && PyCapsule_SetName(capsule, used_name) == 0) {
    PyCapsule_SetDestructor(owner, delete_owned<Managed>);
    return owner;
  }
  Py_XDECREF(owner);
  return nullptr;
}

template <class Managed>
Taken taken(PyObject* capsule, const char* name, const char* used_name) {
  Managed* managed;
  Ref owner = Ref::steal(take(capsule, name, used_name, &managed));
  return owner ? opened(managed, std::move(owner)) : Taken{};
}

}  // namespace

const DLPackExchangeAPI* find_exchange(PyTypeObject* type) {
  PyObject* capsule = PyObject_GetAttrString(reinterpret_cast<PyObject*>(type), "__dlpack_c_exchange_api__");
  if (!capsule) return nullptr;
  auto* api = static_cast<const DLPackExchangeAPI*>(PyCapsule_GetPointer(capsule, "dlpack_exchange_api"));
  Py_DECREF(capsule);
  if (!api) return nullptr;
  while (api && api->version.major != kDLPackMajor) api = api->older;
  if (api && api->dltensor_from_object) return api;
  PyErr_Format(PyExc_BufferError, "%s has no DLPack exchange API of version %u.x", type->tp_name,
               kDLPackMajor);
  return nullptr;
}

Match match_exchange(const ArraySpec& spec, PyObject* object, const Route& route, ArrayRef& out,
                     CallResources& resources) {
  if (spec.writable && route.readonly.load(std::memory_order_relaxed)) return Match::no;
  DLTensor t;
  const auto guard = route.guard.load(std::memory_order_relaxed);
  int state = guard ? guard(object) : 1;
  if (state == 1)
    state = route.exchange.load(std::memory_order_relaxed)->dltensor_from_object(object, &t) == 0 ? 1 : -1;
  if (state < 0 && PyErr_Occurred() && is_overwhelmed()) return Match::error;
  if (state < 0) PyErr_Clear();  // the slow path asks again and words what it hears
  if (state != 1 || !tensor_fits(spec, t)) return Match::no;
  put_element_strides(t.ndim, t.shape, t.strides, out);
  out.data = address(t);
  resources.stir();
  const bool written = spec.writable && is_tensor(object);
  return !written || resources.note({object, nullptr, nullptr, nullptr, true}) ? Match::yes : Match::error;
}

PyObject* describe_exchange(PyObject*, PyObject* object) {
  const Route* route = find_route(Py_TYPE(object));
  const DLPackExchangeAPI* api = route ? route->exchange.load(std::memory_order_acquire) : nullptr;
  if (!api) return PyErr_Format(PyExc_TypeError, "%s has no exchange route", Py_TYPE(object)->tp_name);
  const auto guard = route->guard.load(std::memory_order_relaxed);
  const int state = guard ? guard(object) : 1;
  if (state == 0)
    PyErr_SetString(PyExc_BufferError, "only a plain tensor that does not require grad can be read");
  DLTensor t;
  if (state != 1) return nullptr;
  if (api->dltensor_from_object(object, &t) != 0) {
    if (!PyErr_Occurred()) PyErr_SetString(PyExc_BufferError, "the producer refused and gave no reason");
    return nullptr;
  }
  if (!t.data && !is_empty(t.ndim, t.shape)) {
    PyErr_SetString(PyExc_BufferError, "the tensor has elements but no memory");
    return nullptr;
  }
  return describe_tensor(t, route->readonly.load(std::memory_order_relaxed) ? kReadOnly : 0, object);
}

Taken take_managed(DLManagedTensorVersioned* managed) {
  Ref owner = Ref::steal(PyCapsule_New(managed, kOwner, delete_owned<DLManagedTensorVersioned>));
  if (owner) return opened(managed, std::move(owner));
  if (managed->deleter) managed->deleter(managed);
  return {};
}

Taken take_capsule(PyObject* capsule) {
  if (PyCapsule_IsValid(capsule, "dltensor_versioned"))
    return taken<DLManagedTensorVersioned>(capsule, "dltensor_versioned", "used_dltensor_versioned");
  if (PyCapsule_IsValid(capsule, "dltensor"))
    return taken<DLManagedTensor>(capsule, "dltensor", "used_dltensor");
  const bool used =
      PyCapsule_IsValid(capsule, "used_dltensor") || PyCapsule_IsValid(capsule, "used_dltensor_versioned");
  PyErr_Format(PyExc_BufferError,
               used ? "this DLPack capsule was already consumed" : "expected a DLPack capsule, got %s",
               Py_TYPE(capsule)->tp_name);
  return {};
}

namespace {

// A capsule that nobody else can see becomes the owner itself.
template <class Managed>
Taken converted(Ref capsule, const Peeked& seen) {
  PyCapsule_SetName(capsule.get(), kOwner);
  PyCapsule_SetDestructor(capsule.get(), delete_owned<Managed>);
  return {std::move(capsule), seen.tensor, seen.flags};
}

}  // namespace

Peeked peek(PyObject* capsule) {
  const char* name = PyCapsule_CheckExact(capsule) ? PyCapsule_GetName(capsule) : nullptr;
  void* content = name ? PyCapsule_GetPointer(capsule, name) : nullptr;
  if (unlikely(!content)) return PyErr_Clear(), Peeked{};
  if (std::strcmp(name, "dltensor_versioned") == 0) {
    const auto* managed = static_cast<const DLManagedTensorVersioned*>(content);
    if (managed->version.major == kDLPackMajor) return {&managed->tensor, managed->flags, true};
  } else if (std::strcmp(name, "dltensor") == 0) {
    return {&static_cast<const DLManagedTensor*>(content)->tensor, 0, false};
  }
  return {};
}

Taken take_over(Ref capsule, const Peeked& seen) {
#ifndef Py_GIL_DISABLED
  if (likely(Py_REFCNT(capsule.get()) == 1))
    return (seen.versioned ? converted<DLManagedTensorVersioned>
                           : converted<DLManagedTensor>)(std::move(capsule), seen);
#endif
  return take_capsule(capsule.get());
}

PyObject* describe_dlpack(PyObject*, PyObject* capsule) {
  const Taken t = take_capsule(capsule);
  return t.owner ? describe_tensor(*t.tensor, t.flags, t.owner.get()) : nullptr;
}

}  // namespace samebytes
