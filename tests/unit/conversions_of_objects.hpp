// What objects are as text and as keys: see test_conversions_of_objects.py.
#include <functional>
#include <ostream>
#include <string>
#include <string_view>
struct Text {
  int v;
  operator std::string() const { return "string"; }
};
struct Two {
  int v;
  operator std::string() const { return "string"; }
  operator const char*() const { return "chars"; }
};
struct Views {
  int v;
  explicit operator std::string_view() const { return "view"; }
  friend std::ostream& operator<<(std::ostream& o, const Views&) { return o << "stream"; }
};
struct CharsAndView {
  int v;
  operator std::string_view() const { return "view"; }
  operator const char*() const { return "chars"; }
};
namespace ns {
struct Free {
  int v;
};
inline std::ostream& operator<<(std::ostream& o, const Free& f) { return o << "free " << f.v; }
struct Derived : Free {
  int w;
};
class Handle {
  std::string s = "h";

 public:
  friend std::ostream& operator<<(std::ostream& o, const Handle& h) { return o << h.s; }
};
struct Mutable {
  int v;
};
inline std::ostream& operator<<(std::ostream& o, Mutable& f) { return o << ++f.v; }
template <class T>
struct Wrapped {
  T v;
};
template <class T>
std::ostream& operator<<(std::ostream& o, const Wrapped<T>& w) {
  return o << "w" << w.v;
}
inline Wrapped<int> wrapped() { return {3}; }
}  // namespace ns
struct FromBase : Text {
  int more;
  friend std::ostream& operator<<(std::ostream& o, const FromBase&) { return o << "stream"; }
};
struct Number {
  int v;
  operator int() const { return v; }
};
struct NumberShown {
  int v;
  operator int() const { return v; }
  friend std::ostream& operator<<(std::ostream& o, const NumberShown&) { return o << "shown"; }
};
struct Raises {
  int v;
  friend std::ostream& operator<<(std::ostream& o, const Raises&) {
    throw std::runtime_error("no");
    return o;
  }
};
struct Fails {
  int v;
  friend std::ostream& operator<<(std::ostream& o, const Fails&) {
    o.setstate(std::ios::failbit);
    return o;
  }
};
struct NoStream {
  int v;
};
struct Key {
  int v, w;
  bool operator==(const Key& o) const { return v == o.v; }
};
struct KeyHandle {
  std::string s;
  explicit KeyHandle(std::string t) : s(t) {}
};
inline bool operator==(const KeyHandle& a, const KeyHandle& b) { return a.s == b.s; }
struct Unhashed {
  int v;
  bool operator==(const Unhashed& o) const { return v == o.v; }
};
struct Uncompared {
  int v;

 private:
  int w = 0;
};
struct Holder {
  int v;
  Uncompared value;
};
struct DerivedUnhashed : Unhashed {
 private:
  int w = 0;
};
struct DerivedKey : Key {
  int more;
};
template <>
struct std::hash<Key> {
  std::size_t operator()(const Key& k) const { return ~0ul - k.v; }
};
template <>
struct std::hash<KeyHandle> {
  std::size_t operator()(const KeyHandle& k) const { return k.s.size(); }
};
template <>
struct std::hash<Uncompared> {
  std::size_t operator()(const Uncompared& k) const { return k.v; }
};
struct Bytes {
  char text[2];
};
struct Refers {
  int x;
  operator int&() { return x; }
  operator const int&() const { return x; }
};
struct RefersHandle {
  std::string s;
  int x;
  RefersHandle(int v) : x(v) {}
  operator int&() { return x; }
  operator const int&() const { return ++calls, x; }
  const RefersHandle& fixed() const { return *this; }
  static inline int calls = 0;
};
inline int taken(int x) { return x; }
