// Containers: of numbers as an array descriptor of one dimension, of anything else as a list of wires.
#pragma once
#include <complex>
#include <deque>
#include <list>
#include <set>
#include <unordered_set>
#include <vector>

#include "../vector.hpp"
#include "base.hpp"

namespace samebytes {

template <class T>
struct is_number<std::complex<T>> : std::true_type {};
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
  for (std::uint64_t i = 0; i < from.size; ++i, next += from.stride) made.push_back(*next);
  return made;
}

template <class C>
void numbers_to(numbers_wire<typename C::value_type>* to, const C& value, arena& memory) {
  using T = typename C::value_type;
  T* copy = memory.template take<T>(value.size());
  *to = {copy, value.size(), 1};
  for (const auto& item : value) ::new (static_cast<void*>(copy++)) T(item);
}

// A vector shows its own elements, but for a vector<bool>, which has none.
template <class T, class A>
typename std::enable_if<!std::is_same<T, bool>::value>::type numbers_to(numbers_wire<T>* to,
                                                                        const std::vector<T, A>& value,
                                                                        arena&) {
  *to = {value.data(), value.size(), 1};
}

template <class C, bool Numbers>
struct crossing_sequence {
  using T = typename C::value_type;
  using wire = run_wire;
  static C in(const wire& from) {
    C made;
    const auto* items = static_cast<const wire_of<T>*>(from.data);
    for (std::uint64_t i = 0; i < from.size; ++i) made.insert(made.end(), crossing<T>::in(items[i]));
    return made;
  }
  static void out(wire* to, const C& value, arena& memory) {
    auto* items = memory.template take<wire_of<T>>(value.size());
    *to = {items, value.size()};
    for (const T& item : value) crossing<T>::out(items++, item, memory);
  }
};

template <class C>
struct crossing_sequence<C, true> {
  using wire = numbers_wire<typename C::value_type>;
  static C in(const wire& from) { return samebytes::numbers_from<C>(from); }
  static void out(wire* to, const C& value, arena& memory) { samebytes::numbers_to(to, value, memory); }
};

template <class T, class A>
struct crossing<std::vector<T, A>, void> : crossing_sequence<std::vector<T, A>, is_number<T>::value> {};
template <class A>
struct crossing<std::vector<bool, A>, void> {
  using C = std::vector<bool, A>;
  using wire = numbers_wire<bool>;
  static C in(const wire& from) { return samebytes::numbers_from<C>(from); }
  static void out(wire* to, const C& value, arena& memory) { samebytes::numbers_to(to, value, memory); }
};
template <class T, class A>
struct crossing<std::deque<T, A>, void> : crossing_sequence<std::deque<T, A>, is_number<T>::value> {};
template <class T, class A>
struct crossing<std::list<T, A>, void> : crossing_sequence<std::list<T, A>, is_number<T>::value> {};
template <class T, class L, class A>
struct crossing<std::set<T, L, A>, void> : crossing_sequence<std::set<T, L, A>, false> {};
template <class T, class L, class A>
struct crossing<std::multiset<T, L, A>, void> : crossing_sequence<std::multiset<T, L, A>, false> {};
template <class T, class H, class E, class A>
struct crossing<std::unordered_set<T, H, E, A>, void>
    : crossing_sequence<std::unordered_set<T, H, E, A>, false> {};

}  // namespace samebytes
