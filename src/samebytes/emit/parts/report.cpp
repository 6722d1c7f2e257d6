// C++ exceptions into the error record of a shim, which stands before this; a unit of its own, out of reach
// of the user's macros.
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#ifdef __GLIBCXX__
#include <cxxabi.h>

#include <cstdlib>
#endif

// What a step behind the last element throws; iterating/iteration.hpp has the same, in other units.
struct samebytes_stopped {};

extern "C" __attribute__((visibility("hidden"))) void samebytes_report(void* record) noexcept;

namespace {

// The core's table maps the causes to Python's exceptions.
void fill(void* record, samebytes_cause cause, const char* message) noexcept {
  auto* error = static_cast<samebytes_failure*>(record);
  constexpr auto most = sizeof error->samebytes_message - 1;
  error->samebytes_code = cause;
  std::strncpy(error->samebytes_message, message ? message : "", most);
  error->samebytes_message[most] = '\0';
}

// Behind the message what C++ threw before, where one exception holds another.
void add_cause(void* record, const std::exception& e) noexcept {
#ifdef __cpp_rtti
  const auto* outer = dynamic_cast<const std::nested_exception*>(&e);
  if (!outer || !outer->nested_ptr()) return;
  samebytes_failure inner;
  try {
    std::rethrow_exception(outer->nested_ptr());
  } catch (...) {
    samebytes_report(&inner);
  }
  auto* error = static_cast<samebytes_failure*>(record);
  const auto length = std::strlen(error->samebytes_message);
  std::snprintf(error->samebytes_message + length, sizeof error->samebytes_message - length,
                "; its cause: %s", inner.samebytes_message);
#else
  static_cast<void>(record), static_cast<void>(e);
#endif
}

void fill(void* record, samebytes_cause cause, const std::exception& e) noexcept {
  fill(record, cause, e.what());
  add_cause(record, e);
}

// What is thrown says nothing of itself but its class.
void fill_class(void* record) noexcept {
  const char* words = "a C++ exception that is not a std::exception";
#ifdef __GLIBCXX__
  if (const std::type_info* type = abi::__cxa_current_exception_type()) {
    char* const name = abi::__cxa_demangle(type->name(), nullptr, nullptr, nullptr);
    char message[sizeof(samebytes_failure::samebytes_message)];
    std::snprintf(message, sizeof message, "%s: of type %s", words, name ? name : type->name());
    std::free(name);
    return fill(record, samebytes_other, message);
  }
#endif
  fill(record, samebytes_other, words);
}

}  // namespace

extern "C" __attribute__((visibility("hidden"))) void samebytes_ambiguous(void* record) noexcept {
  fill(record, samebytes_other, "C++ cannot tell which overload so few arguments mean: give them all");
}

// Sorts by class, the more derived before the less.
extern "C" __attribute__((visibility("hidden"))) void samebytes_report(void* record) noexcept {
  try {
    throw;
#ifdef __GLIBCXX__
  } catch (const abi::__forced_unwind&) {
    // Python is ending and ends this thread in the middle of a callback (before Python 3.14, by
    // pthread_exit). No exception, and nothing to return to: the thread waits for the end of the process.
    for (;;) pause();
#endif
  } catch (const samebytes_stopped&) {
    fill(record, samebytes_end, nullptr);
  } catch (const std::invalid_argument& e) {
    fill(record, samebytes_invalid_argument, e);
  } catch (const std::out_of_range& e) {
    fill(record, samebytes_out_of_range, e);
  } catch (const std::bad_alloc& e) {
    fill(record, samebytes_bad_alloc, e);
  } catch (const std::overflow_error& e) {
    fill(record, samebytes_overflow_error, e);
  } catch (const std::exception& e) {
    fill(record, samebytes_other, e);
  } catch (const std::string& e) {
    fill(record, samebytes_other, e.c_str());
  } catch (const char* e) {
    fill(record, samebytes_other, e);
  } catch (...) {
    fill_class(record);
  }
}

// Set by Python when it loads the library; without Python there is nobody to tell but the user.
extern "C"
    __attribute__((visibility("protected"), used)) void (*samebytes_unraised)(int, const char*, const char*);
void (*samebytes_unraised)(int code, const char* where, const char* message) = nullptr;

// Set by Python as well: has what Python makes in this call keep something. False: it does not.
extern "C" __attribute__((visibility("protected"), used)) bool (*samebytes_keep)(void*, void (*)(void*));
bool (*samebytes_keep)(void* held, void (*drop)(void*)) = nullptr;
struct samebytes_function_api;
extern "C" __attribute__((visibility("protected"), used))
const samebytes_function_api* samebytes_keep_function;
const samebytes_function_api* samebytes_keep_function = nullptr;

// Set by Python as well: where the core's list of iterations begins.
extern "C" __attribute__((visibility("protected"), used)) void* samebytes_iterations;
void* samebytes_iterations = nullptr;

extern "C" __attribute__((visibility("hidden"))) void samebytes_lost(const char* where) noexcept {
  samebytes_failure record;
  samebytes_report(&record);
  if (samebytes_unraised)
    samebytes_unraised(record.samebytes_code, where, record.samebytes_message);
  else
    std::fprintf(stderr, "Exception ignored in %s: %s\n", where, record.samebytes_message);
}
