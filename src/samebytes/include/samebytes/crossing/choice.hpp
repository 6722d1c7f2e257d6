// std::variant: which alternative it is, and room for the wire of each; std::monostate has nothing to tell.
#pragma once
#include <cstring>
#include <variant>

#include "product.hpp"

namespace samebytes {

template <>
struct crossing<std::monostate, void> {
  using wire = unsigned char;
  static std::monostate in(const wire&) { return {}; }
  static void out(wire* to, const std::monostate&, arena&) { *to = 0; }
};

template <class... T>
struct crossing<std::variant<T...>, void> {
  using choice = std::variant<T...>;
  using wire = product_wire<std::uint64_t, wire_of<T>...>;

  template <std::size_t I, class Cursor>
  static bool put(Cursor& cursor, const choice& from, arena& memory) {
    using type = std::variant_alternative_t<I, choice>;
    auto* to = cursor.template next<wire_of<type>>();
    if (from.index() == I) crossing<type>::out(to, std::get<I>(from), memory);
    return true;
  }
  template <std::size_t I, class Cursor>
  static void take(Cursor& cursor, std::uint64_t index, owned<choice>& made) {
    using type = std::variant_alternative_t<I, choice>;
    const auto* from = cursor.template next<wire_of<type>>();
    if (index == I) made.reset(new choice(std::in_place_index<I>, crossing<type>::in(*from)));
  }
  template <std::size_t... I>
  static choice each(const wire& from, std::index_sequence<I...>) {
    product_cursor<const unsigned char> cursor{reinterpret_cast<const unsigned char*>(&from), 0};
    const std::uint64_t index = *cursor.template next<std::uint64_t>();
    owned<choice> made;
    (take<I>(cursor, index, made), ...);
    return static_cast<choice&&>(*made.get());
  }
  static choice in(const wire& from) { return each(from, std::index_sequence_for<T...>()); }

  template <std::size_t... I>
  static void all(wire* to, const choice& from, arena& memory, std::index_sequence<I...>) {
    product_cursor<unsigned char> cursor{reinterpret_cast<unsigned char*>(to), 0};
    *cursor.template next<std::uint64_t>() = from.index();
    (put<I>(cursor, from, memory), ...);
  }
  static void out(wire* to, const choice& from, arena& memory) {
    if (from.valueless_by_exception()) throw std::bad_variant_access();
    std::memset(static_cast<void*>(to), 0, sizeof *to);
    all(to, from, memory, std::index_sequence_for<T...>());
  }
};

}  // namespace samebytes
