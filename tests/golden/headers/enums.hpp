// Enums, constants and aliases.
#include <cstddef>
#include <cstdint>
enum Color { RED, GREEN = 5, BLUE };
enum Signed { MINUS = -1, PLUS = 1 };
enum Big : std::uint64_t { HUGE_ = 0xFFFFFFFFFFFFFFFF };
enum class Scoped { a, b };
enum class Small : signed char { low = -128, high = 127 };
enum class Opaque : short;
enum class Truth : bool { no, yes };
enum { ALONE = 3, PAIR };
typedef enum { ONE, TWO } by_typedef;
/// Directions.
enum class Documented { left, right };

constexpr int kAnswer = 42;
constexpr double kPi = 3.25;
const float kHalf = 0.5f;
constexpr bool kYes = true;
constexpr std::uint64_t kBig = ~0ull;
constexpr std::int64_t kLow = INT64_MIN;
constexpr const char* kName = "name";
constexpr char kArray[] = "array";
inline constexpr char kLetter = 'A';
constexpr Scoped kScoped = Scoped::b;
static const int kDerived = kAnswer * 2;
namespace ns {
constexpr int kInner = kAnswer + 1;
}
constexpr int kList[] = {1, 2};
struct Point { int x, y; };
constexpr Point kPoint = {1, 2};
constexpr long double kLong = 1.0L;
const char* not_constant = "x";
int variable = 3;
extern const int kElsewhere;
extern int elsewhere;
const int kRuntime = variable;

typedef double real_t;
using index_t = long long;
using color_t = Color;
using point_t = Point;
typedef const float* input_t;
using callback_t = void (*)(int);
using wide_t = long double;
namespace ns {
using real = ::real_t;
}

Color next(Color c, Scoped s, Small m, by_typedef t, Opaque o);
real_t typed(real_t x, index_t i, input_t p, ns::real r);
Big big(Big b);
std::byte bytes(std::byte b);
