// The classes of test_classes.py: made and ended before a tally's eyes, derived, converted, shared, alone.
#pragma once
#include <atomic>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

struct Tally {
  int plain = 0, by_value = 0, copies = 0, moves = 0, copy_assigned = 0, move_assigned = 0, ended = 0;
};
inline Tally tally;
inline Tally told() { return tally; }
inline void reset() { tally = {}; }

/// A counter of clicks.
class Clicker {
  int n = 5;

 public:
  /// Starts at five.
  Clicker() { ++tally.plain; }
  Clicker(int n) : n(n) { ++tally.by_value; }
  Clicker(const Clicker& o) : n(o.n) { ++tally.copies; }
  Clicker(Clicker&& o) noexcept : n(o.n) {
    o.n = 0;
    ++tally.moves;
  }
  Clicker& operator=(const Clicker& o) {
    n = o.n;
    ++tally.copy_assigned;
    return *this;
  }
  Clicker& operator=(Clicker&& o) noexcept {
    n = o.n;
    o.n = 0;
    ++tally.move_assigned;
    return *this;
  }
  ~Clicker() {
    ++tally.ended;
    n = -77;
  }
  /// How many clicks.
  int clicks() const { return n; }
  void set(int clicks) { n = clicks; }
  int sum(int a, int b, int c, int d, int e, int f, int g) const { return n + a + b + c + d + e + f + g; }
  static std::string kind(int) { return "int"; }
  static std::string kind(float) { return "float"; }
  Clicker& self() { return *this; }
  const Clicker* none() const { return nullptr; }
  static Clicker moved() { return Clicker(11); }
  static std::unique_ptr<Clicker> taken() { return std::make_unique<Clicker>(10); }
  static Clicker& shared() {
    static Clicker one(12);
    return one;
  }
  static Clicker copied() { return shared(); }
};
struct Pair {
  Clicker first;
  Clicker second;
  Clicker first_copy() const { return first; }
  Clicker& first_ref() { return first; }
};
struct Count {
  int value;
  Count(int v) : value(v) {}
  Count(std::initializer_list<int>) : value(-1) {}
};
struct Big {
  unsigned char data[1024];
  Big() {
    for (auto& b : data) b = 255;
  }
};
struct alignas(128) Aligned {
  char data[128];
  Aligned() {
    if (reinterpret_cast<std::uintptr_t>(this) % 128) throw std::runtime_error("not aligned");
    for (auto& c : data) c = 1;
  }
};

class Beast {
 public:
  virtual ~Beast() = default;
  virtual std::string name() const { return "Beast"; }
  virtual std::string sound() const = 0;
  virtual void rest() {}
};
class Cow : public Beast {
  std::string s;

 public:
  explicit Cow(const std::string& s) : s(s) {}
  std::string name() const override { return "Cow"; }
  std::string sound() const override { return s; }
};
class Owl : public Beast {
  std::string s;

 public:
  explicit Owl(const std::string& s) : s(s) {}
  std::string name() const override { return "Owl"; }
  std::string sound() const override { return s; }
};
class SnowOwl : public Owl {
 public:
  using Owl::Owl;
};
inline std::string says(const Beast* b) { return b->name() + " says " + b->sound(); }
inline Beast* same_beast(Beast* b) { return b; }
inline Cow* same_cow(Cow* c) { return c; }
inline void rest(Beast* b) { b->rest(); }
inline void call5(const std::function<void(int, int, std::string, bool, int)>& f) {
  f(1, 2, "hello", true, 4);
}

struct Empty {};
inline Empty* at(std::uintptr_t a) { return reinterpret_cast<Empty*>(a); }
inline std::uintptr_t address(const Empty* p = nullptr) { return reinterpret_cast<std::uintptr_t>(p); }

struct FromA {
  int a;
};
struct FromB {
  int b;
};
struct FromB2 : FromB {
  FromB2(int i) : FromB{i} {}
};
struct NotFrom {
  int c;
};
struct Sum {
  Sum(const FromA& x) : value(x.a + 10) {}
  Sum(const FromB* x) : value(x->b + 100) {}
  explicit Sum(NotFrom x) : value(x.c + 1000) {}
  Sum(int d) : value(d + 10000) {}
  ~Sum() { static_cast<volatile int&>(value) = -100; }
  int value;
};
inline int of_sum(const Sum& s) { return s.value; }
inline int of_optional(std::optional<Sum> s) { return s ? s->value : -1; }
inline int of_pointer(const Sum* s) { return s ? s->value : -1; }

