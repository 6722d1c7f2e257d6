// C++20: designated values, concepts beside ordinary functions, nested namespaces. flags: -std=c++20
#include <concepts>
#include <cstdint>
#include <span>
namespace lib::math {
struct Vec {
  float x = 1, y = 2;
  bool operator==(const Vec&) const = default;
  float length() const;
};
template <std::floating_point T>
T half(T x) { return x / 2; }
[[nodiscard]] constexpr Vec make(float x = 1, float y = 2) noexcept { return {x, y}; }
char8_t letter(char8_t c);
int spanned(std::span<const float> s);
struct Ordered {
  int x;
  auto operator<=>(const Ordered&) const = default;
};
int order(Ordered a, Ordered b);
enum class Level : std::uint8_t { low, high };
constinit inline const int start = 5;
inline constexpr auto kAuto = 2.5;
}  // namespace lib::math
