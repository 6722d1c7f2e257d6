// std::bitset of up to 64 bits: the number that they are.
#pragma once
#include <bitset>

#include "base.hpp"

namespace samebytes {

template <std::size_t N>
struct crossing<std::bitset<N>, void> {
  using wire = std::uint64_t;
  static std::bitset<N> in(const wire& from) { return std::bitset<N>(from); }
  static void out(wire* to, const std::bitset<N>& value, arena&) { *to = value.to_ullong(); }
};

}  // namespace samebytes
