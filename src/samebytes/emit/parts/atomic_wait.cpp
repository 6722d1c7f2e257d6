// wait and notify of atomics for compiled Python, of each size: those of std::atomic, whose waiters they
// share.
#include <atomic>
#include <cstdint>

#define SAMEBYTES_WAITING(type, size)                                                           \
  extern "C" void samebytes_wait##size(const std::atomic<type>* place, type old, int order) {   \
    place->wait(old, static_cast<std::memory_order>(order));                                    \
  }                                                                                             \
  extern "C" void samebytes_notify_one##size(std::atomic<type>* place) { place->notify_one(); } \
  extern "C" void samebytes_notify_all##size(std::atomic<type>* place) { place->notify_all(); }

SAMEBYTES_WAITING(std::uint8_t, 1)
SAMEBYTES_WAITING(std::uint16_t, 2)
SAMEBYTES_WAITING(std::uint32_t, 4)
SAMEBYTES_WAITING(std::uint64_t, 8)
