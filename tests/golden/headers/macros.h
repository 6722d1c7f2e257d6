/* Macros of a C header. language: c; */
#ifndef MACROS_H
#define MACROS_H
#include <stddef.h>
#define NUMBER 5
#define LETTER 'x'
#define TEXT "text"
#define TICKS ((clock_type)1000000)
#define RATIO 0.1f
#define LARGE 18446744073709551615u
#define FAILED ((void *)-1)
#define HANDLER ((void (*)(int))0)
#define INITIALISER {{0}}
#define PLACE (*place())
#define OLD_NAME new_name
#define COMPLEX_ONE (1.0f + 0.0fi)
#define inline_ static inline
#define FIRST FIRST
typedef long clock_type;
enum { FIRST = 1 };
enum level {
  LAST
#define LAST LAST
};
static const int limit = 3;
int *place(void);
int new_name(int x);
#endif
