// What direct shims in C++ need: the outcome of a call that may throw, and the last message of each thread.
#define SAMEBYTES_BARE(...) typename samebytes_shim::bare<__VA_ARGS__>::type

#if defined(__CUDACC__)
#define SAMEBYTES_DIRECT extern "C" __device__
#else
#define SAMEBYTES_DIRECT extern "C" __attribute__((visibility("default"), used))

struct samebytes_failure {
  int code;
  int reserved;
  char message[1024];
};

// Code first: then it and the value travel in two registers, whatever the value's class.
template <class T>
struct samebytes_outcome {
  long code;
  T value;
};

// The message as code points, which is how Numba holds text.
static thread_local char32_t samebytes_said[sizeof(samebytes_failure::message)];
static thread_local long samebytes_length;

__attribute__((cold, noinline)) static long samebytes_fail(const samebytes_failure& failure) noexcept {
  long length = 0;
  for (const unsigned char* c = reinterpret_cast<const unsigned char*>(failure.message); *c; ++c) {
    if ((*c & 0xC0) != 0x80)
      samebytes_said[length++] = *c < 0x80 ? *c : *c & (*c >= 0xF0 ? 0x07 : *c >= 0xE0 ? 0x0F : 0x1F);
    else if (length)
      samebytes_said[length - 1] = samebytes_said[length - 1] << 6 | (*c & 0x3F);
  }
  samebytes_length = length;
  return failure.code;
}

SAMEBYTES_DIRECT const char32_t* samebytes_message(long* length) noexcept {
  *length = samebytes_length;
  return samebytes_said;
}
#endif
