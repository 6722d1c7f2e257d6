// Objects of classes inside containers, and those that a callable gives: by address. C++ copies an
// argument's, or moves it where it can only be moved; a result's are shown where they lie.
#pragma once
#include <type_traits>

#include "base.hpp"

namespace samebytes {

template <class T>
struct crossing_object {
  struct wire {
    void* object;
  };
  using given = typename std::conditional<std::is_copy_constructible<T>::value, const T&, T&&>::type;
  static given in(const wire& from) { return static_cast<given>(*static_cast<T*>(from.object)); }
  static void out(wire* to, const T& value, arena&) {
    to->object = samebytes::untyped(__builtin_addressof(value));
  }
};

}  // namespace samebytes
