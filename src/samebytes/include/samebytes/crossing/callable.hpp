// std::function made of a Python callable: it keeps the callable alive, describes the arguments to it and
// makes the result of what comes back. An exception of Python's goes through C++ as one of C++'s.
#pragma once
#include <exception>
#include <functional>
#include <memory>
#include <stdexcept>

#include "base.hpp"

namespace samebytes {

// What shims ask of the compiled core; native/callable.cpp has the same.
struct callable_api {
  bool (*retain)(void* object);
  void (*release)(void* object);
  // args: where what keeps the result goes, the result's wire, the arguments' wires. 0: done; 1: an exception
  // waits for the call that this thread is in; 2: C++ has nobody to throw to: there is no such call, or it
  // came in through a function that may not throw.
  int (*run)(void* callable, void** args);
  // What std::terminate calls from now on, given what it calls: it says what a callable raised.
  std::terminate_handler (*last_words)(std::terminate_handler now);
};

struct callable_wire {
  void* function;  // a C function, or null
  void* python;    // what keeps it alive, or is called
  const callable_api* api;
};

class python_error : public std::runtime_error {
 public:
  explicit python_error(const callable_api* api)
      : std::runtime_error("a Python callable raised an exception") {
    std::set_terminate(api->last_words(std::get_terminate()));
  }
};

template <class R>
typename std::enable_if<std::is_void<R>::value || std::is_default_constructible<R>::value, R>::type nothing(
    const callable_api*) {
  return R();
}
template <class R>
typename std::enable_if<!std::is_void<R>::value && !std::is_default_constructible<R>::value, R>::type nothing(
    const callable_api* api) {
  throw python_error(api);
}

// How one argument is shown: by its wire, or, of an object that is C++'s, by its address.
template <bool Address, class A>
struct shown_argument {
  using type = bare<A>;
  wire_of<type> wire;
  void put(const type& value, arena& memory) { crossing<type>::out(&wire, value, memory); }
};
template <class A>
struct shown_argument<true, A> {
  void* wire;
  void put(const bare<A>& value, arena&) { wire = samebytes::untyped(__builtin_addressof(value)); }
};

template <class R>
struct given_result {
  alignas(wire_of<R>) unsigned char bytes[sizeof(wire_of<R>)];
  R make() { return crossing<R>::in(*reinterpret_cast<const wire_of<R>*>(bytes)); }
};
template <>
struct given_result<void> {
  unsigned char bytes[1];
  void make() {}
};

// Frees what the result was made of, after it was made.
struct kept_result {
  void* kept = nullptr;
  const callable_api* api;
  explicit kept_result(const callable_api* by) : api(by) {}
  kept_result(const kept_result&) = delete;
  ~kept_result() {
    if (kept) api->release(kept);
  }
};

template <class F, bool... Addresses>
struct crossing_callable;
template <class R, class... A, bool... Addresses>
struct crossing_callable<R(A...), Addresses...> {
  using function = std::function<R(A...)>;
  using wire = callable_wire;

  static function in(const wire& from) {
    if (!from.python) return function();
    if (!from.api->retain(from.python)) throw std::invalid_argument("this callable is gone");
    const std::shared_ptr<void> held(from.python, from.api->release);
    if (from.function) {
      auto* const plain = reinterpret_cast<R (*)(A...)>(from.function);
      return [held, plain](A... values) -> R { return plain(static_cast<A&&>(values)...); };
    }
    const callable_api* const api = from.api;
    return [held, api](A... values) -> R { return call(held.get(), api, values...); };
  }

 private:
  static R call(void* callable, const callable_api* api, const bare<A>&... values) {
    return with(callable, api, shown_argument<Addresses, A>()..., values...);
  }
  static R with(void* callable, const callable_api* api, shown_argument<Addresses, A>... shown,
                const bare<A>&... values) {
    arena memory;
    const int put[] = {0, (shown.put(values, memory), 0)...};
    (void)put;
    kept_result kept(api);
    given_result<R> result;
    void* args[] = {&kept.kept, result.bytes, &shown.wire...};
    const int failed = api->run(callable, args);
    if (failed == 1) throw python_error(api);
    return failed ? nothing<R>(api) : result.make();
  }
};

}  // namespace samebytes
