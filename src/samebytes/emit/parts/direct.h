/* What direct shims in C need; see direct.py. */
#define SAMEBYTES_BARE(T) __typeof__(T)
#define SAMEBYTES_DIRECT __attribute__((visibility("default"), used))
