// C++ exceptions into the error record of a shim, which stands before this; a unit of its own, out of reach
// of the user's macros.
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <exception>
#include <new>
#include <stdexcept>
#ifdef __GLIBCXX__
#include <cxxabi.h>
#endif

namespace {

// The core's table maps the causes to Python's exceptions.
void fill(void* record, samebytes_cause cause, const char* message) noexcept {
  auto* error = static_cast<samebytes_failure*>(record);
  constexpr auto most = sizeof error->samebytes_message - 1;
  error->samebytes_code = cause;
  std::strncpy(error->samebytes_message, message ? message : "", most);
  error->samebytes_message[most] = '\0';
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
  } catch (const std::invalid_argument& e) {
    fill(record, samebytes_invalid_argument, e.what());
  } catch (const std::out_of_range& e) {
    fill(record, samebytes_out_of_range, e.what());
  } catch (const std::bad_alloc& e) {
    fill(record, samebytes_bad_alloc, e.what());
  } catch (const std::overflow_error& e) {
    fill(record, samebytes_overflow_error, e.what());
  } catch (const std::exception& e) {
    fill(record, samebytes_other, e.what());
  } catch (...) {
    fill(record, samebytes_other, "a C++ exception that is not a std::exception");
  }
}

// Set by Python when it loads the library; without Python there is nobody to tell but the user.
extern "C"
    __attribute__((visibility("protected"), used)) void (*samebytes_unraised)(int, const char*, const char*);
void (*samebytes_unraised)(int code, const char* where, const char* message) = nullptr;

extern "C" __attribute__((visibility("hidden"))) void samebytes_lost(const char* where) noexcept {
  samebytes_failure record;
  samebytes_report(&record);
  if (samebytes_unraised)
    samebytes_unraised(record.samebytes_code, where, record.samebytes_message);
  else
    std::fprintf(stderr, "Exception ignored in %s: %s\n", where, record.samebytes_message);
}
