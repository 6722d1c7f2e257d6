// What g++ 11 and newer call of libstdc++ and an older one lacks, as GCC's toolsets for old systems have it: in the library
// itself, hidden.
#include <new>

namespace std {

[[noreturn]] __attribute__((visibility("hidden"))) void __throw_bad_array_new_length() {
  throw std::bad_array_new_length();
}

}  // namespace std
