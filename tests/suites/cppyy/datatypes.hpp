// The C++ of test_datatypes.py: members, globals, enumerations, unions, arrays and pointers of every plain type.
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <memory>
#include <optional>
#include <array>
#include <string>
#include <vector>

// ---- members of every plain type ------------------------------------------------------------------------------------
#define EACH_TYPE(X)                                                                                                   \
  X(Bool, bool) X(Char, char) X(SChar, signed char) X(UChar, unsigned char) X(Char16, char16_t) X(Char32, char32_t)    \
  X(Wide, wchar_t) X(Int8, std::int8_t) X(UInt8, std::uint8_t) X(Short, short) X(UShort, unsigned short) X(Int, int)   \
  X(UInt, unsigned) X(Long, long) X(ULong, unsigned long) X(LLong, long long) X(ULLong, unsigned long long)            \
  X(Float, float) X(Double, double)

#define DECLARE(Name, type)                                                                                            \
  struct Name##Box {                                                                                                   \
    type value = static_cast<type>(1);                                                                                 \
    type row[3] = {static_cast<type>(1), static_cast<type>(0), static_cast<type>(1)};                                  \
    static inline type shared = static_cast<type>(1);                                                                  \
    type get() const { return value; }                                                                                 \
    const type& look() const { return value; }                                                                         \
    type& reach() { return value; }                                                                                    \
    void set(type v) { value = v; }                                                                                    \
    void set_const_ref(const type& v) { value = v; }                                                                   \
    void set_moved(type&& v) { value = v; }                                                                            \
    double sum() const { return double(row[0]) + double(row[1]) + double(row[2]); }                                    \
    static double shared_now() { return double(shared); }                                                              \
    double now() const { return double(value); }                                                                       \
  };
EACH_TYPE(DECLARE)

struct Special {
  std::byte raw = std::byte{100};
  std::byte raws[2] = {std::byte{7}, std::byte{8}};
  std::byte look() const { return raw; }
  void set(std::byte b) { raw = b; }
  std::complex<double> z{99, 101};
  std::complex<float> zf{9, 10};
  std::complex<double> get() const { return z; }
  const std::complex<double>& get_cr() const { return z; }
  void set_z(std::complex<double> v) { z = v; }
  const int fixed = 17;
  long double precise = 88;
  long double get_precise() const { return precise; }
  std::complex<int> gaussian() const { return {121, 141}; }
  double imag() const { return z.imag(); }
};
template <class T> struct Sized {
  std::size_t size = 42;
  std::complex<T> z{7, 42};
  Sized(std::size_t n) : size(n) {}
  Sized(std::complex<T> v) : z(v) {}
};
using DoubleSized = Sized<double>;

// ---- arrays -----------------------------------------------------------------------------------------------------------
inline double total(const double* p, int n) { double s = 0; for (int i = 0; i < n; ++i) s += p[i]; return s; }
inline double total(const float* p, int n) { double s = 0; for (int i = 0; i < n; ++i) s += 10 * p[i]; return s; }
inline double total(const int* p, int n) { double s = 0; for (int i = 0; i < n; ++i) s += 100 * p[i]; return s; }
inline double total(const unsigned short* p, int n) { double s = 0; for (int i = 0; i < n; ++i) s += 1000 * p[i]; return s; }
inline double total_of_void(const void* p, int n) { return total(static_cast<const double*>(p), n); }
inline bool is_null(const short* p) { return p == nullptr; }
inline int sum_bytes(const unsigned char* p, int n) { int s = 0; for (int i = 0; i < n; ++i) s += p[i]; return s; }
inline int sum_std_bytes(const std::byte* p, int n) { int s = 0; for (int i = 0; i < n; ++i) s += int(p[i]); return s; }
template <class T> struct Shapes { T a[5]; T aa[5][4]; T aaa[5][4][3]; };
enum Colour { Red, Green, Blue };
using IntShapes = Shapes<int>;
using DoubleShapes = Shapes<double>;
using BoolShapes = Shapes<bool>;
using CharShapes = Shapes<char>;
using EnumShapes = Shapes<Colour>;
struct Buffers {
  std::uint8_t bytes[4] = {1, 2, 3, 4};
  long longs[6] = {0, 1, 2, 3, 4, 5};
};
template <class T, int N> struct Layers {
  T* layers[N];
  int width;
  explicit Layers(int w) : width(w) {
    for (int i = 0; i < N; ++i) { layers[i] = new T[w]; for (int j = 0; j < w; ++j) layers[i][j] = T(i * 10 + j); }
  }
  ~Layers() { for (T* p : layers) delete[] p; }
  T at(int i, int j) const { return layers[i][j]; }
};
using IntLayers = Layers<int, 3>;
inline std::int8_t signed_bytes[4] = {-18, -52, 0, 127};
inline std::uint8_t unsigned_bytes[4] = {18, 52, 0, 255};

