// std::pair and std::tuple: the wires of their elements one after another, each aligned.
#pragma once
#include <tuple>

#include "base.hpp"

namespace samebytes {

constexpr std::size_t aligned_up(std::size_t offset, std::size_t align) {
  return (offset + align - 1) / align * align;
}

template <class... W>
struct product_wire;
template <>
struct product_wire<> {
  static constexpr std::size_t align = 1;
  static constexpr std::size_t end(std::size_t offset) { return offset; }
  unsigned char empty;
};
template <class W, class... Rest>
struct product_wire<W, Rest...> {
  using rest = product_wire<Rest...>;
  static constexpr std::size_t align = alignof(W) > rest::align ? alignof(W) : rest::align;
  static constexpr std::size_t end(std::size_t offset) {
    return rest::end(aligned_up(offset, alignof(W)) + sizeof(W));
  }
  alignas(align) unsigned char bytes[aligned_up(rest::end(sizeof(W)), align)];
};

// Walks the elements of a wire in order.
template <class Byte>
struct product_cursor {
  Byte* base;
  std::size_t offset;
  template <class W>
  auto* next() {
    offset = aligned_up(offset, alignof(W));
    auto* found = base + offset;
    offset += sizeof(W);
    using target = typename std::conditional<std::is_const<Byte>::value, const W, W>::type;
    return reinterpret_cast<target*>(found);
  }
};

template <class P, class... T>
struct crossing_product {
  using wire = product_wire<wire_of<T>...>;
  static P in(const wire& from) {
    product_cursor<const unsigned char> cursor{reinterpret_cast<const unsigned char*>(&from), 0};
    (void)cursor;
    // Braces, so that the elements are read from left to right.
    return P{crossing<T>::in(*cursor.template next<wire_of<T>>())...};
  }
  template <std::size_t... I>
  static void each(wire* to, const P& value, arena& memory, std::index_sequence<I...>) {
    product_cursor<unsigned char> cursor{reinterpret_cast<unsigned char*>(to), 0};
    const int done[] = {
        0, (crossing<T>::out(cursor.template next<wire_of<T>>(), std::get<I>(value), memory), 0)...};
    (void)done;
  }
  static void out(wire* to, const P& value, arena& memory) {
    each(to, value, memory, std::index_sequence_for<T...>());
  }
};

template <class A, class B>
struct crossing<std::pair<A, B>, void> : crossing_product<std::pair<A, B>, A, B> {};
template <class... T>
struct crossing<std::tuple<T...>, void> : crossing_product<std::tuple<T...>, T...> {};

}  // namespace samebytes
