// The way into the running torch: its stable C shim, and the places in a tensor that were found and checked.
#pragma once
#include "array.hpp"

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
  ElementType types[kDtypes];  // by torch's dtype number

  // Places, in bytes: into the Python object, then into the tensor.
  size_t handle_at;
  size_t keys_at;
  size_t dtype_at;  // a 16-bit number
  size_t rank_at;
  size_t sizes_at;
  size_t strides_at;

  uint64_t plain_keys;      // the dispatch keys of a plain tensor, and ...
  uint64_t inference_keys;  // ... of one made in inference mode

  TensorHandle handle(PyObject* object) const { return reinterpret_cast<char*>(object) + handle_at; }

  template <class T>
  static const T& at(const void* tensor, size_t place) {
    return *reinterpret_cast<const T*>(static_cast<const char*>(tensor) + place);
  }

  // On the CPU, strided, neither conjugate nor negative nor wrapped by a transform, and no gradient wanted.
  bool is_plain(const void* tensor) const {
    if (!tensor) return false;
    const auto keys = at<uint64_t>(tensor, keys_at);
    return (keys == plain_keys || keys == inference_keys) && !requires_grad(tensor);
  }
};

// Null, without an exception, where anything did not check; once found, it stays.
const TorchShim* torch_shim();

}  // namespace samebytes
