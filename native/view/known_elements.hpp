// The one cache from what an object says of its elements to their Elements, which Python made of the first
// such object. Entries stay for ever; readers take no lock: a place only ever goes from null to a record.
#pragma once
#include "view/view.hpp"

namespace samebytes {

// Who said it: Elements name their protocol. DLPack's are those of torch's tensors, too; of buffers, classes
// that are read-only have elements of their own.
enum class SaidBy : uint8_t { dlpack, buffer, readonly_buffer, array_interface, cuda_interface };
constexpr int kSayers = 5;

// Elements of a type in DLPack's terms; null: none are known yet.
Elements* known_elements(SaidBy who, ElementType type);
// NumPy's, by the dtype object's identity: dtypes that are equal need not be the same.
Elements* known_elements(const PyObject* dtype);

// Python has described an object of such elements. What has no place in the cache is left to Python each
// time.
void learn_elements(SaidBy who, Elements* elements);
void learn_elements(PyObject* dtype, Elements* elements);

}  // namespace samebytes
