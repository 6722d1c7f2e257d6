// What C++ iterates, and what looks as if: see test_iteration.py.
#include <iterator>
#include <stdexcept>
struct Count {
  int lo = 0, hi = 3;
  struct it {
    int p;
    int operator*() const { return p; }
    it& operator++() {
      ++p;
      return *this;
    }
    bool operator!=(const it& o) const { return p != o.p; }
  };
  it begin() const { return {lo}; }
  it end() const { return {hi}; }
};
struct Inherits : Count {
  int more = 7;
};
struct Handled : Count {
  ~Handled() {}
};
class Hidden {
  int a[3] = {1, 2, 3};

 public:
  const int* begin() const { return a; }
  const int* end() const { return a + 3; }
  unsigned size() const { return 3; }
};
struct Sentinel {
  struct stop {
    int at;
  };
  struct it {
    int p;
    int operator*() const { return p * p; }
    void operator++() { ++p; }
  };
  friend bool operator!=(const it& a, stop b) { return a.p < b.at; }
  it begin() { return {1}; }
  stop end() { return {5}; }
};
struct Truthy {
  explicit operator bool() const { return v; }
  bool v;
};
struct Loose {
  struct it {
    int p;
    int operator*() { return p; }
    it operator++() { return {++p}; }
    Truthy operator!=(const it& o) const { return {p != o.p}; }
  };
  const it begin() const { return {7}; }
  const it end() const { return {9}; }
};
struct Proxy {
  struct reference {
    int v;
    operator long() const { return v + 100; }
  };
  struct it {
    using value_type = long;
    int p;
    reference operator*() const { return {p}; }
    it& operator++() {
      ++p;
      return *this;
    }
    bool operator!=(const it& o) const { return p != o.p; }
  };
  it begin() const { return {0}; }
  it end() const { return {2}; }
};
namespace ns {
struct Free {
  double a[2] = {1.5, 2.5};
};
inline const double* begin(const Free& f) { return f.a; }
inline const double* end(const Free& f) { return f.a + 2; }
inline double* begin(Free& f) { return f.a; }
inline double* end(Free& f) { return f.a + 2; }
}  // namespace ns
struct Element {
  int v;
  explicit Element(int x = 0) : v(x) {}
  ~Element() { v = -1; }
  int twice() const { return 2 * v; }
};
struct Plain {
  int v;
};
template <class E>
struct Both {
  E* all = new E[2];
  int used = 0, room = 2;
  Both() {}
  Both(const Both&) = delete;
  ~Both() {
    ++gone();
    delete[] all;
  }
  E* begin() { return all; }
  E* end() { return all + used; }
  const E* begin() const { return all; }
  const E* end() const { return all + used; }
  void add(int n) {
    if (used == room) {
      E* more = new E[room *= 2];
      for (int i = 0; i < used; ++i) more[i].v = all[i].v;
      delete[] all;
      all = more;
    }
    all[used++].v = n;
  }
  int first() const { return all[0].v; }
  void touch() {}
  unsigned size() const { return used; }
  static int& gone() {
    static int n = 0;
    return n;
  }
  static int ended() { return gone(); }
};
struct Elements : Both<Element> {};
struct Plains : Both<Plain> {};
struct Shelf {
  Plains plains;
  Elements elements;
  const Plains& seen() const { return plains; }
  const Elements& looked() const { return elements; }
};
class Chain {
  struct node {
    int v;
    node* next;
  };
  node* head = new node{1, new node{2, new node{3, nullptr}}};

