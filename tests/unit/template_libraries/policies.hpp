// Policies, concepts, specializations, variable templates.
#pragma once
#include <string>
#include <type_traits>

namespace ex {
struct Loud {
  static std::string say(std::string s) { return s + "!"; }
};
struct Quiet {
  static std::string say(std::string s) { return s + "."; }
};
template <class T, template <class> class Storage, class Policy = Quiet>
class Host : public Policy, private Storage<T> {
 public:
  using Storage<T>::set;
  T get() const { return this->held; }
  std::string greet() const { return Policy::say("hi"); }
};
template <class T>
struct Plain {
  T held{};
  void set(T x) { held = x; }
};
template <class T>
concept Number = std::is_arithmetic_v<T>;
template <Number T>
T half(T x) {
  return x / 2;
}
template <class T>
  requires Number<T>
struct Num {
  T v;
  T inc() const
    requires(sizeof(T) > 1)
  {
    return v + 1;
  }
};
auto addall(auto... xs) { return (xs + ... + 0); }
template <class T>
constexpr T tau = T(6.28);
template <>
constexpr int tau<int> = 6;

extern template struct Plain<long>;
template struct Plain<long>;
}  // namespace ex
