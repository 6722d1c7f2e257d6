// std::bitset: the number that its bits are, in words of 64 with the lowest first.
#pragma once
#include <bitset>

#include "base.hpp"

namespace samebytes {

template <std::size_t N>
struct crossing<std::bitset<N>, void> {
  static constexpr std::size_t words = (N + 63) / 64;
  struct wire {
    std::uint64_t word[words];
  };
  static std::bitset<N> in(const wire& from) {
    std::bitset<N> made;
    for (std::size_t i = 0; i < N; ++i) made[i] = from.word[i / 64] >> i % 64 & 1;
    return made;
  }
  static void out(wire* to, const std::bitset<N>& value, arena&) {
    for (std::size_t i = 0; i < words; ++i) to->word[i] = 0;
    for (std::size_t i = 0; i < N; ++i) to->word[i / 64] |= static_cast<std::uint64_t>(value[i]) << i % 64;
  }
};

}  // namespace samebytes
