// C++ exceptions into the error record of a shim, which stands before this; a unit of its own, out of reach
// of the user's macros.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <future>
#include <new>
#include <stdexcept>
#include <string>
#include <system_error>
#ifdef __GLIBCXX__
#include <cxxabi.h>
#endif
// GCC 8 has it in a library of its own, libstdc++fs.a.
#if __cplusplus >= 201703L && (!defined(_GLIBCXX_RELEASE) || _GLIBCXX_RELEASE >= 9)
#include <filesystem>
#define SAMEBYTES_FILESYSTEM
#endif

// What a step behind the last element throws; iterating/iteration.hpp has the same, in other units.
struct samebytes_stopped {};

extern "C" __attribute__((visibility("hidden"))) void samebytes_report(void* record) noexcept;

// Set by Python when it loads the library, if it has classes: what makes an exception of Python's of their
// objects.
extern "C" __attribute__((visibility("protected"), used)) void* samebytes_classes;
void* samebytes_classes = nullptr;

namespace {

// The core's table maps the causes to Python's exceptions.
void fill(void* record, samebytes_cause cause, const char* message) noexcept {
  auto* error = static_cast<samebytes_failure*>(record);
  constexpr auto most = sizeof error->samebytes_message - 1;
  error->samebytes_code = cause;
  std::strncpy(error->samebytes_message, message ? message : "", most);
  error->samebytes_message[most] = '\0';
}

// The text behind the message, as far as there is room.
void add(void* record, const char* before, const char* text) noexcept {
  auto* error = static_cast<samebytes_failure*>(record);
  const auto length = std::strlen(error->samebytes_message);
  std::snprintf(error->samebytes_message + length, sizeof error->samebytes_message - length, "%s%s", before,
                text);
}

std::exception_ptr& as_pointer(void** thrown) noexcept {
  static_assert(sizeof(std::exception_ptr) == sizeof *thrown, "a record has room for one");
  return *reinterpret_cast<std::exception_ptr*>(thrown);
}

void drop(void** thrown) noexcept { as_pointer(thrown).~exception_ptr(); }

void copy(void** thrown, void** to) noexcept { ::new (to) std::exception_ptr(as_pointer(thrown)); }

char* name_of(const std::type_info* type) noexcept {
  if (!type) return nullptr;
#ifdef __GLIBCXX__
  if (char* const name = abi::__cxa_demangle(type->name(), nullptr, nullptr, nullptr)) return name;
#endif
  return strdup(type->name());
}

// Of the exception that is handled now, for free(); null: unknown.
char* type_name() noexcept {
#ifdef __GLIBCXX__
  return name_of(abi::__cxa_current_exception_type());
#else
  return nullptr;
#endif
}

char* type_of(void** thrown) noexcept {
#ifdef __GLIBCXX__
  return name_of(as_pointer(thrown).__cxa_exception_type());
#else
  static_cast<void>(thrown);
  return nullptr;
#endif
}

void report_pointer(const std::exception_ptr& thrown, samebytes_failure* record) noexcept {
  try {
    std::rethrow_exception(thrown);
  } catch (...) {
    samebytes_report(record);
  }
}

// What C++ threw before, where one exception holds another.
std::exception_ptr held_by(const std::exception& e) noexcept {
#ifdef __cpp_rtti
  if (const auto* outer = dynamic_cast<const std::nested_exception*>(&e)) return outer->nested_ptr();
#endif
  static_cast<void>(e);
  return nullptr;
}

void nested_in(void** thrown, samebytes_failure* inner) noexcept {
  inner->samebytes_code = samebytes_nothing;
  try {
    std::rethrow_exception(as_pointer(thrown));
  } catch (const std::exception& e) {
    if (const std::exception_ptr held = held_by(e)) report_pointer(held, inner);
  } catch (...) {
  }
}

using telling = void (*)(void* to, const char* name, void* address);

#if defined(__GLIBCXX__) && defined(__cpp_rtti)
// As the Itanium C++ ABI (2.9.5) describes the bases of a class.
void tell_class(const std::type_info& type, char* at, telling tell, void* to) noexcept {
  char* const name = abi::__cxa_demangle(type.name(), nullptr, nullptr, nullptr);
  if (name) tell(to, name, at);
  std::free(name);
  if (const auto* single = dynamic_cast<const abi::__si_class_type_info*>(&type))
    return tell_class(*single->__base_type, at, tell, to);
  const auto* several = dynamic_cast<const abi::__vmi_class_type_info*>(&type);
  for (unsigned i = 0; several && i < several->__base_count; ++i) {
    const auto& base = several->__base_info[i];
    if (!base.__is_public_p()) continue;
    std::ptrdiff_t offset = base.__offset();
    if (base.__is_virtual_p()) std::memcpy(&offset, *reinterpret_cast<char**>(at) + offset, sizeof offset);
    tell_class(*base.__base_type, at + offset, tell, to);
  }
}

// A std::exception_ptr is the address of the object.
void parts(void** thrown, telling tell, void* to) noexcept {
  const std::type_info* const type = as_pointer(thrown).__cxa_exception_type();
  if (dynamic_cast<const abi::__class_type_info*>(type))
    tell_class(*type, static_cast<char*>(*thrown), tell, to);
}
#else
void parts(void**, telling, void*) noexcept {}
#endif

void tell_code(const std::error_code& code, samebytes_error_code* to) noexcept {
  to->samebytes_value = code.value();
  to->samebytes_category = code.category().name();
}

#ifdef SAMEBYTES_FILESYSTEM
void tell_path(const std::filesystem::path& path, const char*& to) noexcept {
  if (!path.empty()) to = path.c_str();
}
#endif

void code_of(void** thrown, samebytes_error_code* to) noexcept {
  *to = {};
  try {
    std::rethrow_exception(as_pointer(thrown));
#ifdef SAMEBYTES_FILESYSTEM
  } catch (const std::filesystem::filesystem_error& e) {
    tell_code(e.code(), to);
    tell_path(e.path1(), to->samebytes_paths[0]);
    tell_path(e.path2(), to->samebytes_paths[1]);
#endif
  } catch (const std::system_error& e) {
    tell_code(e.code(), to);
  } catch (const std::future_error& e) {
    tell_code(e.code(), to);
  } catch (...) {
  }
}

// On POSIX systems the numbers of both are those of errno.
samebytes_cause cause_of(const std::error_code& code) noexcept {
  const auto& category = code.category();
  return category == std::generic_category() || category == std::system_category() ? samebytes_os_error
                                                                                   : samebytes_other;
}

constexpr samebytes_asking asking = {drop, copy, type_of, nested_in, parts, code_of};

// The record takes a share in the exception that is handled now.
void take(void* record) noexcept {
  auto* error = static_cast<samebytes_failure*>(record);
  ::new (&error->samebytes_thrown) std::exception_ptr(std::current_exception());
  error->samebytes_asked = &asking;
  error->samebytes_classes = samebytes_classes;
  error->samebytes_code |= samebytes_caught;
}

void add_cause(void* record, const std::exception& e) noexcept {
  const std::exception_ptr held = held_by(e);
  if (!held) return;
  samebytes_failure inner;
  report_pointer(held, &inner);
  static_cast<samebytes_failure*>(record)->samebytes_code |= samebytes_holding;
  add(record, "; its cause: ", inner.samebytes_message);
  if (inner.samebytes_code & samebytes_caught) drop(&inner.samebytes_thrown);
}

void fill(void* record, samebytes_cause cause, const std::exception& e, const char* message) noexcept {
  fill(record, cause, message);
  take(record);
  add_cause(record, e);
}

void fill(void* record, samebytes_cause cause, const std::exception& e) noexcept {
  fill(record, cause, e, e.what());
}

template <class T>
void fill_coded(void* record, const T& e, const char* message) noexcept {
  fill(record, cause_of(e.code()), e, message);
  static_cast<samebytes_failure*>(record)->samebytes_code |= samebytes_coded;
}

#ifdef SAMEBYTES_FILESYSTEM
// Without the paths, which Python's exceptions have beside their words; of a class's own what() all.
const char* without_paths(const std::filesystem::filesystem_error& e) noexcept {
  const char* const all = e.what();
  return all == e.std::filesystem::filesystem_error::what() ? e.std::system_error::what() : all;
}
#endif

void fill_text(void* record, const char* text) noexcept {
  fill(record, samebytes_other, text);
  take(record);
}

using shown_number = char[64];
template <class T>
const char* show(shown_number& text, const char* format, T value) noexcept {
  std::snprintf(text, sizeof text, format, value);
  return text;
}

// The text of the thrown value, if it is a number.
const char* show_number(shown_number& text) noexcept {
  try {
    throw;
  } catch (bool v) {
    return v ? "true" : "false";
  } catch (char v) {
    return show(text, "%d", v);
  } catch (signed char v) {
    return show(text, "%d", v);
  } catch (unsigned char v) {
    return show(text, "%d", v);
  } catch (short v) {
    return show(text, "%d", v);
  } catch (unsigned short v) {
    return show(text, "%d", v);
  } catch (int v) {
    return show(text, "%d", v);
  } catch (unsigned v) {
    return show(text, "%u", v);
  } catch (long v) {
    return show(text, "%ld", v);
  } catch (unsigned long v) {
    return show(text, "%lu", v);
  } catch (long long v) {
    return show(text, "%lld", v);
  } catch (unsigned long long v) {
    return show(text, "%llu", v);
  } catch (float v) {
    return show(text, "%.9g", v);
  } catch (double v) {
    return show(text, "%.17g", v);
  } catch (...) {
    return nullptr;
  }
}

// What is thrown says nothing of itself but its class, and numbers their values.
void fill_class(void* record) noexcept {
  fill(record, samebytes_other, "a C++ exception that is not a std::exception");
  if (char* const name = type_name()) {
    add(record, ": of type ", name);
    std::free(name);
  }
  shown_number room;
  if (const char* const number = show_number(room)) add(record, ": ", number);
  take(record);
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
#ifdef SAMEBYTES_FILESYSTEM
  } catch (const std::filesystem::filesystem_error& e) {
    fill_coded(record, e, without_paths(e));
#endif
  } catch (const std::system_error& e) {
    fill_coded(record, e, e.what());
  } catch (const std::future_error& e) {
    fill_coded(record, e, e.what());
  } catch (const std::exception& e) {
    fill(record, samebytes_other, e);
  } catch (const std::string& e) {
    fill_text(record, e.c_str());
  } catch (const char* e) {
    fill_text(record, e);
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
    samebytes_unraised(record.samebytes_code & ~samebytes_bits, where, record.samebytes_message);
  else
    std::fprintf(stderr, "Exception ignored in %s: %s\n", where, record.samebytes_message);
  if (record.samebytes_code & samebytes_caught) drop(&record.samebytes_thrown);
}
