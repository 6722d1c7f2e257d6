// Guarded memory: see call/guarded_memory.hpp.
#include "call/guarded_memory.hpp"

#include <sys/mman.h>

#include <cstring>
#include <mutex>
#include <new>

#include "codec/scalar.hpp"

namespace samebytes {

struct GuardedBlock {
  char* start;  // of the mapping
  size_t size;  // ... in bytes
  const Output* output;
  bool spoiled;  // something was written behind the output: pages beyond the first may hold memory
  bool pointed;  // the result lies in it: nobody else gets it
  GuardedBlock* next;
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
GuardedBlock* unused = nullptr;

char* value_of(const GuardedBlock& block) { return block.start + kBefore; }

GuardedBlock* new_block() {
  for (const size_t behind : kBehind) {
    void* const start = mmap(nullptr, kBefore + behind, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (start == MAP_FAILED) continue;
    if (GuardedBlock* const block =
            new (std::nothrow) GuardedBlock{static_cast<char*>(start), kBefore + behind})
      return block;
    munmap(start, kBefore + behind);
    break;
  }
  return nullptr;
}

GuardedBlock* take_unused() {
  const std::lock_guard<std::mutex> locked(lock);
  GuardedBlock* const block = unused;
  if (block) unused = block->next;
  return block;
}

}  // namespace

char* GuardedBlocks::take(const Output& output) {
  GuardedBlock* block = take_unused();
  if (!block) block = new_block();
  if (!block) return PyErr_NoMemory(), nullptr;
  block->output = &output;
  block->spoiled = block->pointed = false;
  block->next = taken_;
  taken_ = block;
  char* const value = value_of(*block);
  std::memset(value, 0, output.codec->size);
  std::memcpy(value + output.codec->size, kGuard.bytes, kGuardSize);
  return value;
}

const Output* GuardedBlocks::fetch(const Candidate& candidate, char* frame) {
  const bool points = candidate.result.codec && candidate.result.codec->size == sizeof(char*);
  const char* const result = points ? load<const char*>(frame + candidate.result.offset) : nullptr;
  const Output* wrong = nullptr;
  for (GuardedBlock* block = taken_; block; block = block->next) {
    const Py_ssize_t size = block->output->codec->size;
    std::memcpy(frame + block->output->offset, value_of(*block), size);
    block->spoiled = std::memcmp(value_of(*block) + size, kGuard.bytes, kGuardSize) != 0;
    block->pointed = result >= block->start && result < block->start + block->size;
    if (block->spoiled) wrong = block->output;
  }
  return wrong;
}

void GuardedBlocks::give_back() {
  while (GuardedBlock* const block = taken_) {
    taken_ = block->next;
    if (block->spoiled) madvise(block->start, block->size, MADV_DONTNEED);
    if (block->pointed) continue;
    const std::lock_guard<std::mutex> locked(lock);
    block->next = unused;
    unused = block;
  }
}

int add_guarded_memory(PyObject* module) {
  const Ref guard = Ref::steal(PyBytes_FromStringAndSize(kGuard.bytes, kGuardSize));
  return guard ? PyModule_AddObjectRef(module, "GUARD", guard.get()) : -1;
}

}  // namespace samebytes
