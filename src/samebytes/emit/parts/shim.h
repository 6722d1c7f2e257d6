/* What every generated C shim needs; it includes nothing, so that the user's first line comes first.
   C functions do not throw: the error record stays untouched. */

#ifndef SAMEBYTES_INLINED
#define SAMEBYTES_INLINED
#endif
#define SAMEBYTES_EXPORT __attribute__((visibility("protected"), used)) SAMEBYTES_INLINED
#define SAMEBYTES_AT(T, address) (*(__typeof__(T)*)(address))
#define SAMEBYTES_SAME(said, real) \
  _Static_assert((said) == (real), \
                 "samebytes: the layout that Python assumes is not the compiler's: " #real " is not " #said)
#define SAMEBYTES_SAME_TYPE(said, real)                                            \
  _Static_assert(__builtin_types_compatible_p(__typeof__(said), __typeof__(real)), \
                 "samebytes: the type that Python assumes is not the compiler's: " #real " is not " #said)

/* GCC has no address of a number in the order of another processor's bytes (scalar_storage_order). */
#define SAMEBYTES_NATIVE_ORDER(member) _Static_assert(sizeof(&(member)), "samebytes: a member in the order of bytes")

/* Further arguments of a function with ...: a register or a word of the stack each. */
union samebytes_word {
  long samebytes_g;
  double samebytes_d;
};
static __inline__ __attribute__((unused)) void samebytes_words(void** places, union samebytes_word* words,
                                                               int count) {
  int i;
  for (i = 0; i < count; ++i) words[i].samebytes_g = places[i] ? *(const long*)places[i] : 0;
}
