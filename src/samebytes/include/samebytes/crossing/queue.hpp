// std::queue, from its front to its back, and std::priority_queue, in the order in which it gives its
// elements.
#pragma once
#include <algorithm>
#include <queue>
#include <vector>

#include "adapted.hpp"

namespace samebytes {

template <class T, class C>
struct crossing<std::queue<T, C>, void> : crossing_adapted<std::queue<T, C>> {};

template <class T, class C, class L>
struct crossing<std::priority_queue<T, C, L>, void> : crossing_adapted<std::priority_queue<T, C, L>> {
  using queue = std::priority_queue<T, C, L>;
  using base = crossing_adapted<queue>;
  using wire = typename base::wire;

  static void out(wire* to, const queue& value, arena& memory) {
    const auto& before = opened::less(value);
    std::vector<const T*> order;
    for (const T& item : base::inside(value)) order.push_back(&item);
    std::sort(order.begin(), order.end(),
              [&before](const T* one, const T* other) { return before(*other, *one); });
    put(to, order, memory, is_number<T>());
  }

 private:
  struct opened : queue {
    static const L& less(const queue& of) { return of.*&opened::comp; }
  };
  static void put(wire* to, const std::vector<const T*>& order, arena& memory, std::true_type) {
    T* copy = memory.template take<T>(order.size());
    *to = {copy, order.size(), 1};
    for (const T* item : order) ::new (static_cast<void*>(copy++)) T(*item);
  }
  static void put(wire* to, const std::vector<const T*>& order, arena& memory, std::false_type) {
    auto* items = memory.template take<wire_of<T>>(order.size());
    *to = {items, order.size()};
    for (const T* item : order) crossing<T>::out(items++, *item, memory);
  }
};

}  // namespace samebytes
