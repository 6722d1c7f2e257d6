// Members of records: each public one is bound or told. flags: -std=c++20; judge: yes
#include <cstdint>
struct S {
  int x;
  static constexpr int K = 3;
  static constexpr double ratio = 2.5;
  static constexpr const char* name = "ess";
  static const int defined_below;
  static const int elsewhere;
  inline static const unsigned char byte = 255;
  static int counter;
  static constexpr int table[2] = {1, 2};
  using value_type = float;
  typedef struct S self;
  enum { ONE = 1, TWO };
  enum class Kind : bool { no, yes };
  S() = default;
  explicit S(int x);
  S(const S&) = default;
  ~S() = default;
  S& operator=(const S&) = default;
  int get() const;
  int& at(int i);
  const int& at(int i) const;
  static S make(int x);
  S operator+(const S& other) const;
  explicit operator bool() const;
  operator int() const;
  void deleted() = delete;
  template <class T>
  T as() const;
  template <class T>
  static constexpr int ranked = 1;
  template <class T>
  struct Inner {};
  template <class T>
  using Pointer = T*;
  friend int hidden(S s) { return s.x; }
  friend int shown(S s) { return s.x; }
  friend int told_before(S s);
  friend S operator-(const S& a, const S& b);
  template <class T>
  friend int friend_template(S s, T t);
  friend struct Other;
  void __reserved();

 protected:
  void unseen();
  static constexpr int L = 4;

 private:
  static const int M;
  using hidden_type = int;
};
const int S::defined_below = 8;
const int S::M = 9;
inline int S::get() const { return x; }
template <class T>
T S::as() const {
  return T(x);
}
int shown(S s);
struct Base {
  int size;
  int other;
};
struct Derived : Base {
  static constexpr int size = 12;
  using Base::other;
  int own;
};
struct NotTrivial {
  ~NotTrivial();
  static constexpr int K = 5;
  struct Part {
    int x;
  };
};
union Either {
  int i;
  float f;
  static constexpr int K = 6;
  int which() const;
  struct Part {
    int y;
  };
};
template <class T>
struct Template {
  T t;
  static constexpr int K = 7;
  static int count;
  void method();
  struct Part;
};
template <class T>
int Template<T>::count = 1;
template <class T>
void Template<T>::method() {}
template <class T>
struct Template<T>::Part {};
template <class T>
struct Template<T*> {
  T t;
  int partial();
};
int instantiated(Template<float> t);
namespace ns {
int declared(int x);
extern const int value;
template <class T>
T shaped(T t);
struct Later;
inline namespace v1 {
extern const int inner;
}
}  // namespace ns
int ns::declared(int x) { return x; }
const int ns::value = 4;
const int ns::inner = 5;
template <class T>
T ns::shaped(T t) {
  return t;
}
struct ns::Later {
  int x;
};
// Enumerations at the edges.
enum class Byte : unsigned char {};
enum class Truth : bool { no, yes };
enum : std::uint64_t { LARGEST = 0xFFFFFFFFFFFFFFFF, ONE = 1 };
enum : bool { YES = true };
enum : signed char { LEAST = -128 };
// Names that Python keeps stay as C++ has them.
struct Keywords {
  int lambda, None, __init;
  static constexpr int pass = 1;
};
int yield(int from, int import);
