// std::span as a result: what it shows may be gone by the time Python reads, so it is copied.
#pragma once
#include <span>

#include "sequence.hpp"

namespace samebytes {

template <class T, std::size_t N>
struct crossing<std::span<T, N>, void> {
  using value = typename std::remove_cv<T>::type;
  using wire = numbers_wire<value>;
  static void out(wire* to, const std::span<T, N>& from, arena& memory) {
    value* copy = memory.template take<value>(from.size());
    *to = {copy, from.size(), 1};
    for (const auto& item : from) ::new (static_cast<void*>(copy++)) value(item);
  }
};

}  // namespace samebytes
