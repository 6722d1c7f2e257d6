// The C++ of test_doc_features.py: what the peer's manual, tutorial and talks show.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

inline unsigned int g_uint = 0;
struct Abstract {
  virtual ~Abstract() {}
  virtual std::string text() = 0;
};
class Concrete : public Abstract {
 public:
  double data[4] = {1, 2, 3, 4};
  int m_int;
  const int m_const = 17;
  static inline int s_int = 321;
  explicit Concrete(int n = 42) : m_int(n) {}
  std::string text() override { return "Concrete"; }
  double sum(const int* a, int n) const { double s = 0; for (int i = 0; i < n; ++i) s += a[i]; return s; }
  double sum(const double* a, int n) const { double s = .5; for (int i = 0; i < n; ++i) s += a[i]; return s; }
  void assign(unsigned int& target, unsigned int value) { target = value; }
  Abstract* show() { return this; }
  operator const char*() const { return "Hello operator const char*!"; }
  static int twice(int i) { return 2 * i; }
  Concrete operator-() const { return Concrete(-m_int); }
  Concrete operator+(const Concrete& o) const { return Concrete(m_int + o.m_int); }
  template <class T> T get() const { return T(m_int); }
};
typedef Concrete Concrete_t;
inline std::string call_text(Abstract* a) { return a->text(); }
inline int global_function(int) { return 42; }
inline double global_function(double) { return std::exp(1.); }
inline int call_int_int(int (*f)(int, int), int a, int b) { return f(a, b); }
template <class A, class B, class C = A> C multiply(A a, B b) { return C(a * b); }
namespace Space {
class Concrete { public: struct Nested { std::vector<int> v; }; int n = 2; };
inline int global_function(int i) { return 2 * ::global_function(i); }
enum EFruit { kApple = 78, kBanana = 29 };
enum class Scoped { E1 = 42 };
}
class Abstract1 { public: virtual ~Abstract1() {} virtual std::string one() { return "1"; } };
class Abstract2 { public: virtual ~Abstract2() {} virtual std::string two() { return "2"; } };
struct SomeError : std::runtime_error { using std::runtime_error::runtime_error; };
struct OtherError : SomeError { using SomeError::SomeError; };
inline void throw_an_error(int i) { if (i) throw SomeError("this is an error"); throw OtherError("this is another"); }
struct Integer1 { int m; Integer1(int i) : m(i) {} };
namespace Math {
struct Integer2 : Integer1 { using Integer1::Integer1; operator int() const { return m; } };
inline Integer2 operator+(const Integer2& a, const Integer1& b) { return Integer2(a.m + b.m); }
}
inline int sum_all(const std::vector<Integer1>& v) { int s = 0; for (auto& i : v) s += i.m; return s; }
namespace Zoo {
enum EAnimal { eLion, eMouse };
struct Animal { virtual ~Animal() {} virtual std::string sound() = 0; };
struct Lion : Animal { static inline std::string s_sound = "growl!"; std::string sound() override { return s_sound; } };
struct Mouse : Animal { std::string sound() override { return "peep!"; } };
inline Animal* release(EAnimal a) { if (a == eLion) return new Lion; return new Mouse; }
inline std::string identify(Lion*) { return "a lion"; }
inline std::string identify(Mouse*) { return "a mouse"; }
inline std::shared_ptr<Lion> free_lion() { static auto l = std::make_shared<Lion>(); return l; }
inline std::string identify_smart(const std::shared_ptr<Lion>& l) { return l ? "a shared lion" : "none"; }
}
inline std::string without_spaces(std::string s) { s.erase(std::remove(s.begin(), s.end(), ' '), s.end()); return s; }
struct TwoWays { int which; TwoWays(int) : which(1) {} TwoWays(double) : which(2) {} };
typedef void* CameraHandle;
inline void open_camera(CameraHandle* cam) { *cam = new int(42); }
inline bool close_camera(CameraHandle cam) { int* p = static_cast<int*>(cam); bool ok = *p == 42; delete p; return ok; }
enum SomeEnum { AA = -1, BB = 42 };
inline void build_enums(SomeEnum** p, int* n) {
  *p = static_cast<SomeEnum*>(std::malloc(4 * sizeof(SomeEnum)));
  for (int i = 0; i < 4; ++i) (*p)[i] = i % 2 ? BB : AA;
  *n = 4;
}
inline std::vector<SomeEnum> enums_at(const SomeEnum* p, int n) { return {p, p + n}; }
inline void drop(void* p) { std::free(p); }
struct SomeStruct { int i; };
inline int count_them(SomeStruct** them, int n) { int t = 0; for (int i = 0; i < n; ++i) t += them[i]->i; return t; }
inline void make_one(SomeStruct** out) { *out = new SomeStruct{42}; }
inline void create_them(SomeStruct** them, int* n) { *n = 4; *them = new SomeStruct[4]; for (int i = 0; i < 4; ++i) (*them)[i].i = i * i; }
inline void drop_them(SomeStruct* them) { delete[] them; }
inline void create_text(const char** out) { char* p = static_cast<char*>(std::malloc(4)); p[0] = 'a'; p[1] = 0; *out = p; }
struct Field { void* p[3] = {reinterpret_cast<void*>(1), reinterpret_cast<void*>(2), reinterpret_cast<void*>(3)}; };
struct Shell { int n = 1; virtual ~Shell() {} virtual std::string type_text() const { return "hi there!"; } };
inline std::ostream& operator<<(std::ostream& o, const Shell&) { return o << "a shell"; }
template <class T> class Producer {
  T value;
 public:
  Producer(const T& v) : value(v) {}
  virtual ~Producer() {}
  T total() { return value + produce(); }
 protected:
  virtual T produce() { return value; }
};
using IntProducer = Producer<int>;
struct Consumer { template <class T> std::string consume(Producer<T>& p) { std::ostringstream s; s << "received: " << p.total(); return s.str(); } };
struct MyClass { int data; MyClass(int i) : data(i) {} virtual ~MyClass() {} virtual int add(int i) { return data + i; } };
inline int callb(MyClass* m, int i) { return m->add(i); }
inline std::vector<MyClass> my_classes(int n) { std::vector<MyClass> v; for (int i = 0; i < n; ++i) v.emplace_back(i); return v; }
template <class T> T pass(T t) { return t; }
inline int call_fun(const std::function<int(int)>& f, int i) { return f(i); }
template <class R, class... U, class... A> R call_t(R (*f)(U...), A&&... args) { return f(args...); }
struct PBase { virtual ~PBase() {} };
struct PDerived : PBase {};
inline PBase* pass_b(PBase* b) { return b; }
inline std::string utf8() { return "\xe4\xb8\xad\xe6\x96\x87"; }
inline std::string gbk() { return "\xd6\xd0\xce\xc4"; }
