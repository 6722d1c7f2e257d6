// Objects that refer to what their makers were given: see test_kept_arguments.py.
#include <array>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>
class Obj {
  int n;
  static std::set<const void*>& all() {
    static std::set<const void*> set;
    return set;
  }

 public:
  Obj(int k) : n(k) { all().insert(this); }
  Obj(const Obj& o) : n(o.n) { all().insert(this); }
  ~Obj() { all().erase(this); }
  int get() const { return all().count(this) ? n : -1; }
};
class Seen {  // a record
  const Obj* o;

 public:
  Seen(const Obj& x) : o(&x) {}
  int get() const { return o->get(); }
};
class Kept {  // a handle
  const Obj& o;

 public:
  Kept(const Obj& x) : o(x) {}
  Kept(const Kept&) = default;
  ~Kept() {}
  int get() const { return o.get(); }
};
struct Shown {
  std::string_view v;
  Shown(std::string_view s) : v(s) {}
  std::string get() const { return std::string(v); }
};
#define FORMS(T, A, name)                                                                       \
  inline T name##_plain(A a) { return T(a); }                                                   \
  inline std::vector<T> name##_vector(A a) { return {T(a), T(a)}; }                             \
  inline std::optional<T> name##_optional(A a) { return T(a); }                                 \
  inline std::pair<T, int> name##_pair(A a) { return {T(a), 1}; }                               \
  inline std::tuple<int, T> name##_tuple(A a) { return {1, T(a)}; }                             \
  inline std::map<int, T> name##_map(A a) { return {{1, T(a)}}; }                               \
  inline std::variant<int, T> name##_variant(A a) { return T(a); }                              \
  inline std::array<T, 1> name##_array(A a) { return {T(a)}; }                                  \
  inline std::vector<std::vector<T>> name##_nested(A a) { return {{T(a)}}; }                    \
  inline std::vector<std::pair<int, std::optional<T>>> name##_deep(A a) { return {{1, T(a)}}; } \
  inline std::unique_ptr<T> name##_unique(A a) { return std::make_unique<T>(a); }               \
  inline std::shared_ptr<T> name##_shared(A a) { return std::make_shared<T>(a); }
FORMS(Seen, const Obj&, seen)
FORMS(Kept, const Obj&, kept)
FORMS(Shown, std::string_view, shown)
FORMS(Seen, Seen, copied)
class Node {
  Node* up;
  Obj o;

 public:
  Node(int k) : up(nullptr), o(k) {}
  Node(Node& parent, int k) : up(&parent), o(k) {}
  Node(int k, Node* parent) : up(parent), o(k) {}
  Node(const Node& from) : up(from.up), o(from.o) {}
  ~Node() {}
  int get() const { return o.get(); }
  int above() const { return up ? up->get() : 0; }
  int depth() const { return up ? 1 + up->depth() : 0; }
  Node child(int k) { return Node(*this, k); }
};
inline Node under(Node& parent, int k) { return Node(parent, k); }
class Number {  // refers to nothing of its own kind
  std::vector<int> digits;
  Obj o;

 public:
  Number(int k) : digits(1, k), o(k) {}
  ~Number() {}
  int get() const { return o.get() == digits[0] ? digits[0] : -1; }
};
inline Number operator+(const Number& a, const Number& b) { return Number(a.get() + b.get()); }
struct TextRef {
  const std::string& v;
  TextRef(const std::string& s) : v(s) {}
  ~TextRef() {}
  std::string get() const { return v; }
};
class TextPointer {
  const std::string* v;

 public:
  TextPointer(const std::string& s, int = 0) : v(&s) {}
  std::string get() const { return *v; }
};
struct TextDerived : TextRef {
  TextDerived(const std::string& s) : TextRef(s) {}
};
class ListRef {
  struct Inner {
    const std::vector<std::string>& all;
  } in;

 public:
  ListRef(const std::vector<std::string>& s) : in{s} {}
  ~ListRef() {}
  std::string get() const { return in.all.at(0); }
};
inline TextRef text_ref(const std::string& s) { return TextRef(s); }
inline TextPointer text_pointer(const std::string& s) { return TextPointer(s); }
struct Texts {
  TextPointer operator[](const std::string& s) const { return TextPointer(s); }
  static TextDerived derived(const std::string& s, int = 0) { return TextDerived(s); }
};
using Numbers = std::vector<int>;
struct Row {
  const int* p;
  int n;
};
inline Row row_of(const Numbers& v) { return {v.data(), 1}; }
inline std::pair<int, const int*> pair_of(const Numbers& v) { return {1, v.data()}; }
inline std::optional<const int*> optional_of(const Numbers& v) { return v.data(); }
inline std::vector<const int*> vector_of(const Numbers& v) { return {v.data()}; }
inline std::vector<Row> rows_of(const Numbers& v) { return {{v.data(), 1}}; }
class Throws {
  const std::string& v;

 public:
  Throws(const std::string& s) : v(s) { throw s; }
  ~Throws() {}
};
