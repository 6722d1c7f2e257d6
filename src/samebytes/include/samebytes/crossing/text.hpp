// std::basic_string of every character type; string views, whose characters are Python's own during a call.
#pragma once
#include <string>
#if __cplusplus >= 201703L
#include <string_view>
#endif

#include "base.hpp"

namespace samebytes {

template <class C, class Traits, class Allocator>
struct crossing<std::basic_string<C, Traits, Allocator>, void> {
  using text = std::basic_string<C, Traits, Allocator>;
  using wire = run_wire;
  static text in(const wire& from) { return text(static_cast<const C*>(from.data), from.size); }
  static void out(wire* to, const text& value, arena&) { *to = {value.data(), value.size()}; }
};

#if __cplusplus >= 201703L
template <class C, class Traits>
struct crossing<std::basic_string_view<C, Traits>, void> {
  using text = std::basic_string_view<C, Traits>;
  using wire = run_wire;
  static text in(const wire& from) { return text(static_cast<const C*>(from.data), from.size); }
  // What it shows may be gone by the time Python reads.
  static void out(wire* to, const text& value, arena& memory) {
    C* copy = memory.template take<C>(value.size());
    value.copy(copy, value.size());
    *to = {copy, value.size()};
  }
};
#endif

}  // namespace samebytes
