/* What every generated C shim needs. C functions do not throw, so the error record stays untouched. */
#include <stddef.h>
#include <string.h>

#define SAMEBYTES_AT(T, address) (*(__typeof__(T)*)(address))
#define SAMEBYTES_SAME(said, real) \
  _Static_assert((said) == (real), "samebytes: the layout that Python assumes is not the compiler's: " #real " is not " #said)
#define SAMEBYTES_SAME_TYPE(said, real)                                                            \
  _Static_assert(__builtin_types_compatible_p(__typeof__(said), __typeof__(real)),                 \
                 "samebytes: the type that Python assumes is not the compiler's: " #real " is not " #said)
