// std::optional: the wire of its value, and whether there is one.
#pragma once
#include <optional>

#include "base.hpp"

namespace samebytes {

template <class T>
struct crossing<std::optional<T>, void> {
  using value = std::optional<T>;
  struct wire {
    wire_of<T> inner;
    bool has;
  };
  static value in(const wire& from) { return from.has ? value(crossing<T>::in(from.inner)) : value(); }
  static void out(wire* to, const value& from, arena& memory) {
    to->has = from.has_value();
    if (from) crossing<T>::out(&to->inner, *from, memory);
  }
};

}  // namespace samebytes
