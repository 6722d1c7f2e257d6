// Lists in which objects stand by a member of their own: in and out in constant time, and without memory.
#pragma once

namespace samebytes {

struct Linked {
  Linked* next;
  Linked** at;  // what points here; null: it is in no list
};

// Again and again is the same as once.
inline void link_in(Linked*& first, Linked& own) {
  if (own.at) return;
  own.next = first;
  own.at = &first;
  if (first) first->at = &own.next;
  first = &own;
}

// What is in no list may be taken out.
inline void link_out(Linked& own) {
  if (!own.at) return;
  *own.at = own.next;
  if (own.next) own.next->at = own.at;
  own.at = nullptr;
}

}  // namespace samebytes
