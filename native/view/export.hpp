// What the two ways of exporting views by DLPack share: capsules and the exchange table.
#pragma once
#include "array/dlpack.hpp"
#include "view/view.hpp"

namespace samebytes {

constexpr const char* kNames[] = {"dltensor", "dltensor_versioned"};

// Why a view cannot travel, to a consumer that reads the flags or to another; null: it can.
const char* obstacle(const View& view, bool with_flags);

DLTensor tensor_of(const View& view, int32_t device_type);  // borrows
DLManagedTensorVersioned* make_versioned(PyObject* view, int32_t device_type, uint64_t flags);
void delete_versioned_capsule(PyObject* capsule);

}  // namespace samebytes