// ---- globals ------------------------------------------------------------------------------------------------------------
inline int number = 22;
inline int get_number() { return number; }
inline void set_number(int n) { number = n; }
inline std::string text = "C++";
inline std::string get_text() { return text; }
inline std::u16string text16 = u"z\u00df\u6c34";
inline std::u32string text32 = U"z\u00df\u6c34\U0001f34c";
namespace held { inline std::string word = "inner"; inline std::string get_word() { return word; } }
struct Data { double value = 5; };
inline Data data;

struct Pod { int m_int = 888; double m_double = 3.14; };
inline Pod* g_pod = nullptr;
inline void set_global_pod(Pod* p) { g_pod = p; }
inline bool is_global_pod(Pod* p) { return p == g_pod; }
inline Pod* get_global_pod() { return g_pod; }
inline int global_pod_int() { return g_pod ? g_pod->m_int : -1; }
inline Pod* null_pod() { return nullptr; }

class Holder {
  Pod pod;
  Pod* other = &pod;
  bool owns = true;
 public:
  Pod get() const { return pod; }
  Pod* get_ptr() { return &pod; }
  Pod& get_ref() { return pod; }
  Pod*& get_ptrref() { return other; }
  void set_val(Pod p) { pod = p; }
  void set_ptr_in(const Pod* p) { pod = *p; }
  void set_ptr_out(Pod* p) { *p = pod; }
  void set_ref(const Pod& p) { pod = p; }
  void set_ptrptr_in(Pod** p) { pod = **p; }
  void set_void_ptrptr_in(void** p) { pod = **reinterpret_cast<Pod**>(p); }
  void set_ptr(Pod* p) { other = p; }
  bool has_other() const { return other != nullptr; }
  int now() const { return pod.m_int; }
};

struct FourVector {
  double c[4];
  FourVector(double x, double y, double z, double t) : c{x, y, z, t} {}
  double operator[](int i) const { return c[i]; }
  bool operator==(const FourVector& o) const { return c[0] == o.c[0] && c[1] == o.c[1] && c[2] == o.c[2] && c[3] == o.c[3]; }
  bool operator!=(const FourVector& o) const { return !(*this == o); }
};
struct Plain1 { int i; };
struct DunderEq {
  int i;
  DunderEq(int n) : i(n) {}
  bool __eq__(const DunderEq& o) const { return i == o.i; }
};

