// The way into the running torch: its stable C shim, and the places in a tensor that were found and checked.
#pragma once
#include "array/array.hpp"

namespace samebytes {

using TensorHandle = void*;  // the address of the at::Tensor inside a Python tensor object

struct TorchShim {
  static constexpr int kDtypes = 64;
  static constexpr int kInlineRank = 5;  // up to here a tensor holds its extents itself

  // Functions of libtorch_cpu and libc10. The first five return 0 unless they failed.
  int (*data)(TensorHandle, void**);
  int (*rank)(TensorHandle, int64_t*);
  int (*sizes)(TensorHandle, const int64_t**);
  int (*strides)(TensorHandle, const int64_t**);
  int (*dtype)(TensorHandle, int32_t*);
  bool (*requires_grad)(const void* tensor);
  const void* undefined;  // the tensor that there is not
  const void* const& (*tangent)(const void* tensor, uint64_t level, const void* handle);
  void (*raise_version)(TensorHandle);  // throws for what has no version, as tensors made in inference mode
  ElementType types[kDtypes];           // by torch's dtype number

  // Places, in bytes: into the Python object, then into the tensor.
  size_t handle_at;
  size_t keys_at;
  size_t dtype_at;  // a 16-bit number
  size_t rank_at;
  size_t sizes_at;
  size_t strides_at;
  size_t storage_at;  // the address of what follows
  size_t base_at;     // into the storage: the address of its bytes
  size_t bytes_at;    // how many there are

  uint64_t plain_keys;      // the dispatch keys of a plain tensor, and ...
  uint64_t inference_keys;  // ... of one made in inference mode
  uint64_t tracing_keys;    // what a thread adds to the keys of every call while torch traces or transforms

  TensorHandle handle(PyObject* object) const { return reinterpret_cast<char*>(object) + handle_at; }

  template <class T>
  static const T& at(const void* tensor, size_t place) {
    return *reinterpret_cast<const T*>(static_cast<const char*>(tensor) + place);
  }

  // The storage of a tensor that has one.
  const char* storage(const void* tensor) const { return at<const char*>(tensor, storage_at); }
  const char* base(const void* tensor) const { return at<const char*>(storage(tensor), base_at); }
  int64_t bytes(const void* tensor) const { return at<int64_t>(storage(tensor), bytes_at); }

  // Whether elements up to `last` elements behind the first lie in the storage: it may have been freed or
  // made shorter under a tensor.
  bool has_room(const void* tensor, const void* data, int64_t last, int64_t itemsize) const {
    const uintptr_t begin = reinterpret_cast<uintptr_t>(data) - reinterpret_cast<uintptr_t>(base(tensor));
    const auto room = static_cast<uintptr_t>(bytes(tensor));
    return begin <= room && static_cast<uintptr_t>((last + 1) * itemsize) <= room - begin;
  }

  // Whether this thread is in a mode of torch's in which Python decides: a call that torch traces would be
  // dropped from the trace.
  bool is_tracing() const { return *thread_keys() & tracing_keys; }
  static const uint64_t* thread_keys();

  // Whether forward-mode differentiation has a tangent for it, which C++ would drop, or leave as it was.
  bool is_dual(const void* tensor, TensorHandle handle) const {
    constexpr uint64_t level = 0;  // torch has no other
    return tangent(tensor, level, handle) != undefined;
  }

  // On the CPU, strided, neither conjugate nor negative nor wrapped by a transform, and no gradient wanted.
  bool is_plain(TensorHandle handle) const {
    const void* const tensor = *static_cast<void* const*>(handle);
    if (!tensor) return false;
    const auto keys = at<uint64_t>(tensor, keys_at);
    return (keys == plain_keys || keys == inference_keys) && !requires_grad(tensor) && !is_tracing() &&
           !is_dual(tensor, handle);
  }
};

// Null, without an exception, where anything did not check; once found, it stays.
const TorchShim* torch_shim();

}  // namespace samebytes
