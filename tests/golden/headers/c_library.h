/* A C header, parsed as C. language: c; */
#include <stdbool.h>
#include <stddef.h>
#include <complex.h>
struct tm_like {
  int sec;
  long gmtoff;
  const char *zone;
};
typedef struct {
  int quot, rem;
} result_t;
struct outer {
  struct inner {
    int x;
  } in;
  struct {
    short s;
  } unnamed[2];
  enum state { OFF, ON } state;
  unsigned flags : 4;
  _Bool bit : 1;
  char tail[];
};
union value {
  int i;
  float f;
};
typedef enum { LOW = -1, HIGH = 1 } level_t;
enum { LIMIT = 10 };
static const int kConst = 3;
extern int counter;
double frexp_like(double __x, int *__exponent);
struct tm_like *convert(const long *restrict when, struct tm_like *restrict out);
result_t divide(int a, int b);
int flag(bool b, size_t n, level_t l, enum state s);
double complex rotate(float complex z);
int no_prototype();
int print(const char *format, ...);
int by_union(union value v);
static inline int helper(int x) { return x; }
float matrix(int n, float m[3][4], float v[static 3]);
int class(int new, int template);