struct Int {
  int i;
  Int operator+(Int o) const { return {i + o.i}; }
  Int operator-(float j) const { return {int(float(i) - j)}; }
  bool operator==(Int o) const { return i == o.i; }
  Int& operator+=(Int o) {
    i += o.i;
    return *this;
  }
  friend std::ostream& operator<<(std::ostream& os, const Int& x) { return os << x.i; }
};

class Shows {
  const Clicker& c;

 public:
  Shows(const Clicker& c) : c(c) {}
  int clicks() const { return c.clicks(); }
};
class Asks {
  std::function<int()> f;

 public:
  static inline int alive = 0;
  Asks(std::function<int()> f) : f(f) { ++alive; }
  ~Asks() { --alive; }
  void put(std::function<int()> g) { f = g; }
  int call() const { return f(); }
};

struct Outer {
  struct Inner {
    void f() const {}
  };
  struct Sibling {};
  void f() const {}
};
inline void free_function() {}

/// Static things.
struct Static { /** What all share. */
  static inline int value = 23;
  static int get() { return value; }
};
struct Static2 : Static {};
class Row {
  std::vector<int> v{1, 2, 3};

 public:
  auto begin() const { return v.begin(); }
  auto end() const { return v.end(); }
  std::size_t size() const { return 123; }
};
inline bool is_null(const Clicker* c) { return c == nullptr; }
inline int of_ref(const Clicker& c) { return c.clicks(); }
struct Last final {};
class LastHandle final {
  std::string s;
};

struct Base0 {};
struct Sub0 : Base0 {};
struct Poly {
  virtual ~Poly() = default;
};
struct PolySub : Poly {};
namespace {
struct PolyUnseen : Poly {};
}  // namespace
inline Base0* plain() {
  static Sub0 s;
  return &s;
}
inline std::unique_ptr<Poly> poly() { return std::make_unique<PolySub>(); }
inline std::unique_ptr<Poly> unseen() { return std::make_unique<PolyUnseen>(); }

struct Link {
  std::shared_ptr<Link> value;
  ~Link() { ++tally.ended; }
};

struct Plus : Clicker {
  Plus(const Clicker& c) : Clicker(c.clicks() + 1) {}
};
inline const Plus& plus_same(const Plus& p) { return p; }
inline Clicker plus_value(const Plus& p) { return Clicker(p.clicks() + 100); }

union Either {
  int i;
  float f;
};
struct Hidden {
  int value = 10;
  int get() const { return value; }
  void put(int v) { value = v; }
  int answer() const { return value * 10; }
};
struct Derived : Hidden {
  virtual int polymorphic() { return value; }
};

class Unique {
  int v, n = 0;
  explicit Unique(int v) : v(v) {}
  static std::map<int, std::weak_ptr<Unique>>& all() {
    static std::map<int, std::weak_ptr<Unique>> m;
    return m;
  }

 public:
  static std::shared_ptr<Unique> make(int v) {
    auto& e = all()[v];
    auto r = e.lock();
    if (!r) e = r = std::shared_ptr<Unique>(new Unique(v));
    ++r->n;
    return r;
  }
  static std::shared_ptr<Unique> make(const std::string& s) { return make(std::stoi(s)); }
  int value() const { return v; }
  int lookups() const { return n; }
};
struct StaticX {
  static constexpr int x = 42;
  static int y() { return 1; }
};
struct StaticX2 : StaticX {
  static constexpr int x = 43;
  static int y() { return 2; }
};
class Constexpr {
 public:
  int something;
  constexpr Constexpr(int i) : something(i) {}
  virtual ~Constexpr() = default;
  virtual int get() const { return 1; }
};
inline int call_get(const Constexpr* c) { return c->get(); }
class Single {
  Single() = default;
  Single(const Single&) = delete;
  Single& operator=(const Single&) = delete;

 public:
  static Single& instance() {
    static Single s;
    return s;
  }
  int get() const { return 42; }
};
class Never {
  int v = 0;
  ~Never() = default;
  Never() = default;

 public:
  static Never& make() {
    static Never* n = new Never;
    return *n;
  }
  int var() const { return v; }
  void set(int n) { v = n; }
};

class Pooled {
  int v;

 public:
  static inline std::atomic<int> made{0}, gone{0};
  static std::pair<int, int> stats() { return {made.load(), gone.load()}; }
  static void clear() { made = gone = 0; }
  explicit Pooled(int v = 0) : v(v) { ++made; }
  Pooled(const Pooled& o) : v(o.v) { ++made; }
  ~Pooled() { ++gone; }
  int get() const { return v; }
  Pooled operator+(int o) const { return Pooled(v + o); }
};
