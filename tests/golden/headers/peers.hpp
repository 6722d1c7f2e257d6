// Constructs that other binding generators lose or get wrong (facts/peers.md): each is bound, with its real layout.
struct alignas(16) float4 {
  float x, y, z, w;
};
struct CharVector {
  char c;
  float4 v;
};
struct Bits35 {
  unsigned a : 3;
  unsigned b : 5;
};
struct __attribute__((packed)) PackedCharInt {
  char c;
  int i;
};
struct AlignedArray {
  alignas(32) float v[4];
};
struct B {
  int a;
};
struct D : B {
  int b;
};
struct HasUnion {
  union {
    int i;
    double d;
  };
};
enum Small : short { s = -1 };
enum class Wide : long long { w = 1ll << 40 };
enum Plain { minus = -1 };
struct Mixed {
  _Float16 h;
  bool b;
  Small e;
  Wide w;
  int i;
};
struct Outer {
  struct Inner {
    int x;
  } inner;
};
namespace ns {
inline int in_ns(int x) { return x; }
struct Inside {
  int x;
};
inline Inside make(int x) { return Inside{x}; }
}  // namespace ns
struct V {
  float x;
  V(float a) : x(a) {}
};
inline float rvalue(V&& v) { return v.x; }
void unnamed(int&, float x);
inline void unnamed(int& v, float x) { v = int(x); }
inline int no_names(int, float) { return 1; }
inline float matrix(float out[3][4]) { return out[1][2]; }
inline void collide(int x, float& out) { out = x; }
inline void collide(int x, double& out) { out = x; }
inline int a_default() { return 3; }
inline int defaulted(int a, int b = 2, int c = a_default()) { return a + b + c; }
constexpr int kA = 7;
struct K {
  int from;
  K(int x) { from = x; }
};
inline int volatile_things(volatile int* p, volatile int& r) { return *p + r; }
inline int keyword(int from, int lambda) { return from + lambda; }
