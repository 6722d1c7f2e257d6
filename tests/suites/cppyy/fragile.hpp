// The C++ of test_fragile.py: declarations that lack a part, names that mislead, and what ends badly.
#include <cstdint>
#include <string>
#include <vector>

namespace fragile {
class no_such_class;
class A {
 public:
  virtual ~A() {}
  virtual int check() { return 'A'; }
  A* null() { return nullptr; }
};
class B {
 public:
  virtual ~B() {}
  int check() { return 'B'; }
  no_such_class* give() { return nullptr; }
};
class C {
 public:
  int check() { return 'C'; }
  int use(no_such_class* p) { return p ? 1 : 0; }
};
class D {
 public:
  int check() { return 'D'; }
  int check(int, int) { return 'd'; }
  int overload() { return 0; }
  int overload(no_such_class*) { return 1; }
  int overload(char, int = 0) { return 2; }
  int overload(double, double) { return 3; }
};
class E {
 public:
  int overload(no_such_class** p) { return p ? 1 : 0; }
  no_such_class** pp = nullptr;
};
struct G { enum { unnamed1 = 24, unnamed2 = 96 }; class GG {}; int g = 1; };
class H { public: class HH { public: HH* copy(); int n = 1; }; HH* m = nullptr; };
struct I { operator bool() const { return false; } };
inline I gI;
struct J { int method1(int a, double b) { return a + int(b); } };
inline int fglobal(int a, double, char) { return a; }
namespace nested1 {
struct A { int v = 1; };
namespace nested2 {
struct A { int v = 2; };
namespace nested3 { struct A { int v = 3; }; }
}
}
class K { public: virtual ~K() {} K* give(K* other) { return other ? other : this; } };
class L : public K {};
inline K* derived() { static L l; return &l; }
class M { public: virtual ~M() {} enum E1 { kOnce = 42 }; enum E2 { kTwice = 12 }; };
class N : public M { public: enum E2 { kTwice = 13 }; };
class O { public: virtual ~O() {} virtual int abstract() = 0; };
class Opaque;
typedef Opaque* Handle_t;
Handle_t create();
int destroy(Handle_t h);
#ifdef FRAGILE_HERE
class Opaque { public: int n = 5; };
#endif
inline int add42(int i) { return i + 42; }
}
inline fragile::Handle_t fragile::create() { return reinterpret_cast<Handle_t>(new int(5)); }
inline int fragile::destroy(Handle_t h) { int* p = reinterpret_cast<int*>(h); int n = *p; delete p; return n; }
struct constSomeClass { int v = 1; };
struct SomeClassconst { int v = 2; };
struct Some_const_Class { int v = 3; };
inline constSomeClass my1;
inline SomeClassconst my2;
inline Some_const_Class my3;
struct Variable {
  int which;
  Variable(double, double, bool, const std::string&) : which(1) {}
  Variable(int) : which(2) {}
};
#define HELLO "Hello, World!"
#define SOME_INT 42
enum MyEnum { PickleFoo, PickleBar };
namespace other { enum MyEnum { PickleFoo = 4, PickleBar }; }
inline int first_byte(const unsigned char* p, int n) { return n ? p[0] : -1; }
struct HasVector { std::vector<unsigned> v; };
struct Common { std::string name; };
struct Family1 { struct Parent : Common { struct Child : Common {}; std::vector<Child> children{2}; }; };
struct Family2 { struct Parent : Common { struct Child : Common {}; std::vector<Child> children{3}; }; };
enum class ClassEnum { A, B };
template <ClassEnum T> struct OfEnum { int foo(); };
template <> inline int OfEnum<ClassEnum::A>::foo() { return 42; }
template <> inline int OfEnum<ClassEnum::B>::foo() { return 37; }
using OfA = OfEnum<ClassEnum::A>;
class vector { public: int own = 3; };
using uint = unsigned int;
using byte = unsigned char;
inline uint twice(uint u) { return 2 * u; }
inline std::int8_t neg(std::int8_t i) { return -i; }
inline byte next(byte b) { return b + 1; }
enum ELogLevel { kLogEmerg = 0, kLogDebug = 7 };
