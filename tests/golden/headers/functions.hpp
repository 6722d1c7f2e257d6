// Free functions: namespaces, overloads, references, pointers, arrays, unnamed and reserved parameter names.
#include <cstddef>
#include <cstdint>

/// Adds one.
int plain(int x);
extern "C" int c_linkage(int x);
extern "C" {
int c_block(int x) noexcept;
}
namespace ns {
float scaled(float x);
inline namespace v1 {
double versioned(double x);
}
namespace inner {
bool deep(bool b);
}
namespace {
int hidden(int x) { return x; }
}  // namespace
}  // namespace ns
namespace a::b::c {
void far();
}

int overloaded(int x);
double overloaded(double x);
double overloaded(double x, double y);
long overloaded(long x);

/** Documented in a block.
 *
 *  @param x first
 *  @param y second
 */
void by_reference(int& x, const double& y, float&& z);
int& returns_reference(int& x);
const int& returns_const_reference(const int& x);
const int returns_const_value();
void pointers(const float* in, float* out, void* raw, const void* craw, float** table, const char* text, char* buffer);
void const_pointers(const char* const* names, float* const pinned, volatile int* flag, int* __restrict fast);
float arrays(float a[3], float out[3][4], const double m[][2][5], int unsized[]);
void unnamed(int, float, double);
void collide(int, int arg0, int arg1, int);
void reserved(int __x, int x, int __y);
void top_level_const(const int x, const float* const p);
unsigned char integers(signed char a, unsigned char b, char c, short d, unsigned short e, long f, unsigned long g,
                       long long h, unsigned long long i, unsigned j);
std::uint64_t fixed_width(std::int8_t a, std::uint16_t b, std::int32_t c, std::size_t d, std::ptrdiff_t e);
wchar_t characters(char16_t a, char32_t b);
static int internal(int x) { return x; }
[[nodiscard]] constexpr int attributed(int x) noexcept { return x; }
__attribute__((noinline)) int no_inline(int x) { return x; }
inline auto deduced(int x) { return x * 2.0; }
auto trailing(int x) -> float;
int computed_noexcept(int x) noexcept(sizeof(int) == 4);
int computed_throwing(int x) noexcept(sizeof(int) == 5);
int redeclared(int first, float);
int redeclared(int, float second);
int redeclared(int one, float two);