 public:
  struct it {
    node* n;
    int operator*() const { return n->v; }
    it& operator++() {
      n = n->next;
      return *this;
    }
    bool operator!=(const it& o) const { return n != o.n; }
  };
  Chain() {}
  Chain(const Chain&) = delete;
  ~Chain() { drop(); }
  it begin() const { return {head}; }
  it end() const { return {nullptr}; }
  void drop() {
    while (node* old = head) {
      head = old->next;
      delete old;
    }
  }
  int count() const {
    int n = 0;
    for (int x : *this) n += x > 0;
    return n;
  }
};
inline void clear(Chain& c) { c.drop(); }
inline void clear_by_address(Chain* c) { c->drop(); }
inline int look(const Chain& c) { return c.count(); }
struct Owner {
  Chain chain;
};
struct Stash {  // each element in the same place, inside of the iterator
  struct it {
    using iterator_category = std::bidirectional_iterator_tag;
    using value_type = Element;
    using difference_type = int;
    using pointer = Element*;
    using reference = Element&;
    mutable Element e;
    Element& operator*() const { return e; }
    it& operator++() {
      e = Element(e.v + 1);
      return *this;
    }
    bool operator!=(const it& o) const { return e.v != o.e.v; }
  };
  it begin() const { return {Element(1)}; }
  it end() const { return {Element(4)}; }
};
struct Once {  // ... elsewhere, and the iterator says that it passes once
  struct it {
    using iterator_category = std::input_iterator_tag;
    using value_type = Element;
    using difference_type = int;
    using pointer = Element*;
    using reference = Element&;
    Element* e;
    Element& operator*() const { return *e; }
    it& operator++() {
      *e = Element(e->v + 1);
      return *this;
    }
    bool operator!=(const it& o) const { return e->v != 4; }
  };
  Element e{1};
  it begin() {
    e = Element(1);
    return {&e};
  }
  it end() { return {nullptr}; }
};
struct Untold {  // ... and it does not
  struct it {
    Element* e;
    Element& operator*() const { return *e; }
    it& operator++() {
      *e = Element(e->v + 1);
      return *this;
    }
    bool operator!=(const it& o) const { return e->v != 4; }
  };
  Element e{1};
  it begin() {
    e = Element(1);
    return {&e};
  }
  it end() { return {nullptr}; }
};
template <int Where>
struct Throws {
  struct it {
    int p;
    int operator*() const {
      if (Where == 0 && p == 1) throw std::out_of_range("*");
      return p;
    }
    it& operator++() {
      if (Where == 1 && p == 1) throw std::invalid_argument("++");
      ++p;
      return *this;
    }
    bool operator!=(const it& o) const {
      if (Where == 2 && p == 1) throw std::runtime_error("!=");
      return p != o.p;
    }
  };
  it begin() const {
    if (Where == 3) throw std::overflow_error("begin");
    return {0};
  }
  it end() const { return {3}; }
};
using ThrowsAt = Throws<0>;
using ThrowsOn = Throws<1>;
using ThrowsCompare = Throws<2>;
using ThrowsBegin = Throws<3>;
struct Called {
  int (*f)(int);
  int n;
  struct it {
    const Called* c;
    int p;
    int operator*() const { return c->f(p); }
    it& operator++() {
      ++p;
      return *this;
    }
    bool operator!=(const it& o) const { return p != o.p; }
  };
  it begin() const { return {this, 0}; }
  it end() const { return {this, n}; }
};
struct Row {
  int a, b;
  int operator[](int i) const { return i ? b : a; }
};
class RowHandle {
  std::string s;

 public:
  int operator[](int i) const { return i; }
  int size() const { return 3; }
};
struct Fields {
  int a, b;
  int begin;
};
struct Private {
  int v;

 private:
  int* begin() { return &v; }
  int* end() { return &v + 1; }
};
struct PrivateOver : Count {
 private:
  it begin() const { return {lo}; }
};
struct Half {
  int v;
  int* begin() { return &v; }
};
struct Uneven {
  int v;
  int* begin() { return &v; }
  double* end() { return nullptr; }
};
struct Opaque {
  int v;
  struct it {
    int p;
    int Opaque::* operator*() const { return &Opaque::v; }
    it& operator++() {
      ++p;
      return *this;
    }
    bool operator!=(const it& o) const { return p != o.p; }
  };
  it begin() const { return {0}; }
  it end() const { return {2}; }
};
#define RANGE                                  \
  const int* begin() const { return nullptr; } \
  const int* end() const { return nullptr; }   \
  int v;
enum Color { red };
struct SizeBool {
  RANGE bool size() const { return true; }
};
struct SizeDouble {
  RANGE double size() const { return 1; }
};
struct SizeEnum {
  RANGE Color size() const { return red; }
};
struct SizeMutable {
  RANGE int size() { return 1; }
};
struct SizeDefault {
  RANGE int size(int n = 4) const { return n; }
};
struct SizePrivate {
 RANGE private : int size() const { return 1; }
};
struct SizeBoth {
  RANGE int size() { return 1; }
  long size() const noexcept { return v; }
};
struct SizeNegative {
  RANGE int size() const { return -1; }
};
struct SizeHuge {
  RANGE unsigned long size() const { return ~0ul; }
};
struct SizeOnly {
  int v;
  int size() const { return 0; }
};
