// std::nullptr_t has one value, and nothing to tell.

#pragma once

#include <cstddef>

#include "base.hpp"

namespace samebytes {

template <>
struct crossing<std::nullptr_t, void> {
  using wire = unsigned char;
  static std::nullptr_t in(const wire&) { return nullptr; }
  static void out(wire* to, const std::nullptr_t&, arena&) { *to = 0; }
};

}  // namespace samebytes
