// Objects that come to refer to others after they were made: see test_keepers.py.
#include <cstdint>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>
#if defined(__clang__)
#define MY_LIFETIME_BOUND [[clang::lifetimebound]]
#else
#define MY_LIFETIME_BOUND
#endif
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
  static int alive() { return static_cast<int>(all().size()); }
};
class List {
  std::vector<const Obj*> all;
  const std::string* text = nullptr;
  const double* numbers = nullptr;
  List* next = nullptr;

 public:
  List() {}
  List(const List& o) : all(o.all), text(o.text), numbers(o.numbers), next(o.next) {}
  ~List() {}
  void add(const Obj* o) { all.push_back(o); }
  List& also(const Obj& o) {
    add(&o);
    return *this;
  }
  void each(const std::vector<const Obj*>& some) { all = some; }
  void fails(const Obj& o) {
    add(&o);
    throw std::runtime_error("after it");
  }
  void captures(const Obj& o [[clang::lifetime_capture_by(this)]]) { add(&o); }
  void name(const std::string& s) { text = &s; }
  void data(const double* d) { numbers = d; }
  void follow(List* l) { next = l; }
  int sum() const {
    int s = 0;
    for (const Obj* o : all) s += o->get();
    return s;
  }
  std::string called() const { return *text; }
  double first() const { return *numbers; }
};
inline void attach(List& list, const Obj& o) { list.add(&o); }
inline void adopt(const Obj& o [[clang::lifetime_capture_by(list)]], List& list) { list.add(&o); }
inline List& common() {
  static List list;
  return list;
}
struct Bank {
  List list;
  List& inner() { return list; }
};
struct Slip {
  const Obj* o = nullptr;
  void set(const Obj* x) { o = x; }
  int get() const { return o->get(); }
};
struct Id {
  std::uintptr_t at;
};
inline Id id_of(const Obj& o [[clang::lifetimebound]]) { return {reinterpret_cast<std::uintptr_t>(&o)}; }
inline Id id_said(const Obj& o) { return id_of(o); }
inline int read(Id id) { return reinterpret_cast<const Obj*>(id.at)->get(); }
struct Maker {
  Obj o;
  Maker(int n) : o(n) {}
  Id id() const [[clang::lifetimebound]] { return id_of(o); }
  Id other() const MY_LIFETIME_BOUND { return id_of(o); }
};
class Window {
  const Window* up = nullptr;
  Obj o;

 public:
  Window(int n) : o(n) {}
  Window(const Window& parent MY_LIFETIME_BOUND) : up(&parent), o(1) {}
  ~Window() {}
  int get() const { return up ? up->get() : o.get(); }
};
class Heap {  // one that C++ may take over lies in memory of its own
  const Obj& o;
  int n = 5;

 public:
  Heap(const Obj& x) : o(x) {}
  ~Heap() { n = -1; }
  int* at() { return &n; }
};
inline int end(std::unique_ptr<Heap>) { return 0; }
struct Hook {
  const Obj* o = nullptr;
  virtual ~Hook() {}
  virtual void add(const Obj* x) { o = x; }
  int get() const { return o->get(); }
};
inline int plain(int a [[clang::lifetimebound]]) { return a; }
template <class T> struct Cell {
  const T* at = nullptr;
  void hold(const T& x) { at = &x; }
  int get() const { return at->get(); }
};
