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

// A point of the system's clock: its time since 1970.
template <class D>
struct crossing<std::chrono::time_point<std::chrono::system_clock, D>, void> {
  using point = std::chrono::time_point<std::chrono::system_clock, D>;
  using wire = typename D::rep;
  static point in(const wire& from) { return point(D(from)); }
  static void out(wire* to, const point& value, arena&) { *to = value.time_since_epoch().count(); }
};

}  // namespace samebytes
