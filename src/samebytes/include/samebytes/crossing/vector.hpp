// std::vector: it shows its own elements, but for a vector<bool>, which has none.
#pragma once
#include <vector>

#include "sequence.hpp"

namespace samebytes {

template <class T, class A>
struct numbers_to<std::vector<T, A>> {
  static void put(numbers_wire<T>* to, const std::vector<T, A>& value, arena&) {
    *to = {value.data(), value.size(), 1};
  }
};

template <class T, class A>
struct crossing<std::vector<T, A>, void> : crossing_sequence<std::vector<T, A>, is_number<T>::value> {};
template <class A>
struct crossing<std::vector<bool, A>, void> {
  using C = std::vector<bool, A>;
  using wire = numbers_wire<bool>;
  static C in(const wire& from) { return samebytes::numbers_from<C>(from); }
  static void out(wire* to, const C& value, arena& memory) {
    bool* copy = memory.template take<bool>(value.size());
    *to = {copy, value.size(), 1};
    for (const bool item : value) *copy++ = item;
  }
};

}  // namespace samebytes
