// The C++ of test_stltypes.py: functions that take and give the standard library's containers, texts and errors.
#include <array>
#include <cstdint>
#include <deque>
#include <exception>
#include <list>
#include <map>
#include <memory>
#include <numeric>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

// ---- vectors ----------------------------------------------------------------------------------------------------------
template <class T> std::vector<T> counted(int n) { std::vector<T> v(n); std::iota(v.begin(), v.end(), T(0)); return v; }
inline std::vector<int> ints(int n) { return counted<int>(n); }
inline std::vector<float> floats(int n) { return counted<float>(n); }
inline std::vector<double> doubles(int n) { return counted<double>(n); }
inline std::vector<unsigned char> uchars(int n) { return counted<unsigned char>(n); }
inline std::vector<std::uint8_t> uint8s(int n) { return counted<std::uint8_t>(n); }
inline std::vector<signed char> schars(int n) { std::vector<signed char> v = counted<signed char>(n); for (auto& c : v) c -= 5; return v; }
inline std::vector<std::int8_t> int8s(int n) { std::vector<std::int8_t> v = counted<std::int8_t>(n); for (auto& c : v) c -= 5; return v; }
inline int at(const std::vector<int>& v, int i) { return v.at(i); }
inline int total(const std::vector<int>& v) { return std::accumulate(v.begin(), v.end(), 0); }
inline double total_of_floats(const std::vector<float>& v) { return std::accumulate(v.begin(), v.end(), 0.); }
inline std::vector<int> extended(std::vector<int> v, const std::vector<int>& more) { v.insert(v.end(), more.begin(), more.end()); return v; }
inline std::vector<bool> flags(int n) { std::vector<bool> v(n); v[0] = v[n - 1] = true; return v; }
inline int how_many(const std::vector<bool>& v) { int n = 0; for (bool b : v) n += b; return n; }
enum Tint { Pale = 1, Deep = 3 };
namespace inner { enum class Tint { Pale = 5, Deep = 42 }; }
inline std::vector<Tint> tints(std::vector<Tint> v) { v.push_back(Deep); return v; }
inline std::vector<inner::Tint> inner_tints(std::vector<inner::Tint> v) { v.push_back(inner::Tint::Deep); return v; }
inline int kind_of(const std::vector<std::string>&) { return 1; }
inline int kind_of(const std::string&) { return 2; }
inline int kind_in_order(const std::string&) { return 2; }
inline int kind_in_order(const std::vector<std::string>&) { return 1; }
inline int words_only(const std::vector<std::string>& v) { return int(v.size()); }
inline std::vector<std::pair<double, double>> pairs(const std::vector<std::pair<double, double>>& v) { return v; }
inline std::vector<std::vector<int>> nested(const std::vector<std::vector<int>>& v) { return v; }
template <class T> std::size_t size_of(const std::vector<T>& v) { return v.size(); }
template <class T> T first_of(const std::list<T>& v) { return v.front(); }
template <class T> T last_of(const std::deque<T>& v) { return v.back(); }
template <class T> T least_of(const std::set<T>& v) { return *v.begin(); }
template <class K, class V> V only_of(const std::map<K, V>& v) { return v.begin()->second; }
struct Plain { int m = 0; };
inline std::vector<Plain> plains(int n) { return std::vector<Plain>(n); }
inline int alive = 0;
struct Counted {
  int x;
  Counted(int v) : x(v) { ++alive; }
  Counted(const Counted& o) : x(o.x) { ++alive; }
  ~Counted() { --alive; }
  int twice() const { return 2 * x; }
};
inline std::vector<Counted> made() { return {Counted(1337), Counted(1338)}; }
inline std::vector<std::shared_ptr<Counted>> shared(int n) {
  std::vector<std::shared_ptr<Counted>> v;
  for (int i = 0; i < n; ++i) v.push_back(std::make_shared<Counted>(i));
  return v;
}
class Point3 {
  double x, y, z;
 public:
  Point3(double a, double b, double c) : x(a), y(b), z(c) {}
  double square() const { return x * x + y * y + z * z; }
};
inline std::vector<Point3> points(int n) { std::vector<Point3> v; for (int i = 0; i < n; ++i) v.emplace_back(i, 2 * i, 3 * i); return v; }
inline double squares(const std::vector<Point3>& v) { double s = 0; for (auto& p : v) s += p.square(); return s; }
inline std::vector<const char*> c_texts = {"hello"};
inline std::vector<const char*> get_c_texts() { return c_texts; }
struct __attribute__((packed)) Packed { char c; float x, y; };
inline std::vector<Packed> packed(int n) { std::vector<Packed> v; for (int i = 0; i < n; ++i) v.push_back({'a', float(i), float(i * n)}); return v; }
struct Vertex { virtual ~Vertex() {} };
struct Corner : Vertex { int n = 7; };
struct Mesh {
  std::vector<Vertex*> all{new Vertex, new Corner};
  ~Mesh() { for (auto* v : all) delete v; }
  const std::vector<Vertex*>& vertices() const { return all; }
};
class Walk {
  std::vector<int> v{1, 2, 3};
 public:
  std::vector<int>::const_iterator begin() const { return v.begin(); }
  std::vector<int>::const_iterator end() const { return v.end(); }
};
template <class I> long apart(I a, I b) { return b - a; }

