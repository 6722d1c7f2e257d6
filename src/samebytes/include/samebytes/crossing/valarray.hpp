// std::valarray of numbers.
#pragma once
#include <valarray>

#include "sequence.hpp"

namespace samebytes {

template <class T>
struct crossing<std::valarray<T>, void> {
  static_assert(is_number<T>::value, "its elements are numbers");
  using wire = numbers_wire<T>;
  static std::valarray<T> in(const wire& from) {
    std::valarray<T> made(from.size);
    const T* next = from.data;
    for (std::uint64_t i = 0; i < from.size; ++i, next += from.stride) made[i] = *next;
    return made;
  }
  static void out(wire* to, const std::valarray<T>& value, arena& memory) {
    T* copy = memory.template take<T>(value.size());
    *to = {copy, value.size(), 1};
    for (std::size_t i = 0; i < value.size(); ++i) ::new (static_cast<void*>(copy++)) T(value[i]);
  }
};

}  // namespace samebytes
