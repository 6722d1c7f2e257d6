// std::function made of a Python callable: it keeps the callable alive, describes the arguments to it and
// makes the result of what comes back. An exception of Python's goes through C++ as one of C++'s.
#pragma once
#include <exception>
#include <functional>
#include <memory>
#include <stdexcept>
#include <typeinfo>

#include "api.hpp"
#include "base.hpp"

namespace samebytes {

struct callable_wire {
  void* function;  // a C function, or null
  void* python;    // what keeps it alive, or is called
  const callable_api* api;
};

// Whether it raised what stands for an exception of C++'s, that is thrown here.
inline callable_end run(const callable_api* api, void* callable, void** args, void** kept) {
#ifdef __GLIBCXX__
  const callable_end end = api->run_throwing(callable, args);
  if (end != callable_end::thrown) return end;
  static_assert(sizeof(std::exception_ptr) == sizeof *kept, "a slot has room for one");
  auto* const slot = reinterpret_cast<std::exception_ptr*>(kept);
  const std::exception_ptr thrown(static_cast<std::exception_ptr&&>(*slot));
  *kept = nullptr;
  std::rethrow_exception(thrown);
#else
  (void)kept;
  return api->run(callable, args);
#endif
}

template <class R>
typename std::enable_if<std::is_void<R>::value || std::is_default_constructible<R>::value, R>::type nothing(
    const callable_api*) {
  return R();
}
template <class R>
typename std::enable_if<!std::is_void<R>::value && !std::is_default_constructible<R>::value, R>::type nothing(
    const callable_api* api) {
  throw python_error(api->last_words);
}

// How Python is shown an argument: by a wire that it copies; by one whose C++ object it keeps as long as it
// likes; as an object that it keeps so; by the address of what stays C++'s.
enum class shown { copied, kept, object, address };

template <shown How, class A>
struct shown_argument {
  using type = bare<A>;
  using wire_type = wire_of<type>;
  alignas(wire_type) unsigned char wire[sizeof(wire_type)];  // bytes: a wire may have no default constructor
  void put(A&& value, arena& memory) {
    crossing<type>::out(reinterpret_cast<wire_type*>(wire), value, memory);
  }
  void hand_over() {}
};
template <class A>
struct shown_argument<shown::address, A> {
  void* wire;
  void put(A&& value, arena&) { wire = samebytes::untyped(__builtin_addressof(value)); }
  void hand_over() {}
};

// Python drops what it is given, also if it reads nothing of it; until then, this does.
template <class Wire>
struct kept_argument {
  Wire wire = Wire();
  kept_argument() = default;
  kept_argument(const kept_argument&) = default;  // while it is empty
  kept_argument& operator=(const kept_argument&) = delete;
  ~kept_argument() {
    if (ours && wire.drop) wire.drop(wire.held);
  }
  void hand_over() { ours = false; }

 private:
  bool ours = true;
};
template <class A>
struct shown_argument<shown::kept, A> : kept_argument<held_wire<bare<A>>> {
  void put(A&& value, arena&) { samebytes::hold<bare<A>>(&this->wire, static_cast<A&&>(value)); }
};

// Whether an object is of no derived class, whose objects no constructor of T moves as they are.
template <class T>
bool is_exactly(const T&, std::false_type) {
  return true;
}
template <class T>
bool is_exactly(const T& object, std::true_type) {
#if defined(__GXX_RTTI) || defined(__cpp_rtti)
  return typeid(object) == typeid(T);
#else
  (void)object;
  return false;
#endif
}

struct object_wire {
  void* held;
  void (*drop)(void*);
  void* object;
};
template <class A>
struct shown_argument<shown::object, A> : kept_argument<object_wire> {
  using type = bare<A>;
  void put(A&& value, arena&) { put_as(static_cast<A&&>(value), is_kept()); }

 private:
  using is_kept = std::is_constructible<type, A&&>;
  void put_as(A&& value, std::true_type) {
    if (!std::is_same<A, type>::value && !samebytes::is_exactly<type>(value, std::is_polymorphic<type>()))
      return put_as(static_cast<A&&>(value), std::false_type());
    auto* const made = new holder<type>(static_cast<A&&>(value));
    wire = {made,
            [](void* held) {
              SAMEBYTES_ENDING("the destructor of an argument", delete static_cast<holder<type>*>(held))
            },
            samebytes::untyped(__builtin_addressof(made->value))};
  }
  void put_as(A&& value, std::false_type) {
    wire = {nullptr, nullptr, samebytes::untyped(__builtin_addressof(value))};
  }
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

template <class F, shown... How>
struct crossing_callable;
template <class R, class... A, shown... How>
struct crossing_callable<R(A...), How...> {
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
    return [held, api](A... values) -> R { return call(held.get(), api, static_cast<A&&>(values)...); };
  }

 private:
  static R call(void* callable, const callable_api* api, A&&... values) {
    return with(callable, api, shown_argument<How, A>()..., static_cast<A&&>(values)...);
  }
  static R with(void* callable, const callable_api* api, shown_argument<How, A>... arguments, A&&... values) {
    arena memory;
    const int put[] = {0, (arguments.put(static_cast<A&&>(values), memory), 0)...};
    (void)put;
    kept_result kept(api);
    given_result<R> result;
    void* args[] = {&kept.kept, result.bytes, &arguments.wire...};
    const int given[] = {0, (arguments.hand_over(), 0)...};
    (void)given;
    const callable_end end = samebytes::run(api, callable, args, &kept.kept);
    if (end == callable_end::raised) throw python_error(api->last_words);
    return end == callable_end::done ? result.make() : nothing<R>(api);
  }
};

}  // namespace samebytes