// ---- texts --------------------------------------------------------------------------------------------------------------
template <class S> struct Texty {
  S s;
  Texty(const S& t) : s(t) {}
  void set_cr(const S& t) { s = t; }
  void set(S t) { s = t; }
  S get() const { return s; }
  void fill(S& out) const { out = s; }
  std::size_t size() const { return s.size(); }
};
using Narrow = Texty<std::string>;
using Wide = Texty<std::wstring>;
inline std::string names1[3] = {"a", "b", "c"};
inline std::string names2[3][2] = {{"a", "b"}, {"c", "d"}, {"e", "f"}};
inline std::size_t size_s(std::string s) { return s.size(); }
inline std::size_t size_cr(const std::string& s) { return s.size(); }
inline std::size_t size_cc(const char* s) { return std::string(s).size(); }
inline std::size_t size_w(std::wstring s) { return s.size(); }
inline std::size_t size_wcr(const std::wstring& s) { return s.size(); }
inline std::string same(const std::string& s) { return s; }
inline std::wstring same_w(const std::wstring& s) { return s; }
inline std::string plus(const std::string& a, const std::string& b) { return a + b; }
inline std::string replaced(std::string s, const std::string& what, const std::string& by) {
  for (std::size_t at = 0; (at = s.find(what, at)) != std::string::npos; at += by.size()) s.replace(at, what.size(), by);
  return s;
}
inline long found(const std::string& s, const std::string& what) { return long(s.find(what)); }
inline std::string field;
struct Shows1 { int v = 1; const char* __repr__() const { return "Shows1!"; } const char* __str__() const { return "Shows1?"; } };
struct Shows2 { int v = 1; std::string __repr__() const { return "Shows2!"; } std::string __str__() const { return "Shows2?"; } };
inline std::size_t view_size(std::string_view v) { return v.size(); }
inline std::size_t view_size_cr(const std::string_view& v) { return v.size(); }
inline std::string joined(std::string_view a, std::string_view b) { return std::string(a) + " " + std::string(b); }
struct KeepsView { std::string_view v; KeepsView(std::string_view s) : v(s) {} std::string text() const { return std::string(v); } };

