// Containers whose iterators tell when they are used after their container has changed: see
// test_iteration_writes.py.
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>
static int dangled = 0;
inline int used_after_a_change() { return dangled; }
template <class T>
struct Checked {
  const T* whole;
  int at, version;
  int operator*() const { return check(), at; }
  Checked& operator++() { return check(), ++at, *this; }
  bool operator!=(const Checked& o) const { return check(), at != o.at; }
  void check() const { dangled += version != whole->version; }
};
class Bag {
 public:
  ~Bag() { version = -1; }
  Checked<Bag> begin() { return {this, 0, version}; }
  Checked<Bag> end() { return {this, count, version}; }
  void clear() { ++version; }
  int look() const { return count; }
  void call_then_clear(std::function<void()> f) { f(), clear(); }
  void call_c_then_clear(void (*f)()) { f(), clear(); }
  void clear_between(std::function<void()> f, std::function<void()> g) { f(), clear(), g(); }
  void clear_and_throw(std::function<void()> f) {
    f(), clear();
    throw std::out_of_range("thrown");
  }
  void keep(std::function<std::string()> f) { kept = f; }  // kept as long as C++ has it
  void drop_then_clear(std::function<void()> g) { kept = nullptr, clear(), g(); }
  void call(std::function<void()> f) { f(); }
  int call_const(std::function<void()> f) const { return f(), count; }
  friend struct Checked<Bag>;

 private:
  int count = 4, version = 0;
  std::function<std::string()> kept;
};
inline void call_then_clear(Bag& b, std::function<void()> f) { b.call_then_clear(f); }
inline void call_then_clear_all(const std::vector<Bag*>& all, std::function<void()> f) {
  f();
  for (Bag* b : all) b->clear();
}
inline void call_then_clear_void(void* b, std::function<void()> f) {
  static_cast<Bag*>(b)->call_then_clear(f);
}
inline void call_then_clear_reference(std::reference_wrapper<Bag> b, std::function<void()> f) {
  b.get().call_then_clear(f);
}
struct Refers {
  Bag* bag;
};
inline void call_then_clear_field(Refers r, std::function<void()> f) { r.bag->call_then_clear(f); }
struct Small {
  double scale;
};
inline int scaled(Bag& b, const Small&) { return b.clear(), 1; }
inline int scaled(const Bag&, const std::string&) { return 2; }
inline int scaled(const Bag&, int) { return 3; }
struct Owner {
  Bag bag;
  int version = 0;
  Checked<Owner> begin() { return {this, 0, version}; }
  Checked<Owner> end() { return {this, 3, version}; }
  ~Owner() {}
};
struct Item {
  int n;
  Item(int k) : n(k) {}
  ~Item() { n = -1; }
};
class Items {
  std::vector<Item> all;

 public:
  Items() {
    for (int i = 0; i < 4; ++i) all.emplace_back(i);
  }
  std::vector<Item>::iterator begin() { return all.begin(); }
  std::vector<Item>::iterator end() { return all.end(); }
  void touch() {}
};
// Gives a copy of each, which only the loop has.
struct Made {
  struct it {
    using iterator_category = std::input_iterator_tag;
    using value_type = Item;
    using difference_type = long;
    using pointer = Item*;
    using reference = Item&;
    std::shared_ptr<Item> now;
    int at;
    it(int n) : now(new Item(n)), at(n) {}
    Item& operator*() const { return *now; }
    it& operator++() { return *this = it(at + 1); }
    bool operator!=(const it& o) const { return at != o.at; }
  };
  it begin() { return {0}; }
  it end() { return {4}; }
  ~Made() {}
};
// What its iterator gives can be neither copied nor moved.
struct Pinned {
  int n;
  Pinned(int k) : n(k) {}
  Pinned(const Pinned&) = delete;
  operator int() const { return n; }
};
struct Pins {
  struct it {
    int at;
    Pinned operator*() const { return {at}; }
    it& operator++() { return ++at, *this; }
    bool operator!=(const it& o) const { return at != o.at; }
  };
  it begin() const { return {0}; }
  it end() const { return {3}; }
  ~Pins() {}
};
// A record.
struct Plain {
  int count = 4, version = 0;
  Checked<Plain> begin() { return {this, 0, version}; }
  Checked<Plain> end() { return {this, count, version}; }
  void clear() { ++version; }
  int look() const { return count; }
};
