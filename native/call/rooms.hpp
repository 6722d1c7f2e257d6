// Memory for outputs that a rule took for one value. Should C write an array there, or write there later, it
// harms nothing: far around each lies memory of nobody's, and none of it is ever given back to the system.
#pragma once
#include "call/plan.hpp"

namespace samebytes {

struct Room;

// The rooms of one call, which it gives back at its end.
class Rooms {
 public:
  Rooms() = default;
  Rooms(const Rooms&) = delete;
  Rooms& operator=(const Rooms&) = delete;
  ~Rooms() {
    if (unlikely(taken_ != nullptr)) give_back();
  }
  // Zeroed storage for an output, with the guard behind it; null: exception set.
  char* take(const Output& output);
  // Moves what C wrote to the frame. The first output behind which the guard is not as it was; null: none.
  const Output* fetch(const Candidate& candidate, char* frame);

 private:
  void give_back();
  Room* taken_ = nullptr;  // the last output's first
};

int add_rooms(PyObject* module);

}  // namespace samebytes