// ---- lists, maps, sets, arrays, tuples --------------------------------------------------------------------------------------
inline std::list<int> list_of(const std::list<int>& l) { return l; }
inline std::list<double> list_of_doubles(int n) { std::list<double> l; for (int i = 0; i < n; ++i) l.push_back(i); return l; }
inline std::list<std::string> words(const std::list<std::string>& l) { return l; }
inline std::map<int, int> squares_map(int n) { std::map<int, int> m; for (int i = 0; i < n; ++i) m[i] = i * i; return m; }
inline std::unordered_map<int, int> squares_hash(int n) { std::unordered_map<int, int> m; for (int i = 0; i < n; ++i) m[i] = i * i; return m; }
inline std::map<std::string, int> named(const std::map<std::string, int>& m) { return m; }
inline std::unordered_map<std::string, int> named_hash(const std::unordered_map<std::string, int>& m) { return m; }
inline std::map<std::string, unsigned> unsigneds(const std::map<std::string, unsigned>& m) { return m; }
inline std::map<std::string, unsigned long> ulongs(const std::map<std::string, unsigned long>& m) { return m; }
struct Base { int b = 1; virtual ~Base() {} virtual int who() const { return 1; } };
struct Derived : Base { int who() const override { return 2; } };
inline int sum_who(const std::map<std::string, Base>& m) { int s = 0; for (auto& [k, v] : m) s += v.who(); return s; }
inline int sum_pairs(const std::vector<std::pair<std::string, Base>>& m) { int s = 0; for (auto& [k, v] : m) s += v.who(); return s; }
struct Indexed {
  std::string operator[](double) const { return "double"; }
  std::string operator[](const std::string&) const { return "string"; }
};
inline std::set<int> set_of(const std::set<int>& s) { return s; }
inline bool contains(const std::set<int>& s, int i) { return s.count(i) > 0; }
inline std::deque<long double> long_doubles() { return {0}; }
inline std::deque<double> deque_of(const std::deque<double>& d) { return d; }
inline std::array<int, 4> four(std::array<int, 4> a) { for (int& i : a) i *= 2; return a; }
inline std::array<double, 3> three(const std::array<double, 3>& a) { return a; }
struct P { int px = 0, py = 0; };
inline std::array<P, 2> two_points(std::array<P, 2> a) { a[1].px += a[0].px; return a; }
struct HasPoints { std::array<P, 2> at; };
inline int sum_px(const std::array<P*, 2>& a) { return a[0]->px + a[1]->px; }
inline auto mixed(int i, std::string s, double d) { return std::make_tuple(i, s, d); }
inline std::tuple<std::vector<int>, bool> vector_and_flag(int n) { return {ints(n), false}; }
inline int tuple_size_of(const std::tuple<std::string, int, double>& t) { return int(std::tuple_size<std::decay_t<decltype(t)>>::value) + std::get<1>(t); }
inline std::tuple<Counted, Counted> two_counted() { return {Counted(42), Counted(43)}; }
inline std::pair<int, std::string> a_pair(std::pair<int, std::string> p) { return p; }

// ---- classes that look like containers --------------------------------------------------------------------------------------------
struct Token { int value; };
struct Step {
  Token now;
  bool operator!=(const Step& o) { return o.now.value != now.value; }
  const Token& operator*() { return now; }
  Step& operator++() { ++now.value; return *this; }
};
struct Stream { Step begin() { return Step{{0}}; } Step end() { return Step{{4}}; } };
template <class T, int N> class Fixed {
  T data[N];
 public:
  T& operator[](int i) { return data[i]; }
  T* begin() { return data; }
  T* end() { return data + N; }
  int size() const { return N; }
};
using Fixed2 = Fixed<float, 2>;
class Ends {
  int data[3] = {4, 5, 6};
 public:
  const int* begin() const { return data; }
  const int* end() const { return data + 3; }
};
template <class I> class iterator_range {
  I b, e;
 public:
  iterator_range(I x, I y) : b(x), e(y) {}
  I begin() const { return b; }
  I end() const { return e; }
};
class iterator {
  const int* at;
 public:
  iterator(const int* p) : at(p) {}
  bool operator==(const iterator& o) const { return at == o.at; }
  const int& operator*() { return *at; }
  iterator& operator++() { ++at; return *this; }
};
class Members { std::array<int, 4> a{1, 2, 3, 4}; public: iterator_range<iterator> members() { return {&a[0], &a[0] + 4}; } };
class Grows { std::vector<int> v; public: void push_back(int i) { v.push_back(i); } std::size_t size() const { return v.size(); }
  std::vector<int>::iterator begin() { return v.begin(); } std::vector<int>::iterator end() { return v.end(); } };

// ---- errors -----------------------------------------------------------------------------------------------------------------------------
inline int errors_alive = 0;
class MyError : public std::exception {
  std::string text;
 public:
  explicit MyError(const std::string& s) : text(s) { ++errors_alive; }
  MyError(const MyError& o) : std::exception(o), text(o.text) { ++errors_alive; }
  ~MyError() override { --errors_alive; }
  const char* what() const noexcept override { return text.c_str(); }
};
class YourError : public MyError { public: explicit YourError(const std::string& s) : MyError(s) {} };
inline void throw_error(int which) { if (which) throw YourError("yours"); throw MyError("mine"); }
