// The C++ of test_crossinheritance.py: classes with virtual functions, from which Python derives.
#include <functional>
#include <memory>
#include <string>
#include <vector>

struct Base {
  int m;
  Base(int i = 42) : m(i) {}
  virtual ~Base() {}
  virtual int value() { return m; }
  virtual int sum(int v) { return m + v; }
  virtual int sum_all(int a) { return m + a; }
  virtual int sum_all(int a, int b) { return m + a + b; }
  virtual void take(const Base&, unsigned char&) {}
  static int call_value(Base& b) { return b.value(); }
  static int call_sum(Base* b, int v) { return b->sum(v); }
};
struct Abstract {
  int m;
  Abstract(int i = 1) : m(i) {}
  virtual ~Abstract() {}
  virtual int value() const = 0;
};
struct Concrete : Abstract {
  Concrete(int i = 2) : Abstract(i) {}
  int value() const override { return 27; }
  unsigned int plain() const { return 5; }
};
inline int call_abstract(const Abstract& a) { return a.value(); }
template <class T> struct Tmpl { virtual ~Tmpl() {} virtual T value() { return T(42); } };
using TmplInt = Tmpl<int>;
inline int call_value(TmplInt& t) { return t.value(); }
struct TmplDerived : Tmpl<int> { int value() override { return 27; } };
struct Countable {
  static inline int n = 0;
  Countable() { ++n; }
  Countable(const Countable&) { ++n; }
  virtual ~Countable() { --n; }
  virtual int call() const { return 42; }
};
inline std::shared_ptr<Countable> shared(std::shared_ptr<Countable> c) { return c; }
inline int call_all(const std::vector<Countable>& v) { int s = 0; for (auto& c : v) s += c.call(); return s; }
struct NoVirtualDestructor { int a = 3; int get() const { return a; } };
class Protects {
 protected:
  int data = 101;
  virtual int hidden(int i) { return i; }
  virtual int hidden(int i, int j) { return i + j; }
  virtual int data_virtual() { return data; }
  int call3(int i) { return i; }
 public:
  Protects() = default;
  virtual ~Protects() {}
  int get() const { return data; }
  int get_virtual() { return data_virtual(); }
  int ask() { return hidden(1, 2); }
 private:
  int call3(int i, int j) { return i + j; }
};
struct Makes {
  virtual ~Makes() {}
  virtual std::unique_ptr<Makes> make() const { return std::make_unique<Makes>(); }
  virtual std::string who() const { return "Makes"; }
};
struct MakesMore : Makes {
  std::unique_ptr<Makes> make() const override { return std::make_unique<MakesMore>(); }
  std::string who() const override { return "MakesMore"; }
};
inline std::unique_ptr<Makes> call_make(const Makes& m) { return m.make(); }
class HiddenCopy {
  HiddenCopy(const HiddenCopy&) {}
 public:
  HiddenCopy() {}
  virtual ~HiddenCopy() {}
  virtual std::string who() { return "HiddenCopy"; }
};
class ProtectedCopy {
 protected:
  ProtectedCopy(const ProtectedCopy&) {}
 public:
  ProtectedCopy() {}
  virtual ~ProtectedCopy() {}
  virtual std::string who() { return "ProtectedCopy"; }
};
inline std::string call_who(HiddenCopy& h) { return h.who(); }
struct X1 { int m1; X1(int i = 13) : m1(i) {} virtual ~X1() {} virtual int x() { return m1; } };
struct X2 { int m2; X2(int i = 67) : m2(i) {} virtual ~X2() {} virtual int y() { return m2; } };
struct Both : X1, X2 { Both(int a, int b) : X1(a), X2(b) {} int y() override { return 9; } };
inline int call_x(X1& a) { return a.x(); }
inline int call_y(X2* a) { return a->y(); }
struct Valued { std::string text; Valued(std::string s) : text(s) {} };
struct GivesConst { virtual ~GivesConst() {} virtual const Valued give() { return Valued("abc"); } };
inline const Valued call_give(GivesConst* g) { return g->give(); }
struct Moves {
  Moves() = default;
  Moves(const Moves&) = delete;
  Moves(Moves&&) = default;
  virtual ~Moves() {}
  int n() const { return 4; }
};
struct NoDefault { NoDefault(int) {} virtual ~NoDefault() {} };
struct Deleted { Deleted() = delete; virtual ~Deleted() {} };
class PrivateDefault { PrivateDefault() = default; public: virtual ~PrivateDefault() {} };
class ProtectedDefault { protected: ProtectedDefault() {} public: virtual ~ProtectedDefault() {} int two() { return 2; } };
class ProtectsMore {
 protected:
  int x = 0;
  std::string s = "Hello";
  int y = 0;
  std::string t = "World";
  int z = 0;
 public:
  ProtectsMore(int a, int b, int c) : x(a), y(b), z(c) {}
  virtual ~ProtectsMore() {}
  int sum() const { return x + y + z; }
};
struct Calc1 { virtual int calc1() = 0; virtual ~Calc1() = default; };
struct Calc2 { virtual int calc2() = 0; virtual ~Calc2() = default; };
struct VBase : virtual Calc1, virtual Calc2 {};
struct VDerived : VBase { int calc1() override { return 1; } int calc2() override { return 2; } };
inline int call_take(Base& b) { unsigned char c = 7; b.take(b, c); return c; }
struct Words { virtual ~Words() {} virtual unsigned long long int big() { return 1; } };
inline unsigned long long int call_big(Words& w) { return w.big(); }
struct Calc { virtual ~Calc() = default; virtual int first() = 0; virtual int second() = 0; };
inline int callback1(Calc1* c) { return c->calc1(); }
inline int callback2(Calc2* c) { return c->calc2(); }
struct Deep { std::string name; Deep(const std::string& s) : name(s) {} virtual ~Deep() {} virtual int fun1() const { return 0; } int fun2() const { return fun1(); } };
struct Data { int value; };
struct ByValue { virtual ~ByValue() {} int func(Data d) { return d.value + extra(d); } virtual int extra(Data d) { return 2 * d.value; } };
struct A { virtual ~A() {} virtual int func() { return 1; } };
struct B : A { int func() override { return 2; } };
inline int invoked(B& b) { return std::invoke(&A::func, b); }
inline A* make_it() { return new B; }
inline void delete_it(A* a) { delete a; }
inline A* from_pool() { return new B; }
inline void pooled(A* a) { delete a; }
inline int invoked_a(A& a) { return a.func(); }
struct Tree { virtual ~Tree() {} virtual std::string f1() { return "f1"; } virtual std::string f2() { return "f2"; } };
struct Inner : Tree { using Tree::f2; };
struct Leaf : Inner { std::string f1() override { return "leaf1"; } };
inline std::string call_fs(Tree* t) { return t->f1() + t->f2(); }
class Component { public: virtual ~Component() { --count; } Component() { ++count; } static inline int count = 0; };
class ComponentWithValue : public Component { int v; public: ComponentWithValue(int i) : v(i) {} int get() const { return v; } };
inline std::unique_ptr<Component> build_component(int v) { return std::make_unique<ComponentWithValue>(v); }
inline Component* cycle_component(Component* c) { return c; }
inline Component& cycle_ref(Component& c) { return c; }
inline Calc2* cycle_virtual(Calc2* c) { return c; }
inline X2* cycle_second(X2* x) { return x; }