// ---- enumerations -------------------------------------------------------------------------------------------------------
struct What {
  enum EWhat { kNothing = 6, kSomething = 111, kLots = 42 };
  EWhat now = kNothing;
  static inline EWhat shared = kNothing;
  EWhat get() const { return now; }
  void set(EWhat e) { now = e; }
};
enum EFruit { kApple = 78, kBanana = 29, kCitrus = 34 };
inline EFruit favourite = kBanana;
inline EFruit get_favourite() { return favourite; }
enum class Named { E1 = 42 };
namespace places {
enum class Named { E1 = -42 };
enum letter_code { AA = 1, BB = 2 };
enum { n_one = 1, n_two = 2 };
enum N1 { n_three = 3 };
enum class N2 { n_five = 5 };
}
struct Typed {
  enum nums { ZERO = 0, ONE = 1 };
  enum dir : char { left = 'l', right = 'r' };
  enum rank : long { FIRST = 1, SECOND, FAR = 5000000000 };
  enum truth : bool { no = false, yes = true };
};
enum { g_one = 1, g_two = 2 };
namespace small {
enum class I8 : std::int8_t { E1 = 1, EN2 = -2 };
enum class I16 : std::int16_t { EN2 = -2 };
enum class U8 : std::uint8_t { EMAX = 255 };
enum class U16 : std::uint16_t { EMAX = 65535 };
enum class C : char { E0 = '0' };
enum class UC : unsigned char { E0 = '0' };
inline I8 func_i8() { return I8::EN2; }
inline U8 func_u8() { return U8::EMAX; }
inline int value(I8 e) { return int(e); }
}
namespace hidden {
enum foo { FOO = 42 };
inline int foo() { return 7; }
inline unsigned bar(enum foo f) { return unsigned(f); }
struct Bar { enum foo f; Bar(enum foo x) : f(x) {} };
struct point { int v; };
inline struct point point(int v) { return {v}; }
inline int value(const struct point& p, struct point* q) { return p.v + q->v; }
struct Scope { enum kind { KA = 3 }; int kind() const { return 9; } enum kind get() const { return KA; } };
}
struct BoolName { typedef bool BoolType; };

// ---- texts and addresses --------------------------------------------------------------------------------------------------
inline const char* same_text(const char* s) { return s; }
inline const char* no_text() { return nullptr; }
inline std::wstring same_wide(const std::wstring& s) { return s; }
inline std::u16string same16(const std::u16string& s) { return s; }
inline std::u32string same32(const std::u32string& s) { return s; }
inline const wchar_t* same_wide_ptr(const wchar_t* s) { return s; }
struct Addresses {
  void* p = nullptr;
  static inline void* shared = nullptr;
  void* get() const { return p; }
  void set(void* q) { p = q; }
};
inline std::string restricted(const char* __restrict s) { return s; }
struct Strings {
  static inline std::string v = "Hello";
  static inline std::string* p = nullptr;
  static std::string shown() { return p ? *p : "none"; }
};

// ---- callables ------------------------------------------------------------------------------------------------------------
inline int sum_int(int a, int b) { return a + b; }
inline int sum_int2(int a, int b) { return 2 * a + b; }
inline double sum_double(double a, double b) { return a + b; }
inline double call_double(double (*f)(double, double), double a, double b) { return f ? f(a, b) : -1; }
inline int call_int(int (*f)(int, int), int a, int b) { return f(a, b); }
inline void call_void(void (*f)(int), int i) { f(i); }
inline int call_ref(void (*f)(int&)) { int i = -1; f(i); return i; }
inline int (*chosen)(int, int) = sum_int;
inline int call_chosen(int a, int b) { return chosen(a, b); }
struct Chooses { int (*f)(int, int) = nullptr; };
typedef std::string (*greeter)();
inline std::string hello() { return "Hello"; }
inline greeter get_greeter() { return hello; }
struct Kept {
  double (*f)(double, double);
  Kept(double (*g)(double, double)) : f(g) {}
  ~Kept() {}
  void set(double (*g)(double, double)) { f = g; }
  double operator()(double a, double b) { return f(a, b); }
};
inline double call_double_sf(const std::function<double(double, double)>& f, double a, double b) { return f(a, b); }
inline int call_int_sf(const std::function<int(int, int)>& f, int a, int b) { return f(a, b); }
inline void call_void_sf(const std::function<void(int)>& f, int i) { f(i); }
inline int call_ref_sf(const std::function<void(int&)>& f) { int i = -1; f(i); return i; }
struct Acts { virtual ~Acts() {} std::function<std::string()> execute; std::string run() { return execute(); } };

