// A value or none: constructors and comparisons that are templates.
#pragma once
#include <stdexcept>
#include <type_traits>

namespace ex {
template <class T>
class maybe {
  bool has = false;
  T value{};

 public:
  maybe() {}
  template <class U, class = std::enable_if_t<std::is_convertible_v<U, T>>>
  maybe(U u) : has(true), value(u) {}
  explicit operator bool() const { return has; }
  T operator*() const {
    if (!has) throw std::runtime_error("empty");
    return value;
  }
  template <class U>
  T value_or(U other) const {
    return has ? value : T(other);
  }
  template <class U>
  bool operator==(const U& u) const {
    return has && value == u;
  }
};
}  // namespace ex
