// Records: sizes, offsets, nesting, arrays, bit-fields, bases, alignment, members that Python does not see.
#include <complex>
#include <cstdint>
struct Point {
  float x, y;
};
/// A path.
struct Path {
  Point points[4];
  double matrix[2][3];
  char name[16];
  const Point* origin;
  Path* next;
  const char* label;
};
struct Bits {
  unsigned low : 3;
  signed middle : 5;
  unsigned : 2;
  bool flag : 1;
  int : 0;
  std::uint64_t wide : 40;
  std::uint8_t byte : 4;
};
struct __attribute__((packed)) Packed {
  char c;
  int i;
  double d;
};
struct __attribute__((packed)) PackedBits {
  unsigned a : 5;
  unsigned b : 30;
  char c;
};
struct alignas(32) Aligned {
  float v[4];
};
struct AlignedMember {
  char c;
  alignas(16) int i;
  char d;
};
struct Base {
  int a;
  char b;
};
struct Derived : Base {
  char c;
};
struct Second {
  double d;
  int low : 4;
};
struct Both : Base, Second {
  int e;
};
struct Empty {};
struct FromEmpty : Empty {
  int x;
};
struct Shadow : Base {
  int a;
};
struct PrivateBase : private Base {
  int own;
};
struct Anonymous {
  int first;
  struct {
    int inner;
    struct {
      short deep;
    };
  };
  union {
    int i;
    float f;
  };
  int last;
};
struct Unnamed {
  struct {
    int q;
    struct {
      char r;
    } deep;
  } one;
  struct {
    float z;
  } many[2][3];
  enum { OFF, ON } state;
};
class Private {
 public:
  int seen;
  Private() = default;
  explicit Private(int x);
  int get() const { return unseen; }

 private:
  int unseen;
};
struct WithUnion {
  int tag;
  union Value {
    int i;
    float f;
  } value;
};
struct Foreign {
  int before;
  long double wide;
  void (*callback)(int);
  int Foreign::* member;
  int after;
};
struct Qualified {
  const int fixed;
  volatile int changing;
  int& reference;
};
struct Numbers {
  bool b;
  std::complex<float> c;
  std::complex<double> z;
  float _Complex k;
};
namespace outer {
struct Node {
  struct Inner {
    int x;
  };
  enum class Kind : short { leaf, branch };
  Inner inner;
  Kind kind;
  Node* children[2];
};
}  // namespace outer
struct Recursive {
  Recursive* next;
  struct Incomplete* opaque;
};
struct Copies {
  int x;
  Copies(const Copies&);
};
struct Owner {
  int* p;
  ~Owner();
};
struct Moves {
  int x;
  Moves(Moves&&) = default;
  Moves& operator=(Moves&&) = default;
};
struct Virtual {
  virtual int f();
  int x;
};
struct VirtualBase : virtual Base {
  int x;
};
struct HasOwner {
  Owner owner;
};
union Either {
  int i;
  float f;
};
struct Forward;
typedef struct {
  int quot, rem;
} pair_t;
typedef struct Tagged {
  int x;
} Tagged;
typedef struct tag_ {
  int x;
} other_t;
Point by_value(Path p, Bits b, Both c);
void by_pointer(Forward* f, Owner* o, Either* e, outer::Node* n);
int not_by_value(Owner o);
int union_by_value(Either e);
int incomplete_by_value(Forward f);
int reference_to_owner(const Owner& o);
int empty_by_value(Empty e);
pair_t named_by_typedef(pair_t p, Tagged t, other_t o);
outer::Node::Inner nested(outer::Node::Kind k);
struct Left {
  int same;
  int left;
};
struct Right {
  int same;
  int right;
};
struct Ambiguous : Left, Right {
  int own;
};
struct HiddenByMethod : Left {
  int left();
};
struct __attribute__((packed)) Disputed {
  char c;
  Derived d;
};
