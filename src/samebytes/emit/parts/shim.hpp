// What every generated C++ shim needs. It comes before the user's code and includes nothing: none of the
// user's macros meets it, and it decides nothing (feature macros, say) before the user's own first line.

// What runs on GPUs says so.
#if defined(__CUDACC__)
#define SAMEBYTES_DEVICE __device__
#if __has_builtin(__builtin_offsetof)
#define SAMEBYTES_OFFSET(member, ...) __builtin_offsetof(__VA_ARGS__, member)
#else  // NVRTC before CUDA 13.1; its own word for an address that is a constant
#define SAMEBYTES_OFFSET(member, ...) __INTADDR__(&(static_cast<__VA_ARGS__*>(0)->member))
#endif
#else
#define SAMEBYTES_DEVICE
#endif

namespace samebytes_shim {

template <class T>
struct bare {
  using type = T;
};
template <class T>
struct bare<T&> : bare<T> {};
template <class T>
struct bare<T&&> : bare<T> {};
template <class T>
struct bare<const T> : bare<T> {};
template <class T>
struct bare<volatile T> : bare<T> {};
template <class T>
struct bare<const volatile T> : bare<T> {};

template <class T>
struct referred {
  using type = T;
};
template <class T>
struct referred<T&> : referred<T> {};
template <class T>
struct referred<T&&> : referred<T> {};

template <class A, class B>
struct same {
  enum : bool { answer = false };  // no object: nothing of it is left in device code
};
template <class A>
struct same<A, A> {
  enum : bool { answer = true };
  using type = void;
};

template <bool, class A, class>
struct choice {
  using type = A;
};
template <class A, class B>
struct choice<false, A, B> {
  using type = B;
};

struct here {};

}  // namespace samebytes_shim
template <class T>
using samebytes_bare = typename samebytes_shim::bare<T>::type;

// Placement by a tag of our own: <new> stays the user's to include.
SAMEBYTES_DEVICE inline void* operator new(decltype(sizeof 0), void* place, samebytes_shim::here) noexcept {
  return place;
}

// The names below are used after the user's declarations: each is long enough to be nobody's macro.

// Defined in report.cpp. Inside catch (...): writes the current exception to the error record.
#if !defined(__CUDACC__)
extern "C" __attribute__((visibility("hidden"))) void samebytes_report(void* record) noexcept;
extern "C" __attribute__((visibility("hidden"))) void samebytes_ambiguous(void* record) noexcept;
// ... : tells Python of an exception that nobody can catch, which left a destructor.
extern "C" __attribute__((visibility("hidden"))) void samebytes_lost(const char* where) noexcept;
#endif

// A name to which `::member` can be appended, for a struct whose tag a function hides.
template <class T>
struct samebytes_as {
  using type = T;
};

template <class T>
using samebytes_to = T*;

// A type whose own words are no type-id that could stand behind "operator": of a pointer to a function, say.
template <class T>
using samebytes_type = T;

using samebytes_here = samebytes_shim::here;

// What an expression is as a value: arrays are addresses.
template <class T>
T samebytes_value(T);

template <class T>
SAMEBYTES_DEVICE typename samebytes_shim::referred<T>::type& samebytes_at(void* address) noexcept {
  return *static_cast<typename samebytes_shim::referred<T>::type*>(address);
}

// Objects in storage of zeros that C++ is to write to: they begin as C++ makes them of nothing, if it does.
template <class T>
SAMEBYTES_DEVICE auto samebytes_begin(void* storage, decltype(sizeof 0) count, int) -> decltype(void(T{})) {
  for (decltype(sizeof 0) i = 0; i < count; ++i)
    ::new (static_cast<void*>(static_cast<T*>(storage) + i), samebytes_here{}) T{};
}
template <class T>
SAMEBYTES_DEVICE void samebytes_begin(void*, decltype(sizeof 0), long) {}

// An argument with its own value category: by value and T&& move, T& and const T& refer.
template <class T>
SAMEBYTES_DEVICE T&& samebytes_take(void* address) noexcept {
  return static_cast<T&&>(samebytes_at<T>(address));
}

// An argument as a call gave it: of its value category, where the parameter is of the same type.
template <class A, class V>
struct samebytes_category {
  using type =
      typename samebytes_shim::choice<samebytes_shim::same<samebytes_bare<A>, samebytes_bare<V>>::answer, A,
                                      V>::type&&;
};
template <class A, class V>
SAMEBYTES_DEVICE typename samebytes_category<A, V>::type samebytes_given(V&& value) {
  return static_cast<typename samebytes_category<A, V>::type>(const_cast<samebytes_bare<V>&>(value));
}

// Calls, and constructs the result in place; a returned reference becomes a copy of what it refers to.
template <class R>
struct samebytes_result {
  template <class Call, class... A>
  SAMEBYTES_DEVICE static void samebytes_run(void* storage, Call call, A&&... a) {
    ::new (storage, samebytes_shim::here{})
        typename samebytes_shim::bare<R>::type(call(static_cast<A&&>(a)...));
  }
};
template <>
struct samebytes_result<void> {
  template <class Call, class... A>
  SAMEBYTES_DEVICE static void samebytes_run(void*, Call call, A&&... a) {
    call(static_cast<A&&>(a)...);
  }
};

