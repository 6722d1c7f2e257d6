// std::reference_wrapper: the address of its target.
#pragma once
#include <functional>

#include "base.hpp"

namespace samebytes {

template <class T>
struct crossing<std::reference_wrapper<T>, void> {
  struct wire {
    void* object;
  };
  static std::reference_wrapper<T> in(const wire& from) { return *static_cast<T*>(from.object); }
  static void out(wire* to, const std::reference_wrapper<T>& value, arena&) {
    to->object = samebytes::untyped(__builtin_addressof(value.get()));
  }
};

}  // namespace samebytes
