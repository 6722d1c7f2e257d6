// What direct shims in C++ need: the outcome of a call that may throw, and the last message of each thread.
// It follows the user's header: every name that a macro could have is ours.
#define SAMEBYTES_BARE(...) samebytes_bare<__VA_ARGS__>

#if defined(__CUDACC__)
#define SAMEBYTES_DIRECT extern "C" __device__
#else
#define SAMEBYTES_DIRECT extern "C" __attribute__((visibility("default"), used))

// Code first: then it and the value travel in two registers, whatever the value's class.
template <class samebytes_T>
struct samebytes_outcome {
  long samebytes_code;
  samebytes_T samebytes_value;
};

// The status of a call that failed: the cause, and above it the errno of an error of the system.
static long samebytes_status(samebytes_failure& samebytes_f) noexcept {
  const long samebytes_c = samebytes_f.samebytes_code & ~samebytes_bits;
  if (!(samebytes_f.samebytes_code & samebytes_coded) || samebytes_c != samebytes_os_error)
    return samebytes_c;
  samebytes_error_code samebytes_e;
  samebytes_f.samebytes_asked->samebytes_code_of(&samebytes_f.samebytes_thrown, &samebytes_e);
  return samebytes_c | static_cast<long>(samebytes_e.samebytes_value) * (1L << 32);
}

// The message as code points, which is how Numba holds text.
static thread_local char32_t samebytes_said[sizeof(samebytes_failure::samebytes_message)];
static thread_local long samebytes_length;

__attribute__((cold, noinline)) static long samebytes_fail(samebytes_failure& samebytes_f) noexcept {
  const long samebytes_s = samebytes_status(samebytes_f);
  if (samebytes_f.samebytes_code & samebytes_caught)
    samebytes_f.samebytes_asked->samebytes_drop(&samebytes_f.samebytes_thrown);
  long samebytes_n = 0;
  auto samebytes_c = reinterpret_cast<const unsigned char*>(samebytes_f.samebytes_message);
  for (; *samebytes_c; ++samebytes_c) {
    if ((*samebytes_c & 0xC0) != 0x80)
      samebytes_said[samebytes_n++] = *samebytes_c < 0x80 ? *samebytes_c
                                                          : *samebytes_c & (*samebytes_c >= 0xF0   ? 0x07
                                                                            : *samebytes_c >= 0xE0 ? 0x0F
                                                                                                   : 0x1F);
    else if (samebytes_n)
      samebytes_said[samebytes_n - 1] = samebytes_said[samebytes_n - 1] << 6 | (*samebytes_c & 0x3F);
  }
  samebytes_length = samebytes_n;
  return samebytes_s;
}

SAMEBYTES_DIRECT const char32_t* samebytes_message(long* samebytes_n) noexcept {
  *samebytes_n = samebytes_length;
  return samebytes_said;
}
#endif
