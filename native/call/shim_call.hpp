// How single arguments reach a shim, for the two files that call one.
#pragma once
#include <cstring>

#include "call/plan.hpp"
#include "codec/scalar.hpp"
#include "object/instance.hpp"

#define SAMEBYTES_INLINE inline __attribute__((always_inline))

namespace samebytes {

// Of an accepted class: the object's own bytes where the callee only reads them, else a copy in the frame.
SAMEBYTES_INLINE bool lend(const Input& input, PyObject* object, char* slot, void*& where) {
  const Codec& codec = *input.codec;
  char* data = instance_data(codec, object);
  if (unlikely(!data)) return false;
  if (likely(!(input.flags & kCopy) && !(reinterpret_cast<uintptr_t>(data) & input.align_mask))) {
    where = data;
  } else {
    std::memcpy(slot, data, codec.size);
  }
  return true;
}

// Whether an object may be lent to this very function with the GIL held, which then reads or writes its
// bytes: in memory that anyone has placed, that may wait for another thread. The third tier releases the GIL
// there.
SAMEBYTES_INLINE bool may_lend(const Input& input, PyObject* object) {
  return likely(!(input.flags & kOwnBytes)) || likely(has_own_bytes(object));
}

void call_without_gil(Shim shim, void** argv);

SAMEBYTES_INLINE void call_shim(const Candidate& candidate, void** argv) {
  if (unlikely(candidate.code.releases_gil)) {
    call_without_gil(candidate.shim, argv);
  } else {
    candidate.shim(argv);
  }
}

}  // namespace samebytes
