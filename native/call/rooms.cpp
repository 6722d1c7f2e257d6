// Rooms: see call/rooms.hpp.
#include "call/rooms.hpp"

#include <sys/mman.h>

#include <cstring>
#include <mutex>
#include <new>

#include "codec/scalar.hpp"

namespace samebytes {

struct Room {
  char* start;  // of the mapping
  size_t size;  // ... in bytes
  const Output* output;
  bool spoiled;  // something was written behind the output: pages beyond the first may hold memory
  bool pointed;  // the result lies in it: nobody else gets it
  Room* next;
};

namespace {

// What lies behind an output: no number that a function writes there is like it.
constexpr int kGuardSize = 512;  // bytes
struct Guard {
  char bytes[kGuardSize];
  constexpr Guard() : bytes{} {
    for (int i = 0; i < kGuardSize; ++i) bytes[i] = static_cast<char>(0xA5 ^ (i * 37));
  }
};
constexpr Guard kGuard;

// Before the output, for what is written at negative indices, and behind it. Nothing of it takes memory until
// it is touched; where the system does not grant as much, less is asked for.
constexpr size_t kBefore = 1 << 16;
constexpr size_t kBehind[] = {1 << 28, 1 << 24, 1 << 20};

// Calls may end on threads that Python's end unwinds without the GIL.
std::mutex lock;
Room* unused = nullptr;

char* value_of(const Room& room) { return room.start + kBefore; }

Room* new_room() {
  for (const size_t behind : kBehind) {
    void* const start = mmap(nullptr, kBefore + behind, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (start == MAP_FAILED) continue;
    if (Room* const room = new (std::nothrow) Room{static_cast<char*>(start), kBefore + behind}) return room;
    munmap(start, kBefore + behind);
    break;
  }
  return nullptr;
}

Room* take_unused() {
  const std::lock_guard<std::mutex> locked(lock);
  Room* const room = unused;
  if (room) unused = room->next;
  return room;
}

}  // namespace

char* Rooms::take(const Output& output) {
  Room* room = take_unused();
  if (!room) room = new_room();
  if (!room) return PyErr_NoMemory(), nullptr;
  room->output = &output;
  room->spoiled = room->pointed = false;
  room->next = taken_;
  taken_ = room;
  char* const value = value_of(*room);
  std::memset(value, 0, output.codec->size);
  std::memcpy(value + output.codec->size, kGuard.bytes, kGuardSize);
  return value;
}

const Output* Rooms::fetch(const Candidate& candidate, char* frame) {
  const bool points = candidate.result && candidate.result->size == sizeof(char*);
  const char* const result = points ? load<const char*>(frame + candidate.result_offset) : nullptr;
  const Output* wrong = nullptr;
  for (Room* room = taken_; room; room = room->next) {
    const Py_ssize_t size = room->output->codec->size;
    std::memcpy(frame + room->output->offset, value_of(*room), size);
    room->spoiled = std::memcmp(value_of(*room) + size, kGuard.bytes, kGuardSize) != 0;
    room->pointed = result >= room->start && result < room->start + room->size;
    if (room->spoiled) wrong = room->output;
  }
  return wrong;
}

void Rooms::give_back() {
  while (Room* const room = taken_) {
    taken_ = room->next;
    if (room->spoiled) madvise(room->start, room->size, MADV_DONTNEED);
    if (room->pointed) continue;
    const std::lock_guard<std::mutex> locked(lock);
    room->next = unused;
    unused = room;
  }
}

int add_rooms(PyObject* module) {
  const Ref guard = Ref::steal(PyBytes_FromStringAndSize(kGuard.bytes, kGuardSize));
  return guard ? PyModule_AddObjectRef(module, "GUARD", guard.get()) : -1;
}

}  // namespace samebytes
