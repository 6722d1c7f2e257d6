// C++ exceptions into the error record of a shim; a unit of its own, out of reach of the user's macros.
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

struct ErrorRecord {
  int code;  // 0: none; the core's table maps the others to Python's exceptions
  int reserved;
  char message[1024];
};

void fill(void* record, int code, const char* message) noexcept {
  auto* error = static_cast<ErrorRecord*>(record);
  error->code = code;
  std::strncpy(error->message, message ? message : "", sizeof error->message - 1);
  error->message[sizeof error->message - 1] = '\0';
}

}  // namespace

extern "C" __attribute__((visibility("hidden"))) void samebytes_ambiguous(void* record) noexcept {
  fill(record, 5, "C++ cannot tell which overload so few arguments mean: give them all");
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
    fill(record, 1, e.what());
  } catch (const std::out_of_range& e) {
    fill(record, 2, e.what());
  } catch (const std::bad_alloc& e) {
    fill(record, 3, e.what());
  } catch (const std::overflow_error& e) {
    fill(record, 4, e.what());
  } catch (const std::exception& e) {
    fill(record, 5, e.what());
  } catch (...) {
    fill(record, 5, "a C++ exception that is not a std::exception");
  }
}

// Set by Python when it loads the library; without Python there is nobody to tell but the user.
extern "C"
    __attribute__((visibility("protected"), used)) void (*samebytes_unraised)(int, const char*, const char*);
void (*samebytes_unraised)(int code, const char* where, const char* message) = nullptr;

extern "C" __attribute__((visibility("hidden"))) void samebytes_lost(const char* where) noexcept {
  ErrorRecord record;
  samebytes_report(&record);
  if (samebytes_unraised)
    samebytes_unraised(record.code, where, record.message);
  else
    std::fprintf(stderr, "Exception ignored in %s: %s\n", where, record.message);
}
