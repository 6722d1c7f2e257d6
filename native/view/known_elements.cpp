// The cache of Elements: see view/known_elements.hpp.
#include "view/known_elements.hpp"

#include <mutex>

namespace samebytes {

namespace {

// By code, bytes and lanes.
constexpr int kSizes = 5, kLanes = 4;
std::atomic<Elements*> by_type[kSayers][kTypeCodeCount][kSizes][kLanes];

std::atomic<Elements*>* place_of(SaidBy who, ElementType type) {
  const int bytes = type.bits / 8;
  if (!bytes || (bytes & (bytes - 1)) || type.bits % 8 || type.code >= kTypeCodeCount) return nullptr;
  if (!type.lanes || type.lanes > kLanes) return nullptr;
  return &by_type[static_cast<int>(who)][type.code][__builtin_ctz(bytes)][type.lanes - 1];
}

// By the dtype object; a full table stays as it is. A record keeps its `dtype`.
constexpr size_t kSlots = 512, kMost = kSlots / 4;
std::atomic<Elements*> by_dtype[kSlots];
std::mutex writing;
size_t used = 0;

size_t start(const void* descr) {
  return (reinterpret_cast<uintptr_t>(descr) >> 4) * size_t{0x9E3779B97F4A7C15} >> 40 & (kSlots - 1);
}

Elements* find(const PyObject* descr, size_t& at) {
  for (at = start(descr);; at = (at + 1) & (kSlots - 1)) {
    Elements* found = by_dtype[at].load(std::memory_order_acquire);
    if (!found || found->dtype == descr) return found;
  }
}

void keep(Elements* elements) {
  Py_INCREF(reinterpret_cast<PyObject*>(elements));
  elements->lasting.store(true, std::memory_order_relaxed);
}

}  // namespace

Elements* known_elements(SaidBy who, ElementType type) {
  const std::atomic<Elements*>* place = place_of(who, type);
  return place ? place->load(std::memory_order_acquire) : nullptr;
}

Elements* known_elements(const PyObject* dtype) {
  size_t at;
  return find(dtype, at);
}

void learn_elements(SaidBy who, Elements* elements) {
  std::atomic<Elements*>* place = place_of(who, elements->dl);
  if (!place || elements->itemsize * 8 != elements->dl.bits * elements->dl.lanes) return;
  Elements* none = nullptr;
  if (place->compare_exchange_strong(none, elements, std::memory_order_acq_rel)) keep(elements);
}

void learn_elements(PyObject* dtype, Elements* elements) {
  std::lock_guard<std::mutex> lock(writing);
  size_t at;
  if (elements->dtype != dtype || used == kMost || find(dtype, at)) return;
  ++used;
  keep(elements);
  by_dtype[at].store(elements, std::memory_order_release);
}

}  // namespace samebytes
