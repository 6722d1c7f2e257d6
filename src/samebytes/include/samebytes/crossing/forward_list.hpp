// std::forward_list, which has no size and grows behind an element.
#pragma once
#include <forward_list>
#include <iterator>

#include "vector.hpp"

namespace samebytes {

template <class T, class A>
struct crossing<std::forward_list<T, A>, void> {
  using list = std::forward_list<T, A>;
  using wire = typename crossing<std::vector<T>>::wire;
  static list in(const wire& from) {
    std::vector<T> items = crossing<std::vector<T>>::in(from);
    return list(std::make_move_iterator(items.begin()), std::make_move_iterator(items.end()));
  }
  static void out(wire* to, const list& value, arena& memory) { put(to, value, memory, is_number<T>()); }

 private:
  static void put(wire* to, const list& value, arena& memory, std::true_type) {
    T* copy = memory.template take<T>(size(value));
    *to = {copy, size(value), 1};
    for (const auto& item : value) ::new (static_cast<void*>(copy++)) T(item);
  }
  static void put(wire* to, const list& value, arena& memory, std::false_type) {
    auto* items = memory.template take<wire_of<T>>(size(value));
    *to = {items, size(value)};
    for (const T& item : value) crossing<T>::out(items++, item, memory);
  }
  static std::size_t size(const list& value) {
    return static_cast<std::size_t>(std::distance(value.begin(), value.end()));
  }
};

}  // namespace samebytes
