// Shims as samebytes generates them, for the tests of the compiled core.
#include <cstdint>
#include <cstdio>
#include <cstring>

struct Error {
  std::int32_t code, reserved;
  char message[1024];
};

struct Pair {
  std::int32_t a;
  double b;
};

template <int Rank>
struct Array {
  double* data;
  std::uint64_t shape[Rank], strides[Rank];
};

template <class T>
static T& at(void** args, int i) {
  return *static_cast<T*>(args[i]);
}

#define SHIM(name) extern "C" void name(void** args) noexcept

SHIM(nothing) { (void)args; }
SHIM(twice) { at<double>(args, 1) = 2 * at<double>(args, 0); }
SHIM(scale) { at<float>(args, 2) = static_cast<float>(at<std::int32_t>(args, 0)) * at<float>(args, 1); }
SHIM(negate_int8) { at<std::int8_t>(args, 1) = static_cast<std::int8_t>(-at<std::int8_t>(args, 0)); }
SHIM(add64) { at<std::int64_t>(args, 2) = at<std::int64_t>(args, 0) + at<std::int64_t>(args, 1); }

SHIM(pair_sum) { at<double>(args, 1) = at<Pair>(args, 0).a + at<Pair>(args, 0).b; }
SHIM(pair_grow) {  // writes its own copy of a by-value parameter
  at<Pair>(args, 0).a += 100;
  at<double>(args, 1) = at<Pair>(args, 0).a;
}
SHIM(pair_make) {
  at<Pair>(args, 2).a = at<std::int32_t>(args, 0), at<Pair>(args, 2).b = at<double>(args, 1);
}
SHIM(pair_set) { at<Pair>(args, 0).a = 7; }  // a reference: args[0] is the caller's own storage
SHIM(where) { at<std::uint64_t>(args, 1) = reinterpret_cast<std::uint64_t>(args[0]); }

SHIM(first) { at<double>(args, 1) = *at<double*>(args, 0); }
SHIM(fill) { *at<double*>(args, 0) = at<double>(args, 1); }
SHIM(array_sum) {
  const auto& x = at<Array<1>>(args, 0);
  double sum = 0;
  for (std::uint64_t i = 0; i < x.shape[0]; ++i) sum += x.data[static_cast<std::int64_t>(i * x.strides[0])];
  at<double>(args, 1) = sum;
}
SHIM(array_corner) {
  const auto& x = at<Array<2>>(args, 0);
  at<double>(args, 1) = x.data[(x.shape[0] - 1) * x.strides[0] + (x.shape[1] - 1) * x.strides[1]];
}
SHIM(text_length) {
  at<std::int64_t>(args, 1) = at<const char*>(args, 0) ? std::strlen(at<const char*>(args, 0)) : -1;
}
SHIM(text_back) { at<const char*>(args, 1) = at<const char*>(args, 0); }

SHIM(split) {  // two outputs after one input, and a result
  at<double>(args, 1) += at<double>(args, 0);
  at<std::int32_t>(args, 2) += 3;
  at<bool>(args, 3) = true;
}
SHIM(outputs_only) { at<double>(args, 1) = at<double>(args, 0); }
SHIM(sum8) {
  double sum = 0;
  for (int i = 0; i < 8; ++i) sum += at<double>(args, i);
  at<double>(args, 8) = sum;
}
SHIM(sum100) {
  double sum = 0;
  for (int i = 0; i < 100; ++i) sum += at<double>(args, i);
  at<double>(args, 100) = sum;
}
SHIM(aligned) { at<std::uint64_t>(args, 1) = reinterpret_cast<std::uint64_t>(args[0]) % 256; }
SHIM(fail) {
  auto& error = at<Error>(args, 2);
  error.code = at<std::int32_t>(args, 0);
  std::snprintf(error.message, sizeof error.message, "code %d \xff", error.code);
}
SHIM(fail_long) {
  auto& error = at<Error>(args, 1);
  error.code = 1;
  std::memset(error.message, 'x', sizeof error.message);
}
