// DLPack's exchange table of views, for consumers written in C. No function of it may let a C++ exception
// out, and none does.
#include <cstdlib>
#include <cstring>
#include <new>

#include "array/aside.hpp"
#include "array/extents.hpp"
#include "ref.hpp"
#include "view/export.hpp"

namespace samebytes {

namespace {

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
  *out = adopted(capsule.get(), nullptr);
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

PyObject* exchange_api(PyObject*, PyObject*) {
  return PyCapsule_New(const_cast<DLPackExchangeAPI*>(&api), "dlpack_exchange_api", nullptr);
}

PyObject* adopted(PyObject* capsule, PyObject* producer) {
  if (adopt) return ask_python(adopt, capsule, producer ? producer : Py_None);
  return PyErr_SetString(PyExc_RuntimeError, "samebytes.arrays.protocols is not imported"), nullptr;
}

PyObject* set_adopt(PyObject*, PyObject* function) {
  Py_XSETREF(adopt, Py_NewRef(function));
  Py_RETURN_NONE;
}

}  // namespace samebytes