// ---- unions and nameless types ----------------------------------------------------------------------------------------------
struct Event1 { int num = 1; union Some { double a; int b; } shrd{5.}; };
struct Event2 { int num = 1; union { double a; int b; } shrd{5.}; };
struct Event3 { union { double a; int b; }; Event3(double d) : a(d) {} Event3(int i) : b(i) {} };
struct PointI {
  double x = 1, i = 2;
  union { int offset1; struct { int offset2; float intensity; }; float data_c[4]; };
  PointI() : data_c{0, 5, 0, 0} {}
};
struct Two { struct { int x = 5; } bar; struct { int x = 7; } baz; };
typedef struct { struct { struct { int (*f)(int, int); } inner; } outer; } Exported;
inline Exported exported() { Exported e; e.outer.inner.f = sum_int; return e; }
struct Cell { int v; };
struct CellArray { Cell cells[2] = {{42}, {13}}; };
struct CellPointer { Cell* cells; int n; CellPointer(int k) : cells(new Cell[k]), n(k) { for (int i = 0; i < k; ++i) cells[i].v = 2 * i; } ~CellPointer() { delete[] cells; } };

inline int** int_matrix(int n, int m) {
  int** rows = static_cast<int**>(std::malloc(n * sizeof(int*)));
  int* all = static_cast<int*>(std::malloc(n * m * sizeof(int)));
  for (int i = 0; i < n; ++i) { rows[i] = all + i * m; for (int j = 0; j < m; ++j) rows[i][j] = 13 + i * m + j; }
  return rows;
}
inline int at(int** rows, int i, int j) { return rows[i][j]; }
inline void drop_ints(int** rows) { std::free(rows[0]); std::free(rows); }
struct XY { int x, y, z; };
inline XY** xy_matrix(int n, int m) {
  XY** rows = static_cast<XY**>(std::malloc(n * sizeof(XY*)));
  XY* all = static_cast<XY*>(std::malloc(n * m * sizeof(XY)));
  for (int i = 0; i < n; ++i) { rows[i] = all + i * m; for (int j = 0; j < m; ++j) rows[i][j] = {i + 13, j + 7, 0}; }
  return rows;
}
inline int y_at(XY** rows, int i, int j) { return rows[i][j].y; }
inline void drop_xys(XY** rows) { std::free(rows[0]); std::free(rows); }

// ---- aggregates ----------------------------------------------------------------------------------------------------------------
struct PodA {};
struct PodB { int i; };
struct PodC { int i; double d; };
struct PodD { std::array<double, 3> a; };
struct PodE { int* p; };
struct PodF { std::array<double, 3>* p; };
struct Number { std::size_t n = 0; };
struct Atom : Number { std::array<double, 3> at; };
struct Agg1 { static inline int s = 17; };
struct Agg2 { static inline int s = 27; int f = 42; };
typedef enum { DATA = 0, SHAPE } Kind;
typedef struct { int val; const char* name; Kind kind; } Buf;
inline std::string named(const Buf& b) { return b.name ? b.name : "none"; }
struct R1 { Colour e; };
inline R1 make_R1() { return {Green}; }
struct NoCopy { int x; NoCopy(int n) : x(n) {} NoCopy(const NoCopy&) = delete; };
struct R2 { std::optional<NoCopy> s; R2() : s(1) {} };
inline std::complex<double> dot(const std::complex<double>* a, const std::complex<double>* b, int n) {
  std::complex<double> s;
  for (int i = 0; i < n; ++i) s += a[i] * b[i];
  return s;
}
inline std::complex<float> dotf(const std::complex<float>* a, const std::complex<float>* b, int n) {
  std::complex<float> s;
  for (int i = 0; i < n; ++i) s += a[i] * b[i];
  return s;
}
inline std::complex<double> cube(std::complex<double> c) { return c * c * c; }
typedef struct { double* data1; double* data2; int size; } BufInfo;
inline double sum_info(const BufInfo& b) { return total(b.data1, b.size) + total(b.data2, b.size); }
struct Body { std::string name; };
inline Body the_body{"Hello"};
struct Refers { Body body1; const Body& body2; Refers() : body1(the_body), body2(the_body) {} };
struct Flags { typedef bool Set; typedef unsigned char Small; Set set = true; Small small = 7; };
