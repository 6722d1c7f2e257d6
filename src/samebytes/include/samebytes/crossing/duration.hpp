// std::chrono::duration: its count.
#pragma once
#include <chrono>

#include "base.hpp"

namespace samebytes {

template <class Count, class Period>
struct crossing<std::chrono::duration<Count, Period>, void> {
  using duration = std::chrono::duration<Count, Period>;
  using wire = Count;
  static duration in(const wire& from) { return duration(from); }
  static void out(wire* to, const duration& value, arena&) { *to = value.count(); }
};

}  // namespace samebytes
