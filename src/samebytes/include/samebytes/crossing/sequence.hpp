// What containers have in common: numbers are an array descriptor of one dimension, anything else a list of
// wires. Each container is a file beside this one, so that a shim includes those that its user has included.
#pragma once
#include "../vector.hpp"
#include "base.hpp"

namespace samebytes {

template <>
struct is_number<float16> : std::true_type {};
template <>
struct is_number<bfloat16> : std::true_type {};
template <>
struct is_number<float8e4m3> : std::true_type {};
template <>
struct is_number<float8e5m2> : std::true_type {};
#if __cplusplus >= 201703L
template <>
struct is_number<std::byte> : std::true_type {};
#endif

template <class T>
struct numbers_wire {
  const T* data;
  std::uint64_t size;
  std::int64_t stride;  // elements
};

template <class C>
C numbers_from(const numbers_wire<typename C::value_type>& from) {
  using T = typename C::value_type;
  if (from.size == 0) return C();
  if (from.stride == 1) return C(from.data, from.data + from.size);
  C made;
  const T* next = from.data;
  for (std::uint64_t i = 0; i < from.size; ++i, next += from.stride) made.insert(made.end(), *next);
  return made;
}

template <class C>
struct numbers_to {
  using T = typename C::value_type;
  static void put(numbers_wire<T>* to, const C& value, arena& memory) {
    T* copy = memory.template take<T>(value.size());
    *to = {copy, value.size(), 1};
    for (const auto& item : value) ::new (static_cast<void*>(copy++)) T(item);
  }
};

// To the end, without assigning: elements may be const in part, as the pairs of a map are.
template <class C, class T>
auto append(C& to, T&& item, int) -> decltype(to.emplace_back(std::forward<T>(item)), void()) {
  to.emplace_back(std::forward<T>(item));
}
template <class C, class T>
void append(C& to, T&& item, long) {
  to.insert(to.end(), std::forward<T>(item));
}

// Of a container that takes all that it is given; keys.hpp has that of one with each key once.
struct any_items {
  template <class C>
  static void check(const C&, const void*, std::uint64_t) {}
};

template <class C, bool Numbers, class Items = any_items>
struct crossing_sequence {
  using T = typename C::value_type;
  using wire = run_wire;
  static C in(const wire& from) {
    C made;
    const auto* items = static_cast<const wire_of<T>*>(from.data);
    for (std::uint64_t i = 0; i < from.size; ++i) {
      append(made, crossing<T>::in(items[i]), 0);
      Items::check(made, items + i, i);
    }
    return made;
  }
  static void out(wire* to, const C& value, arena& memory) {
    auto* items = memory.template take<wire_of<T>>(value.size());
    *to = {items, value.size()};
    for (const T& item : value) crossing<T>::out(items++, item, memory);
  }
};

template <class C, class Items>
struct crossing_sequence<C, true, Items> {
  using wire = numbers_wire<typename C::value_type>;
  static C in(const wire& from) { return samebytes::numbers_from<C>(from); }
  static void out(wire* to, const C& value, arena& memory) { numbers_to<C>::put(to, value, memory); }
};

}  // namespace samebytes
