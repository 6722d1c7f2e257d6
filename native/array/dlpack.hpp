// DLPack 1.3's binary interface, in our own words: the structs that capsules and the exchange API carry.
#pragma once
#include <Python.h>

#include <cstddef>
#include <cstdint>

#include "array/array.hpp"
#include "ref.hpp"

namespace samebytes {

constexpr uint32_t kDLPackMajor = 1;
constexpr uint32_t kDLPackMinor = 3;
constexpr uint64_t kReadOnly = 1;  // flag bits of DLManagedTensorVersioned
constexpr uint64_t kIsCopied = 2;
constexpr uint64_t kSubbytePadded = 4;  // each sub-byte element has whole bytes of its own

// DLDeviceType. The host reads and writes the memory of kCpu, kCudaHost and kRocmHost.
enum DeviceType : int32_t {
  kCpu = 1,
  kCuda = 2,
  kCudaHost = 3,
  kOpenCl = 4,
  kVulkan = 7,
  kMetal = 8,
  kRocm = 10,
  kRocmHost = 11,
  kCudaManaged = 13,
  kOneApi = 14,
  kWebGpu = 15,
};

struct DLTensor {
  void* data;
  int32_t device_type;
  int32_t device_id;
  int32_t ndim;
  ElementType dtype;
  int64_t* shape;    // may be null at rank 0
  int64_t* strides;  // in elements; null: C order (before 1.2)
  uint64_t byte_offset;
};

struct DLManagedTensor {
  DLTensor tensor;
  void* context;
  void (*deleter)(DLManagedTensor*);
};

struct DLPackVersion {
  uint32_t major;
  uint32_t minor;
};

struct DLManagedTensorVersioned {
  DLPackVersion version;
  void* context;
  void (*deleter)(DLManagedTensorVersioned*);
  uint64_t flags;
  DLTensor tensor;
};

// What `type.__dlpack_c_exchange_api__` points at. All functions need the GIL and none synchronises; those
// that return an int give 0, or -1 with an exception set.
struct DLPackExchangeAPI {
  DLPackVersion version;
  const DLPackExchangeAPI* older;
  int (*allocate)(DLTensor* like, DLManagedTensorVersioned** out, void* context,
                  void (*set_error)(void* context, const char* kind, const char* message));
  int (*managed_from_object)(void* object, DLManagedTensorVersioned** out);
  int (*managed_to_object)(DLManagedTensorVersioned* stolen, void** out);
  int (*dltensor_from_object)(void* object, DLTensor* out);  // borrows
  int (*current_stream)(int32_t device_type, int32_t device_id, void** out);
};

static_assert(sizeof(ElementType) == 4 && sizeof(DLTensor) == 48 && offsetof(DLTensor, shape) == 24, "ABI");
static_assert(sizeof(DLManagedTensor) == 64 && sizeof(DLManagedTensorVersioned) == 80, "ABI");
static_assert(offsetof(DLPackExchangeAPI, dltensor_from_object) == 40, "ABI");

// Finds the table of a type, walking back to the major version we know; null with an exception set.
const DLPackExchangeAPI* find_exchange(PyTypeObject* type);

// A tensor that was taken over. Its deleter runs once, with the GIL held, when the owner dies.
struct Taken {
  Ref owner;  // null: exception set
  const DLTensor* tensor = nullptr;
  uint64_t flags = 0;
};

Taken take_capsule(PyObject* capsule);  // a capsule, which is renamed

// What a capsule that is not consumed yet holds; no tensor: nothing of a version that can be looked at.
struct Peeked {
  const DLTensor* tensor = nullptr;
  uint64_t flags = 0;
  bool versioned = false;
};

Peeked peek(PyObject* capsule);
Taken take_over(Ref capsule, const Peeked& seen);       // what peek() has seen
Taken take_managed(DLManagedTensorVersioned* managed);  // stolen

char* address(const DLTensor& tensor);     // of the element with all indices 0
bool is_readable(const DLTensor& tensor);  // shape and strides may be read; what they say is not checked

}  // namespace samebytes
