/* Functions that read what is behind their dots by a text of types, with va_arg, and note the bytes: the compiler's own
   word on where further arguments lie. */
#include <complex.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

struct one_int { int a; };
struct pair { int a; float b; };
struct reals { double x, y; };
struct floats { float x, y, z; };
struct mixed { double x; long n; };
struct big { long a, b, c; };
struct __attribute__((packed)) loose { char c; double x; };
struct bits { unsigned a : 3; unsigned b : 13; long c : 40; };
union number { double x; long n; };
struct array { float v[4]; };
struct aligned { _Alignas(16) long a; long b; };
struct padded { _Alignas(16) double a; };
struct padded_int { _Alignas(16) int a; };

static inline long samebytes_note(char *out, const char *kinds, va_list *list) {
  char *start = out;
#define READ(sign, ...) case sign: { __VA_ARGS__ v = va_arg(*list, __VA_ARGS__); memcpy(out, &v, sizeof v); out += sizeof v; break; }
  for (; *kinds; ++kinds) switch (*kinds) {
    READ('i', int)
    READ('u', unsigned)
    READ('l', long)
    READ('U', unsigned long)
    READ('d', double)
    READ('p', void *)
    READ('z', double complex)
    READ('f', float complex)
    READ('1', struct one_int)
    READ('2', struct pair)
    READ('3', struct reals)
    READ('4', struct floats)
    READ('5', struct mixed)
    READ('6', struct big)
    READ('7', struct loose)
    READ('8', struct bits)
    READ('9', union number)
    READ('a', struct array)
    READ('b', struct aligned)
    case 'D': { long double v = va_arg(*list, long double); memset(out, 0, 16); memcpy(out, &v, 10); out += 16; break; }
  }
  return out - start;
}

#define BODY(last) { va_list list; va_start(list, last); long n = samebytes_note(out, kinds, &list); va_end(list); return n; }

static inline long plain(char *out, const char *kinds, ...) BODY(kinds)
static inline long after_padded(struct padded a, struct padded_int b, char *out, const char *kinds, ...) BODY(kinds)
static inline long after_five(int a, int b, int c, char *out, const char *kinds, ...) BODY(kinds)
static inline long after_eight(long a, long b, long c, long d, long e, long f, char *out, const char *kinds, ...) BODY(kinds)
static inline long after_nine(long a, long b, long c, long d, long e, long f, long g, char *out, const char *kinds, ...) BODY(kinds)
static inline long after_reals(double a, float b, char *out, double c, const char *kinds, ...) BODY(kinds)
static inline long after_ten_reals(double a, double b, double c, double d, double e, double f, double g, double h, double i, double j, char *out, const char *kinds, ...) BODY(kinds)
static inline long after_record(struct mixed r, struct big s, struct loose l, char *out, const char *kinds, ...) BODY(kinds)
static inline struct big gives_record(char *out, const char *kinds, ...) {
  va_list list;
  va_start(list, kinds);
  struct big r = {samebytes_note(out, kinds, &list), -1, -2};
  va_end(list);
  return r;
}
static inline struct reals gives_reals(char *out, const char *kinds, ...) {
  va_list list;
  va_start(list, kinds);
  struct reals r = {samebytes_note(out, kinds, &list), -1};
  va_end(list);
  return r;
}
