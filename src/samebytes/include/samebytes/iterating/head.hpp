// What the core and the shims both know of an iteration that Python has begun.
#pragma once

namespace samebytes {

// Begins every samebytes::iteration. Those that may make another step, and whose objects no call may have
// written to since their last, stand in one list of all libraries, which the core begins; with the GIL.
struct iteration_head {
  iteration_head* next;
  iteration_head** at;  // what points here; null: it is in no list
  const void* object;   // what is iterated
  unsigned long size;   // bytes
  bool written;         // a call since the last step may have written to the object
  bool over;            // nobody makes a step any more
};

inline void enlist(iteration_head& one, iteration_head** first) {
  one.next = *first;
  one.at = first;
  if (one.next) one.next->at = &one.next;
  *first = &one;
}

inline void delist(iteration_head& one) {
  if (!one.at) return;
  *one.at = one.next;
  if (one.next) one.next->at = one.at;
  one.at = nullptr;
}

}  // namespace samebytes
