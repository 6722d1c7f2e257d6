// The C++ of test_regression.py: one small case for each old defect.
#include <search.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <exception>
#include <filesystem>
#include <initializer_list>
#include <limits>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <tuple>
#include <typeinfo>
#include <vector>

namespace docs {
struct Documented { int n = 0; void fn() {} };
inline Documented one;
inline int iii() { return 3; }
}
#ifdef __AVX__
constexpr bool has_avx = true;
#else
constexpr bool has_avx = false;
#endif
inline double sum4(std::array<float, 4> a) { double s = 0; for (float f : a) s += f; return s; }
template <class T> struct AllDefault {
  T t;
  AllDefault(int v) : t(v) {}
  template <int A = 1, int B = 2> int stuff() { return t + A + B; }
};
inline float take_float(float a = 5.f, int b = 2) { return a * b; }
inline double take_double(double a = 5.f, int b = 2) { return a * b; }
inline long take_long(long a = 5l, int b = 2) { return a * b; }
inline unsigned long take_ulong(unsigned long a = 5ul, int b = 2) { return a * b; }
struct S1 {};
struct S2 { typedef std::vector<double> Row; Row row{1, 2}; typedef S1 One; };
inline std::vector<float> row_of(double x) { return {float(x)}; }
namespace csoc1 { inline std::string call(char) { return "char"; } }
namespace csoc2 { inline std::string call(char) { return "char"; } inline std::string call(const char*) { return "const char*"; } }
namespace csoc3 { inline std::string call(char) { return "char"; } inline std::string call(const std::string&) { return "string"; } }
struct Bar {
  struct Baz { std::vector<double> data; } baz[2];
  Bar() { baz[0].data.push_back(3.5); baz[1].data.push_back(2.5); }
};
struct Foo { struct Bar { int x = 5; } bar; };
template <class T> std::string name1(const T&) { return typeid(T).name(); }
template <class T> std::string name2(T&&) { return typeid(T).name(); }
template <class T> std::size_t sizeit(T&& t) { return t.size(); }
enum class Colour : char { Black = 1, Blue, Red, Unknown };
template <class E> struct Each {
  struct it {
    E now;
    E operator*() const { return now; }
    bool operator!=(const it& o) const { return now != o.now; }
    it& operator++() { now = E(int(now) + 1); return *this; }
  };
  int unused = 0;
  it begin() const { return it{E::Black}; }
  it end() const { return it{E::Unknown}; }
};
using Colours = Each<Colour>;
struct EqBase { bool operator==(const EqBase&) const { return false; } };
struct EqDerived : EqBase { bool operator==(const EqDerived&) const { return true; } };
struct NeDerived : EqBase { bool operator!=(const NeDerived&) const { return true; } };
inline std::string concat(const std::string& a, const std::string& b) { return a + b; }
struct SChar { signed char c = 0; void set(signed char v) { c = v; } signed char& get() { return c; } };
inline std::vector<std::string> temporary() { return {"x", "y", "z"}; }
inline std::string called;
struct InitFoo { InitFoo() = default; InitFoo(int) { called += "Foo(int)"; } InitFoo(std::initializer_list<std::uint8_t>) { called += "Foo(il)"; } };
struct InitBar {
  InitBar() = default;
  InitBar(int) { called += "Bar(int)"; }
  InitBar(std::initializer_list<std::uint8_t> l) { called += "Bar(il<" + std::to_string(l.size()) + ">)"; }
  InitBar(InitFoo) { called += "Bar(Foo)"; }
};
struct Countable {
  static inline int n = 0;
  Countable() { ++n; }
  Countable(const Countable&) { ++n; }
  Countable& operator=(const Countable&) { return *this; }
  ~Countable() { --n; }
};
inline Countable countable() { return {}; }
inline Countable* kept = nullptr;
inline void give(std::unique_ptr<Countable> c) { kept = c.release(); }
inline void destroy() { delete kept; kept = nullptr; }
namespace c_style { enum Mine { kOne, kTwo }; enum Yours { kThree, kFour }; inline enum Yours yours = kThree; inline Mine mine = kOne; inline int now() { return yours; } }
struct Arg { int a = 3; };
struct Args {
  std::vector<Arg*> list;
  using const_iterator = std::vector<Arg*>::const_iterator;
  Arg one;
  Args() { list.push_back(&one); }
  Args(const Args&) = delete;
  const_iterator begin() const { return list.begin(); }
  const_iterator end() const { return list.end(); }
};
struct Io1 { const char* name = nullptr; };
struct Io2 { const char* const name = nullptr; };
inline std::string io_name(const Io1& io) { return io.name ? io.name : "none"; }
class CountedError : public std::exception {
  std::string text{"error"};
 public:
  static inline int n = 0;
  CountedError() { ++n; }
  CountedError(const CountedError&) { ++n; }
  ~CountedError() override { --n; }
  const char* what() const noexcept override { return text.c_str(); }
};
inline CountedError make_error() { return {}; }
inline std::shared_ptr<CountedError> no_error() { return nullptr; }
struct Sender { int id = 4; virtual ~Sender() = default; void send(void (*f)(Sender*)) { f(this); } };
struct SenderBase { virtual ~SenderBase() = default; long pad = 1; };
struct SenderDerived : SenderBase, Sender {};
struct Owner { SenderDerived derived; virtual ~Owner() = default; };
inline std::uint64_t same64(std::uint64_t v) { return v; }
template <class T> struct Wraps { T t; Wraps(T x) : t(x) {} };
template <class T> Wraps<T> wrap(T t) { return Wraps<T>{t}; }
constexpr std::uint64_t umax = std::numeric_limits<std::uint64_t>::max();
constexpr std::int64_t smin = std::numeric_limits<std::int64_t>::min();
namespace in_dir { inline long prod(long a, long b) { return a * b; } inline long prod(long a, long b, long c) { return a * b * c; }
inline int a = 10; inline int b = 40; enum smth { ONE }; inline enum smth my_enum = smth::ONE; }
enum class E1 : std::uint16_t { BAZ = 1, BAR = 2 };
enum class E2 : unsigned short { BAZ = 3, BAR = 4 };
enum E3 { BAZ = 5, BAR = 6 };
template <class E> struct Info { E x; std::uint8_t y; };
namespace chem { namespace type { template <class T> class tensor {}; }
template <class T = double, class U = type::tensor<T>> class Mo { public: int n = 1; };
template class Mo<double, type::tensor<double>>;
inline auto produce() { return std::make_tuple(10., 3); } }
namespace props { namespace type { template <class T> using mos = chem::Mo<T>; }
template <class T = double, class O = type::mos<T>> class Wave { public: O o; int w = 2; };
template <class T> auto run_as() { return std::make_tuple(20., T{}.w); } }
inline std::string shown_path() { std::ostringstream os; os << std::filesystem::path("/usr"); return os.str(); }
inline void write42(std::uint32_t* p) { *p = 42; }
inline int first_of(int* a[2]) { return *a[0] + *a[1]; }
struct Axis { char16_t name[6]; };
inline void fill(Axis* a, int n) { for (int i = 0; i < n; ++i) std::memcpy(a[i].name, u"hello", 12); }
inline std::vector<Axis> axes(int n) { std::vector<Axis> v(n); fill(v.data(), n); return v; }
struct B1 { std::string name; explicit B1(const std::string& s) : name(s) {} };
struct D1 : B1 { using B1::B1; };
struct B1Owner { D1 d1{"d1"}; D1 d2{"d2"}; std::vector<const B1*> get() { return {&d1, &d2}; } };
using Dict = std::initializer_list<std::pair<E1, int>>;
struct TakesDict { int sum = 0; TakesDict(Dict d) { for (auto& [k, v] : d) sum += int(k) * v; } };
typedef enum { MONDAY = 0, TUESDAY, WEDNESDAY } Day;
inline int day_number(const Day day) { return day; }
struct Chars { char val[10], *ptr; char values[2][10], *pointers[2]; };
inline void set_pointers(Chars* c) {
  std::strcpy(c->val, "howdy!"); std::strcpy(c->values[0], "hello"); std::strcpy(c->values[1], "world!");
  c->ptr = c->val; c->pointers[0] = c->values[0]; c->pointers[1] = c->values[1];
}
struct WithStatic { static std::string joined(const std::string& a, const std::string& b = "!") { return a + b; } };
typedef const int my_int;
typedef const int cmy_int;
inline int typedefs(my_int a, cmy_int b) { return a - b; }
inline cmy_int c_value = 7;
struct Throws { void bar() { throw std::logic_error("fine"); } void bar() const { throw std::logic_error("fine"); } };
