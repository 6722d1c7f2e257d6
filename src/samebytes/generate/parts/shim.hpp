// What every generated C++ shim needs: access to packed arguments, exceptions turned into an error record.
#include <cstddef>
#include <cstring>
#include <exception>
#include <new>
#include <stdexcept>
#include <type_traits>

namespace samebytes_shim {

struct error_record {
  int code;  // 0: none; see report()
  int reserved;
  char message[1024];
};

template <class T>
T& at(void* address) noexcept {
  return *static_cast<T*>(address);
}

template <class T, class Value>
void put(void* storage, Value&& value) {
  ::new (storage) T(static_cast<Value&&>(value));
}

inline void fill(error_record* error, int code, const char* message) noexcept {
  error->code = code;
  std::strncpy(error->message, message, sizeof error->message - 1);
  error->message[sizeof error->message - 1] = '\0';
}

// Called inside catch (...): sorts the current exception by class, the more derived before the less.
inline void report(void* record) noexcept {
  auto* error = static_cast<error_record*>(record);
  try {
    throw;
  } catch (const std::invalid_argument& e) {
    fill(error, 1, e.what());
  } catch (const std::out_of_range& e) {
    fill(error, 2, e.what());
  } catch (const std::bad_alloc& e) {
    fill(error, 3, e.what());
  } catch (const std::overflow_error& e) {
    fill(error, 4, e.what());
  } catch (const std::exception& e) {
    fill(error, 5, e.what());
  } catch (...) {
    fill(error, 5, "a C++ exception that is not a std::exception");
  }
}

// A failing assertion shows both numbers.
template <std::size_t Said, std::size_t Real>
struct same {
  static_assert(Said == Real, "samebytes: the layout that Python assumes is not the compiler's");
  static constexpr bool value = true;
};

template <class Said, class Real>
struct same_type {
  static_assert(std::is_same<Said, Real>::value,
                "samebytes: the type that Python assumes is not the compiler's");
  static constexpr bool value = true;
};

}  // namespace samebytes_shim
