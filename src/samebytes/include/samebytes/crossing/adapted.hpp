// What std::stack and std::queue have in common: the container that they adapt, which is a protected member.
#pragma once
#include <utility>

#include "deque.hpp"
#include "list.hpp"
#include "vector.hpp"

namespace samebytes {

template <class Q>
struct crossing_adapted {
  using container = typename Q::container_type;
  using item = typename Q::value_type;
  using wire = typename crossing<std::vector<item>>::wire;
  static Q in(const wire& from) {
    Q made;
    for (auto&& one : crossing<std::vector<item>>::in(from)) made.push(std::forward<decltype(one)>(one));
    return made;
  }
  static void out(wire* to, const Q& value, arena& memory) {
    crossing<container>::out(to, inside(value), memory);
  }
  static const container& inside(const Q& of) { return of.*&opened::c; }

 private:
  struct opened : Q {
    using Q::c;
  };
};

}  // namespace samebytes
