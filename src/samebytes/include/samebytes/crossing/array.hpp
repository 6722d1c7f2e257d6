// std::array of what is converted; of plain elements an array is its own bytes.
#pragma once
#include <array>

#include "base.hpp"

namespace samebytes {

template <class T, std::size_t N>
struct crossing<std::array<T, N>, typename std::enable_if<!std::is_same<wire_of<T>, T>::value>::type> {
  using P = std::array<T, N>;
  struct wire {
    wire_of<T> items[N];
  };
  template <std::size_t... I>
  static P each(const wire& from, std::index_sequence<I...>) {
    return P{{crossing<T>::in(from.items[I])...}};
  }
  static P in(const wire& from) { return each(from, std::make_index_sequence<N>()); }
  static void out(wire* to, const P& value, arena& memory) {
    for (std::size_t i = 0; i < N; ++i) crossing<T>::out(&to->items[i], value[i], memory);
  }
};

}  // namespace samebytes
