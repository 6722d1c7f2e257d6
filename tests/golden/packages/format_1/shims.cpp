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

#include "shapes.hpp"
#pragma push_macro("isinf")
#undef isinf
#pragma push_macro("isnan")
#undef isnan
#undef side
#undef x
#undef y
#include <samebytes/crossing/function.hpp>
#include <samebytes/crossing/map.hpp>
#include <samebytes/crossing/optional.hpp>
#include <samebytes/crossing/owner.hpp>
#include <samebytes/crossing/product.hpp>
#include <samebytes/crossing/text.hpp>
#include <samebytes/crossing/vector.hpp>
template <> struct samebytes::is_seen<shapes::Shape> : std::true_type {};
template <> struct samebytes_result<std::map<std::basic_string<char>, int>> : samebytes::held_result<std::map<std::basic_string<char>, int>> {};
template <> struct samebytes_result<std::optional<int>> : samebytes::held_result<std::optional<int>> {};
template <> struct samebytes_result<std::pair<int, std::basic_string<char>>> : samebytes::held_result<std::pair<int, std::basic_string<char>>> {};
template <> struct samebytes_result<const std::basic_string<char> &> : samebytes::held_result<const std::basic_string<char> &> {};
template <> struct samebytes_result<std::unique_ptr<shapes::Shape>> : samebytes::held_result<std::unique_ptr<shapes::Shape>> {};
static_assert(samebytes_same<24, sizeof(samebytes::wire_of<std::vector<double>>)>::samebytes_proven, "");
static_assert(samebytes_same<8, alignof(samebytes::wire_of<std::vector<double>>)>::samebytes_proven, "");
static_assert(samebytes_same<16, sizeof(samebytes::wire_of<std::vector<std::basic_string<char>>>)>::samebytes_proven, "");
static_assert(samebytes_same<8, alignof(samebytes::wire_of<std::vector<std::basic_string<char>>>)>::samebytes_proven, "");
static_assert(samebytes_same<16, sizeof(samebytes::wire_of<std::map<std::basic_string<char>, int>>)>::samebytes_proven, "");
static_assert(samebytes_same<8, alignof(samebytes::wire_of<std::map<std::basic_string<char>, int>>)>::samebytes_proven, "");
static_assert(samebytes_same<8, sizeof(samebytes::wire_of<std::optional<int>>)>::samebytes_proven, "");
static_assert(samebytes_same<4, alignof(samebytes::wire_of<std::optional<int>>)>::samebytes_proven, "");
static_assert(samebytes_same<24, sizeof(samebytes::wire_of<std::pair<int, std::basic_string<char>>>)>::samebytes_proven, "");
static_assert(samebytes_same<8, alignof(samebytes::wire_of<std::pair<int, std::basic_string<char>>>)>::samebytes_proven, "");
static_assert(samebytes_same<16, sizeof(samebytes::wire_of<std::basic_string<char>>)>::samebytes_proven, "");
static_assert(samebytes_same<8, alignof(samebytes::wire_of<std::basic_string<char>>)>::samebytes_proven, "");
static_assert(samebytes_same<32, sizeof(samebytes::wire_of<std::unique_ptr<shapes::Shape>>)>::samebytes_proven, "");
static_assert(samebytes_same<8, alignof(samebytes::wire_of<std::unique_ptr<shapes::Shape>>)>::samebytes_proven, "");
#include <typeinfo>
static_assert(samebytes_same<16, sizeof(shapes::Point)>::samebytes_proven, "");
static_assert(samebytes_same<8, alignof(shapes::Point)>::samebytes_proven, "");
static_assert(samebytes_same<0, __builtin_offsetof(shapes::Point, x)>::samebytes_proven, "");
static_assert(samebytes_same_type<double, decltype(shapes::Point::x)>::samebytes_proven, "");
static_assert(samebytes_same<8, __builtin_offsetof(shapes::Point, y)>::samebytes_proven, "");
static_assert(samebytes_same_type<double, decltype(shapes::Point::y)>::samebytes_proven, "");
static_assert(samebytes_same<40, sizeof(shapes::Shape)>::samebytes_proven, "");
static_assert(samebytes_same<8, alignof(shapes::Shape)>::samebytes_proven, "");
static_assert(samebytes_same<48, sizeof(shapes::Square)>::samebytes_proven, "");
static_assert(samebytes_same<8, alignof(shapes::Square)>::samebytes_proven, "");
static_assert(samebytes_same<40, __builtin_offsetof(shapes::Square, side)>::samebytes_proven, "");
static_assert(samebytes_same_type<double, decltype(shapes::Square::side)>::samebytes_proven, "");
static_assert(samebytes_same<4, sizeof(shapes::Colour)>::samebytes_proven, "");
static_assert(samebytes_enum<shapes::Colour, true>::samebytes_proven, "");
SAMEBYTES_EXPORT void samebytes_v0(void** samebytes_args) noexcept { *static_cast<const volatile void**>(samebytes_args[0]) = __builtin_addressof(::shapes::level); }
static_assert(samebytes_same_type<double, samebytes_shim::referred<decltype(::shapes::level)>::type>::samebytes_proven, "");
SAMEBYTES_EXPORT void samebytes_cad92bb3d821119a7(void** samebytes_args) noexcept {
  SAMEBYTES_GUARD(samebytes_args[3], samebytes_result<double>::samebytes_run(samebytes_args[2], samebytes_take<double (*)(double)>(samebytes_args[0]), samebytes_take<double>(samebytes_args[1])))
}
SAMEBYTES_EXPORT void (*const samebytes_functions[])(void) = {
reinterpret_cast<void (*)()>(static_cast<samebytes_to<auto(shapes::Point, double) -> shapes::Point>>(&::shapes::moved)),
reinterpret_cast<void (*)()>(static_cast<samebytes_to<auto(const std::vector<double> &) -> double>>(&::shapes::total)),
reinterpret_cast<void (*)()>(static_cast<samebytes_to<auto(const std::vector<std::basic_string<char>> &) -> std::map<std::basic_string<char>, int>>>(&::shapes::counted)),
reinterpret_cast<void (*)()>(static_cast<samebytes_to<auto(bool) -> std::optional<int>>>(&::shapes::maybe)),
reinterpret_cast<void (*)()>(static_cast<samebytes_to<auto() -> std::pair<int, std::basic_string<char>>>>(&::shapes::both)),
reinterpret_cast<void (*)()>(static_cast<samebytes_to<auto(const std::function<double (double)> &, double) -> double>>(&::shapes::called)),
reinterpret_cast<void (*)()>(static_cast<samebytes_to<auto(float (&)[3]) -> void>>(&::shapes::filled)),
reinterpret_cast<void (*)()>(static_cast<samebytes_to<auto(double *, int) -> void>>(&::shapes::doubled)),
reinterpret_cast<void (*)()>(static_cast<samebytes_to<auto(int) -> int>>(&::shapes::over)),
reinterpret_cast<void (*)()>(static_cast<samebytes_to<auto(double) -> double>>(&::shapes::over)),
reinterpret_cast<void (*)()>(static_cast<samebytes_to<auto() -> int>>(&::shapes::failing)),
0,
0,
0,
0,
reinterpret_cast<void (*)()>(static_cast<samebytes_to<auto() -> int>>(&::shapes::Shape::made)),
0,
0,
0,
0,
0,
reinterpret_cast<void (*)()>(static_cast<samebytes_to<auto(double) -> std::unique_ptr<shapes::Shape>>>(&::shapes::made)),
reinterpret_cast<void (*)()>(static_cast<samebytes_to<auto(const shapes::Shape &) -> double>>(&::shapes::area_of)),
reinterpret_cast<void (*)()>(static_cast<samebytes_to<auto(int) -> int>>(&::shapes::twice<int>)),
0};
SAMEBYTES_EXPORT void samebytes_dynamic1(void** samebytes_args) noexcept {
  samebytes_args[1] = reinterpret_cast<void*>(-1L);
#if defined(__GXX_RTTI)
  const shapes::Shape* samebytes_o = static_cast<const shapes::Shape*>(samebytes_args[0]);
  const std::type_info& samebytes_t = typeid(*samebytes_o);
  samebytes_args[0] = const_cast<void*>(dynamic_cast<const void*>(samebytes_o));
  if (samebytes_t == typeid(shapes::Square)) { samebytes_args[1] = reinterpret_cast<void*>(0L); return; }
#endif
}
SAMEBYTES_EXPORT void samebytes_destroy1(void** samebytes_args) noexcept { SAMEBYTES_ENDING("the destructor of shapes::Shape", samebytes_destroy(static_cast<shapes::Shape*>(samebytes_args[0]))) }
SAMEBYTES_EXPORT void samebytes_destroy2(void** samebytes_args) noexcept { SAMEBYTES_ENDING("the destructor of shapes::Square", samebytes_destroy(static_cast<shapes::Square*>(samebytes_args[0]))) }
SAMEBYTES_EXPORT void samebytes_f0_2(void** samebytes_args) noexcept {
  using samebytes_t = auto(shapes::Point, double) -> shapes::Point;
  samebytes_t* const samebytes_p0_2 = &::shapes::moved;
  (void)samebytes_p0_2;
  SAMEBYTES_GUARD(samebytes_args[3], ::new (samebytes_args[2], samebytes_here{}) samebytes_bare<shapes::Point>(samebytes_p0_2(samebytes_take<shapes::Point>(samebytes_args[0]), samebytes_take<double>(samebytes_args[1]))))
}
struct samebytes_n0_1 {
  template <class... samebytes_a>
  SAMEBYTES_DEVICE auto operator()(samebytes_a&&... samebytes_v) const -> decltype(::shapes::moved(static_cast<samebytes_a&&>(samebytes_v)...)) {
    return ::shapes::moved(static_cast<samebytes_a&&>(samebytes_v)...);
  }
};
SAMEBYTES_EXPORT void samebytes_f0_1(void** samebytes_args) noexcept {
  using samebytes_t = auto(shapes::Point, double) -> shapes::Point;
  samebytes_t* const samebytes_p0_1 = &::shapes::moved;
  (void)samebytes_p0_1;
  SAMEBYTES_GUARD(samebytes_args[3], samebytes_short<shapes::Point, shapes::Point>(0, samebytes_args[2], samebytes_args[3], samebytes_n0_1{}, samebytes_take<shapes::Point>(samebytes_args[0])))
}
SAMEBYTES_EXPORT void samebytes_f1_1(void** samebytes_args) noexcept {
  using samebytes_t = auto(const std::vector<double> &) -> double;
  samebytes_t* const samebytes_p1_1 = &::shapes::total;
  (void)samebytes_p1_1;
  SAMEBYTES_GUARD(samebytes_args[2], ::new (samebytes_args[1], samebytes_here{}) samebytes_bare<double>(samebytes_p1_1(samebytes::from_wire<std::vector<double>>(samebytes_args[0]))))
}
SAMEBYTES_EXPORT void samebytes_f2_1(void** samebytes_args) noexcept {
  using samebytes_t = auto(const std::vector<std::basic_string<char>> &) -> std::map<std::basic_string<char>, int>;
  samebytes_t* const samebytes_p2_1 = &::shapes::counted;
  (void)samebytes_p2_1;
  SAMEBYTES_GUARD(samebytes_args[2], samebytes::undo_held samebytes_u; samebytes_u.slot = (samebytes_result<std::map<std::basic_string<char>, int>>::samebytes_run(samebytes_args[1], samebytes_p2_1, samebytes::from_wire<std::vector<std::basic_string<char>>>(samebytes_args[0])), samebytes_args[1]); samebytes_u.slot = nullptr)
}
SAMEBYTES_EXPORT void samebytes_f3_1(void** samebytes_args) noexcept {
  using samebytes_t = auto(bool) -> std::optional<int>;
  samebytes_t* const samebytes_p3_1 = &::shapes::maybe;
  (void)samebytes_p3_1;
  SAMEBYTES_GUARD(samebytes_args[2], samebytes_result<std::optional<int>>::samebytes_run(samebytes_args[1], samebytes_p3_1, samebytes_take<bool>(samebytes_args[0])))
}
SAMEBYTES_EXPORT void samebytes_f4_0(void** samebytes_args) noexcept {
  using samebytes_t = auto() -> std::pair<int, std::basic_string<char>>;
  samebytes_t* const samebytes_p4_0 = &::shapes::both;
  (void)samebytes_p4_0;
  SAMEBYTES_GUARD(samebytes_args[1], samebytes_result<std::pair<int, std::basic_string<char>>>::samebytes_run(samebytes_args[0], samebytes_p4_0))
}
SAMEBYTES_EXPORT void samebytes_f5_2(void** samebytes_args) noexcept {
  using samebytes_t = auto(const std::function<double (double)> &, double) -> double;
  samebytes_t* const samebytes_p5_2 = &::shapes::called;
  (void)samebytes_p5_2;
  SAMEBYTES_GUARD(samebytes_args[3], ::new (samebytes_args[2], samebytes_here{}) samebytes_bare<double>(samebytes_p5_2(samebytes::function_of<std::function<double (double)>>(samebytes_take<double (*)(double)>(samebytes_args[0])), samebytes_take<double>(samebytes_args[1]))))
}
SAMEBYTES_EXPORT void samebytes_f6_1(void** samebytes_args) noexcept {
  using samebytes_t = auto(float (&)[3]) -> void;
  samebytes_t* const samebytes_p6_1 = &::shapes::filled;
  (void)samebytes_p6_1;
  SAMEBYTES_GUARD(samebytes_args[2], samebytes_p6_1(samebytes_take<float (&)[3]>(samebytes_args[0])))
}
SAMEBYTES_EXPORT void samebytes_f7_2(void** samebytes_args) noexcept {
  using samebytes_t = auto(double *, int) -> void;
  samebytes_t* const samebytes_p7_2 = &::shapes::doubled;
  (void)samebytes_p7_2;
  SAMEBYTES_GUARD(samebytes_args[3], samebytes_p7_2(samebytes_take<double *>(samebytes_args[0]), samebytes_take<int>(samebytes_args[1])))
}
SAMEBYTES_EXPORT void samebytes_f8_1(void** samebytes_args) noexcept {
  using samebytes_t = auto(int) -> int;
  samebytes_t* const samebytes_p8_1 = &::shapes::over;
  (void)samebytes_p8_1;
  SAMEBYTES_GUARD(samebytes_args[2], ::new (samebytes_args[1], samebytes_here{}) samebytes_bare<int>(samebytes_p8_1(samebytes_take<int>(samebytes_args[0]))))
}
SAMEBYTES_EXPORT void samebytes_f9_1(void** samebytes_args) noexcept {
  using samebytes_t = auto(double) -> double;
  samebytes_t* const samebytes_p9_1 = &::shapes::over;
  (void)samebytes_p9_1;
  SAMEBYTES_GUARD(samebytes_args[2], ::new (samebytes_args[1], samebytes_here{}) samebytes_bare<double>(samebytes_p9_1(samebytes_take<double>(samebytes_args[0]))))
}
SAMEBYTES_EXPORT void samebytes_f10_0(void** samebytes_args) noexcept {
  using samebytes_t = auto() -> int;
  samebytes_t* const samebytes_p10_0 = &::shapes::failing;
  (void)samebytes_p10_0;
  SAMEBYTES_GUARD(samebytes_args[1], ::new (samebytes_args[0], samebytes_here{}) samebytes_bare<int>(samebytes_p10_0()))
}
SAMEBYTES_EXPORT void samebytes_f12_1(void** samebytes_args) noexcept {
  SAMEBYTES_GUARD(samebytes_args[2], samebytes_undo<samebytes_bare<shapes::Shape>> samebytes_u; samebytes_u.samebytes_object = ::new (samebytes_args[1], samebytes_here{}) shapes::Shape(samebytes::from_wire<std::basic_string<char>>(samebytes_args[0])); samebytes_u.samebytes_object = nullptr)
}
SAMEBYTES_EXPORT void samebytes_f11_1(void** samebytes_args) noexcept {
  SAMEBYTES_GUARD(samebytes_args[2], ::new (samebytes_args[1], samebytes_here{}) shapes::Shape(samebytes_take<const shapes::Shape &>(samebytes_args[0])))
}
SAMEBYTES_EXPORT void samebytes_f13_1(void** samebytes_args) noexcept {
  using samebytes_r = double;
  samebytes_r (shapes::Shape::* const samebytes_p13_1)() const = &::shapes::Shape::area;
  (void)samebytes_p13_1;
  SAMEBYTES_GUARD(samebytes_args[2], ::new (samebytes_args[1], samebytes_here{}) samebytes_bare<double>((samebytes_take<const shapes::Shape &>(samebytes_args[0]).*samebytes_p13_1)()))
}
SAMEBYTES_EXPORT void samebytes_f14_1(void** samebytes_args) noexcept {
  using samebytes_r = const std::basic_string<char> &;
  samebytes_r (shapes::Shape::* const samebytes_p14_1)() const = &::shapes::Shape::name;
  (void)samebytes_p14_1;
  SAMEBYTES_GUARD(samebytes_args[2], samebytes_result<const std::basic_string<char> &>::samebytes_run(samebytes_args[1], samebytes_method<decltype(samebytes_p14_1)>{samebytes_p14_1}, samebytes_take<const shapes::Shape &>(samebytes_args[0])))
}
SAMEBYTES_EXPORT void samebytes_f15_0(void** samebytes_args) noexcept {
  using samebytes_t = auto() -> int;
  samebytes_t* const samebytes_p15_0 = &::shapes::Shape::made;
  (void)samebytes_p15_0;
  SAMEBYTES_GUARD(samebytes_args[1], ::new (samebytes_args[0], samebytes_here{}) samebytes_bare<int>(samebytes_p15_0()))
}
SAMEBYTES_EXPORT void samebytes_f16_2(void** samebytes_args) noexcept {
  using samebytes_r = shapes::Shape &;
  samebytes_r (shapes::Shape::* const samebytes_p16_2)(const std::basic_string<char> &)  = &::shapes::Shape::operator+=;
  (void)samebytes_p16_2;
  SAMEBYTES_GUARD(samebytes_args[3], *static_cast<const volatile void**>(samebytes_args[2]) = __builtin_addressof((samebytes_take<shapes::Shape &>(samebytes_args[0]).*samebytes_p16_2)(samebytes::from_wire<std::basic_string<char>>(samebytes_args[1]))))
}
SAMEBYTES_EXPORT void samebytes_f17_2(void** samebytes_args) noexcept {
  using samebytes_r = bool;
  samebytes_r (shapes::Shape::* const samebytes_p17_2)(const shapes::Shape &) const = &::shapes::Shape::operator==;
  (void)samebytes_p17_2;
  SAMEBYTES_GUARD(samebytes_args[3], ::new (samebytes_args[2], samebytes_here{}) samebytes_bare<bool>((samebytes_take<const shapes::Shape &>(samebytes_args[0]).*samebytes_p17_2)(samebytes_take<const shapes::Shape &>(samebytes_args[1]))))
}
SAMEBYTES_EXPORT void samebytes_f19_1(void** samebytes_args) noexcept {
  SAMEBYTES_GUARD(samebytes_args[2], ::new (samebytes_args[1], samebytes_here{}) shapes::Square(samebytes_take<double>(samebytes_args[0])))
}
SAMEBYTES_EXPORT void samebytes_f18_1(void** samebytes_args) noexcept {
  SAMEBYTES_GUARD(samebytes_args[2], ::new (samebytes_args[1], samebytes_here{}) shapes::Square(samebytes_take<const shapes::Square &>(samebytes_args[0])))
}
SAMEBYTES_EXPORT void samebytes_f20_1(void** samebytes_args) noexcept {
  using samebytes_r = double;
  samebytes_r (shapes::Square::* const samebytes_p20_1)() const = &::shapes::Square::area;
  (void)samebytes_p20_1;
  SAMEBYTES_GUARD(samebytes_args[2], ::new (samebytes_args[1], samebytes_here{}) samebytes_bare<double>((samebytes_take<const shapes::Square &>(samebytes_args[0]).*samebytes_p20_1)()))
}
SAMEBYTES_EXPORT void samebytes_f21_1(void** samebytes_args) noexcept {
  using samebytes_t = auto(double) -> std::unique_ptr<shapes::Shape>;
  samebytes_t* const samebytes_p21_1 = &::shapes::made;
  (void)samebytes_p21_1;
  SAMEBYTES_GUARD(samebytes_args[2], samebytes_result<std::unique_ptr<shapes::Shape>>::samebytes_run(samebytes_args[1], samebytes_p21_1, samebytes_take<double>(samebytes_args[0])))
}
SAMEBYTES_EXPORT void samebytes_f22_1(void** samebytes_args) noexcept {
  using samebytes_t = auto(const shapes::Shape &) -> double;
  samebytes_t* const samebytes_p22_1 = &::shapes::area_of;
  (void)samebytes_p22_1;
  SAMEBYTES_GUARD(samebytes_args[2], ::new (samebytes_args[1], samebytes_here{}) samebytes_bare<double>(samebytes_p22_1(samebytes_take<const shapes::Shape &>(samebytes_args[0]))))
}
SAMEBYTES_EXPORT void samebytes_f23_1(void** samebytes_args) noexcept {
  using samebytes_t = auto(int) -> int;
  samebytes_t* const samebytes_p23_1 = &::shapes::twice<int>;
  (void)samebytes_p23_1;
  SAMEBYTES_GUARD(samebytes_args[2], ::new (samebytes_args[1], samebytes_here{}) samebytes_bare<int>(samebytes_p23_1(samebytes_take<int>(samebytes_args[0]))))
}

SAMEBYTES_EXPORT const char samebytes_build[] = "318f66794cea801e3e556d55e065806f";
