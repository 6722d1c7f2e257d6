// What shims ask of Python objects: tables of functions, which the compiled core fills and the wires of
// std::function, std::shared_ptr and std::unique_ptr point to. Both sides include this.
#pragma once
#include <exception>
#include <stdexcept>

namespace samebytes {

// Each in any thread, with or without the GIL.
struct owner_api {
  bool (*retain)(void* object);  // false: C++ has taken it over
  void (*release)(void* object);
  bool (*take)(void* object);  // false: C++ has taken it over, or shares it
};

// How the call of a callable went.
enum class callable_end {
  done,
  raised,    // an exception waits for the call that this thread is in
  reported,  // C++ has nobody to throw to: there is no such call, or it came in through what may not throw
  thrown,    // it raised what stands for an exception of C++'s: a std::exception_ptr, in the first argument
};

using terminate_words = std::terminate_handler (*)(std::terminate_handler now);

// What C++ throws where a Python callable has raised.
class python_error : public std::runtime_error {
 public:
  explicit python_error(terminate_words last_words)
      : std::runtime_error("a Python callable raised an exception") {
    std::set_terminate(last_words(std::get_terminate()));
  }
};

struct callable_api {
  bool (*retain)(void* object);
  void (*release)(void* object);
  // args: where what keeps the result goes, the result's wire, the arguments' wires.
  callable_end (*run)(void* callable, void** args);
  // What std::terminate calls from now on, given what it calls: it says what a callable raised.
  terminate_words last_words;
  // As run, for code of the standard library whose exceptions Python knows: GCC's.
  callable_end (*run_throwing)(void* callable, void** args);
};

}  // namespace samebytes