// A method through its exact type, on an object of any value category.
template <class P>
struct samebytes_method {
  P samebytes_p;
  template <class O, class... A>
  SAMEBYTES_DEVICE auto operator()(O&& o, A&&... a) const
      -> decltype((static_cast<O&&>(o).*samebytes_p)(static_cast<A&&>(a)...)) {
    return (static_cast<O&&>(o).*samebytes_p)(static_cast<A&&>(a)...);
  }
};

#if !defined(__CUDACC__)
// Further arguments of a function with ...: a register or a word of the stack each.
union samebytes_word {
  long samebytes_g;
  double samebytes_d;
};
inline void samebytes_words(void** places, union samebytes_word* words, int count) {
  for (int i = 0; i < count; ++i) words[i].samebytes_g = places[i] ? *static_cast<const long*>(places[i]) : 0;
}
#endif

// A constructor has no address: it is chosen by arguments of exactly its parameters' types.
template <class C>
struct samebytes_made {};
template <class C>
struct samebytes_new {
  template <class... A>
  SAMEBYTES_DEVICE auto operator()(A&&... a) const
      -> decltype(::new (static_cast<void*>(nullptr), samebytes_shim::here{}) C(static_cast<A&&>(a)...),
                  samebytes_made<C>());
};
template <class C>
struct samebytes_undo;
template <class C>
struct samebytes_result<samebytes_made<C>> {
  template <class Call, class... A>
  SAMEBYTES_DEVICE static void samebytes_run(void* storage, Call, A&&... a) {
    samebytes_undo<C> undo;
    undo.samebytes_object = ::new (storage, samebytes_shim::here{}) C(static_cast<A&&>(a)...);
    undo.samebytes_object = nullptr;
  }
};

// A reference to an object of a class: Python gets its address.
template <class R>
struct samebytes_place {};
template <class R>
struct samebytes_result<samebytes_place<R>> {
  template <class Call, class... A>
  SAMEBYTES_DEVICE static void samebytes_run(void* storage, Call call, A&&... a) {
    *static_cast<const volatile void**>(storage) = __builtin_addressof(call(static_cast<A&&>(a)...));
  }
};

template <class C>
SAMEBYTES_DEVICE void samebytes_destroy(C* object) {
  object->~C();
}
template <class C>
void samebytes_delete(C* object) {
  delete object;
}

// A call that leaves the rest to C++'s default arguments; where C++ finds it ambiguous, that is the error.
// What it gives back is where the result is.
template <class R, class Kept, class Call, class... A>
SAMEBYTES_DEVICE auto samebytes_short(int, void* storage, void*, Call call, A&&... a) ->
    typename samebytes_shim::same<decltype(call(static_cast<A&&>(a)...)), R>::type* {
  samebytes_result<Kept>::samebytes_run(storage, call, static_cast<A&&>(a)...);
  return storage;
}
template <class R, class Kept, class Call, class... A>
SAMEBYTES_DEVICE void* samebytes_short(long, void*, void* error, Call, A&&...) {
#if defined(__CUDACC__)
  static_assert(!sizeof(R*), "C++ cannot tell which overload so few arguments mean: give them all");
#else
  samebytes_ambiguous(error);
#endif
  return nullptr;
}

// A failing assertion shows both numbers, or both types.
template <decltype(sizeof 0) Said, decltype(sizeof 0) Real>
struct samebytes_same {
  static_assert(Said == Real, "samebytes: the layout that Python assumes is not the compiler's");
  enum : bool { samebytes_proven = true };
};
template <class Said, class Real>
struct samebytes_same_type {
  static_assert(samebytes_shim::same<Said, Real>::answer,
                "samebytes: the type that Python assumes is not the compiler's");
  enum : bool { samebytes_proven = true };
};
template <class E, bool Signed>
struct samebytes_enum {
  static_assert((static_cast<__underlying_type(E)>(-1) < static_cast<__underlying_type(E)>(1)) == Signed,
                "samebytes: the sign of the enumeration that Python assumes is not the compiler's");
  enum : bool { samebytes_proven = true };
};

#if defined(__cpp_exceptions) && !defined(__CUDACC__)
#define SAMEBYTES_GUARD(samebytes_error, ...) \
  try {                                       \
    __VA_ARGS__;                              \
  } catch (...) {                             \
    samebytes_report(samebytes_error);        \
  }
#define SAMEBYTES_ENDING(samebytes_where, ...) \
  try {                                        \
    __VA_ARGS__;                               \
  } catch (...) {                              \
    samebytes_lost(samebytes_where);           \
  }
#else
#define SAMEBYTES_GUARD(samebytes_error, ...) __VA_ARGS__;
#define SAMEBYTES_ENDING(samebytes_where, ...) __VA_ARGS__;
#endif

// Ends a result of a call that fails after all: the destructor of an argument throws when the result is made.
template <class C>
struct samebytes_undo {
  C* samebytes_object = nullptr;
  SAMEBYTES_DEVICE ~samebytes_undo() {
    if (samebytes_object) SAMEBYTES_ENDING("the destructor of a result", samebytes_destroy(samebytes_object))
  }
};

// Protected: exported, and still free to be inlined into the direct shims (SAMEBYTES_INLINED, direct.py).
#ifndef SAMEBYTES_INLINED
#define SAMEBYTES_INLINED
#endif
#if defined(__CUDACC__)
#define SAMEBYTES_EXPORT static __device__ __forceinline__
#else
#define SAMEBYTES_EXPORT extern "C" __attribute__((visibility("protected"), used)) SAMEBYTES_INLINED
#endif
