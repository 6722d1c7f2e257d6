// Memory for outputs that a rule took for one value. Should C write an array there, or write there later, it
// harms nothing: far around each lies memory of nobody's, and none of it is ever given back to the system.
#pragma once
#include "call/plan.hpp"

namespace samebytes {

struct GuardedBlock;

// The blocks of one call, which it gives back at its end.
class GuardedBlocks {
 public:
  GuardedBlocks() = default;
  GuardedBlocks(const GuardedBlocks&) = delete;
  GuardedBlocks& operator=(const GuardedBlocks&) = delete;
  ~GuardedBlocks() {
    if (unlikely(taken_ != nullptr)) give_back();
  }
  // Zeroed storage for an output, with the guard behind it; null: exception set.
  char* take(const Output& output);
  // Moves what C wrote to the frame. The first output behind which the guard is not as it was; null: none.
  const Output* fetch(const Candidate& candidate, char* frame);

 private:
  void give_back();
  GuardedBlock* taken_ = nullptr;  // the last output's first
};

int add_guarded_memory(PyObject* module);

}  // namespace samebytes
