// What shims ask of Python objects: tables of functions, which the compiled core fills and the wires of
// std::function, std::shared_ptr and std::unique_ptr point to. Both sides include this.
#pragma once
#include <exception>

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

struct callable_api {
  bool (*retain)(void* object);
  void (*release)(void* object);
  // args: where what keeps the result goes, the result's wire, the arguments' wires.
  callable_end (*run)(void* callable, void** args);
  // What std::terminate calls from now on, given what it calls: it says what a callable raised.
  std::terminate_handler (*last_words)(std::terminate_handler now);
  // As run, for code of the standard library whose exceptions Python knows: GCC's.
  callable_end (*run_throwing)(void* callable, void** args);
};

}  // namespace samebytes
