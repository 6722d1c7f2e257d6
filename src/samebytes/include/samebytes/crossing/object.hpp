// Objects of classes inside containers: by address. C++ copies an argument's; a result's are shown where they
// lie.
#pragma once
#include "base.hpp"

namespace samebytes {

template <class T>
struct crossing_object {
  struct wire {
    void* object;
  };
  static const T& in(const wire& from) { return *static_cast<const T*>(from.object); }
  static void out(wire* to, const T& value, arena&) {
    to->object = samebytes::untyped(__builtin_addressof(value));
  }
};

}  // namespace samebytes
