// What a launch gives that nobody waits for.
#pragma once
#include "free_list.hpp"
#include "launch/track.hpp"

namespace samebytes {

struct Pending {
  PyObject_HEAD PyObject* launch;
  uint64_t number;
};

// Blocks of dead ones: each launch makes one, and most die at once.
struct SparePending {
  int count;
  Pending* blocks[kKeptBlocks + 1];
};

extern PyTypeObject* pending_type __attribute__((visibility("hidden")));
extern SparePending spare_pending __attribute__((visibility("hidden")));

// A new one for a launch and its number on its track; null: MemoryError.
inline PyObject* new_pending(uint64_t number, PyObject* launch) {
  Pending* one;
  if (__builtin_expect(spare_pending.count != 0, 1)) {
    one = spare_pending.blocks[--spare_pending.count];
    PyObject_Init(reinterpret_cast<PyObject*>(one), pending_type);
  } else if (!(one = PyObject_New(Pending, pending_type))) {
    return nullptr;
  }
  one->launch = Py_NewRef(launch);
  one->number = number;
  return reinterpret_cast<PyObject*>(one);
}

int add_pending_type(PyObject* module);

}  // namespace samebytes
