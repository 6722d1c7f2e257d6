// std::shared_ptr and std::unique_ptr to objects of classes: Python views the object, and its owner stays
// C++'s.
#pragma once
#include <memory>
#include <stdexcept>

#include "api.hpp"
#include "base.hpp"

namespace samebytes {

struct owner_wire {
  void* object;
  void* box;     // a result's, where the object came with one
  void* python;  // the Python object that holds the object; null: the bytes are copied
  const owner_api* api;
};

// What a result keeps beside its smart pointer.
struct owner_box {
  void* pointer;
  void (*forget)(void* pointer);  // of a unique_ptr that deletes
  void (*share)(const void* pointer,
                void* to);  // of a shared_ptr; `to` is a std::shared_ptr<const volatile void>
  void (*end)(void* pointer);
  void (*lose)(void* pointer);  // of a unique_ptr: it owns no more
  bool sole;  // nobody else may own the object: the deleter is delete, or what an intent names
};

using any_owner = std::shared_ptr<const volatile void>;

constexpr const char* twice = "a call gives an object to C++ twice, and one of the two would own it alone";

// What a record's bytes are copied by; none: Python has the class's objects as such. A class whose copies are
// deleted counts as trivially copyable, and a trivial move leaves the bytes as they are.
enum class copies { none, copy, move };
template <class T>
struct copies_by : std::integral_constant<copies, !std::is_trivially_copyable<T>::value  ? copies::none
                                                  : std::is_copy_constructible<T>::value ? copies::copy
                                                  : std::is_move_constructible<T>::value ? copies::move
                                                                                         : copies::none> {};

// An object of C++'s own with the bytes of a record.
template <class T>
typename std::enable_if<copies_by<T>::value == copies::copy, T*>::type copied(const T* object) {
  return new T(*object);
}
template <class T>
typename std::enable_if<copies_by<T>::value == copies::move, T*>::type copied(const T* object) {
  return new T(static_cast<T&&>(const_cast<T&>(*object)));
}
template <class T>
typename std::enable_if<copies_by<T>::value == copies::none, T*>::type copied(const T*) {
  throw std::invalid_argument("only an object that Python holds can be given to C++");
}

// The owner that an object has through std::enable_shared_from_this, if any.
template <class T>
auto owner_of(T* object, int) -> decltype(std::shared_ptr<T>(object->weak_from_this().lock())) {
  return object->weak_from_this().lock();
}
template <class T>
std::shared_ptr<T> owner_of(T*, long) {
  return nullptr;
}

// Ends what a smart pointer has of its object, for Python that wants it ended now.
template <class P>
void let_go(void* pointer) {
  SAMEBYTES_ENDING("the destructor of a result", static_cast<P*>(pointer)->reset())
}

// Whether two such smart pointers to one object were two owners of it; of a class of the user's, nobody
// knows.
template <class D, class = void>
struct is_sole : std::false_type {};
template <class T>
struct is_sole<std::default_delete<T>> : std::true_type {};
template <class D>
struct is_sole<D, typename D::samebytes_named> : std::true_type {};

// Whether Python views objects of a class; those of others, as numbers and texts, are copied.
template <class T>
struct is_seen : std::false_type {};
template <class T>
struct is_seen<const T> : is_seen<T> {};

template <class P, class T>
struct crossing_pointed {
  struct wire {
    wire_of<T> inner;
    bool has;
  };
  static P in(const wire& from) { return from.has ? P(new T(crossing<T>::in(from.inner))) : P(); }
  static void out(wire* to, const P& value, arena& memory) {
    to->has = value != nullptr;
    if (value) crossing<T>::out(&to->inner, *value, memory);
  }
};
template <class T>
struct crossing<std::shared_ptr<T>, typename std::enable_if<!is_seen<T>::value>::type>
    : crossing_pointed<std::shared_ptr<T>, T> {};
template <class T, class D>
struct crossing<std::unique_ptr<T, D>, typename std::enable_if<!is_seen<T>::value>::type>
    : crossing_pointed<std::unique_ptr<T, D>, T> {};

template <class T>
struct crossing<std::shared_ptr<T>, typename std::enable_if<is_seen<T>::value>::type> {
  using wire = owner_wire;
  static std::shared_ptr<T> in(const wire& from) {
    auto* object = static_cast<T*>(from.object);
    if (!object) return nullptr;
    if (from.box) {
      any_owner owner;
      const auto* box = static_cast<const owner_box*>(from.box);
      box->share(box->pointer, &owner);
      return std::shared_ptr<T>(owner, object);
    }
    if (auto owner = samebytes::owner_of<T>(object, 0)) return owner;
    // As long as C++ shares it, the Python object lives.
    if (!from.api->retain(from.python)) throw std::invalid_argument(twice);
    // Let go by the call of the deleter: a std::weak_ptr, which may lie in the object itself, keeps the
    // deleter.
    void* const python = from.python;
    void (*const release)(void*) = from.api->release;
    return std::shared_ptr<T>(object, [python, release](T*) { release(python); });
  }
  static void out(wire* to, const std::shared_ptr<T>& value, arena& memory) {
    to->object = samebytes::untyped(value.get());
    auto* box = memory.template take<owner_box>(1);
    *box = {const_cast<std::shared_ptr<T>*>(&value),
            nullptr,
            [](const void* pointer, void* owner) {
              *static_cast<any_owner*>(owner) = *static_cast<const std::shared_ptr<T>*>(pointer);
            },
            samebytes::let_go<std::shared_ptr<T>>,
            nullptr,
            false};
    to->box = box;
  }
};

// What one smart pointer of another library keeps for as long as there are copies of it: a share of the
// object. As the deleter of a std::shared_ptr P is one of the other library's, as a deleter of that the
// standard's.
template <class P>
struct keeps {
  P share;
  template <class T>
  void operator()(T*) {
    share = P();
  }
};

// Smart pointers of another library that share an object as a std::shared_ptr does.
template <class P, class T>
struct crossing_holder {
  using wire = owner_wire;
  static P in(const wire& from) {
    const std::shared_ptr<T> share = crossing<std::shared_ptr<T>>::in(from);
    return share ? P(share.get(), keeps<std::shared_ptr<T>>{share}) : P();
  }
  static void out(wire* to, const P& value, arena& memory) {
    to->object = samebytes::untyped(value.get());
    auto* box = memory.template take<owner_box>(1);
    *box = {
        const_cast<P*>(&value),
        nullptr,
        [](const void* pointer, void* owner) {
          const P& held = *static_cast<const P*>(pointer);
          *static_cast<any_owner*>(owner) = any_owner(held.get(), keeps<P>{held});
        },
        [](void* pointer) { SAMEBYTES_ENDING("the destructor of a result", *static_cast<P*>(pointer) = P()) },
        nullptr,
        false};
    to->box = box;
  }
};

template <class T, class D>
struct crossing<std::unique_ptr<T, D>, typename std::enable_if<is_seen<T>::value>::type> {
  using wire = owner_wire;
  using pointer = std::unique_ptr<T, D>;
  static pointer in(const wire& from) {
    auto* object = static_cast<T*>(from.object);
    if (!object) return pointer();
    if (!from.python) return pointer(samebytes::copied(object));
    if (!from.api->take(from.python)) throw std::invalid_argument(twice);
    return pointer(object);
  }
  static void out(wire* to, const pointer& value, arena& memory) {
    to->object = samebytes::untyped(value.get());
    auto* box = memory.template take<owner_box>(1);
    *box = {const_cast<pointer*>(&value),
            nullptr,
            nullptr,
            samebytes::let_go<pointer>,
            [](void* held) { (void)static_cast<pointer*>(held)->release(); },
            samebytes::is_sole<D>::value};
    if (std::is_same<D, std::default_delete<T>>::value) box->forget = box->lose;
    to->box = box;
  }
};

// An argument for a const std::unique_ptr<T>&: it owns the object for the length of the call, and does not
// end it.
template <class P>
class lent {
 public:
  explicit lent(const void* slot)
      : pointer_(static_cast<typename P::pointer>(static_cast<const owner_wire*>(slot)->object)) {}
  lent(const lent&) = delete;
  lent& operator=(const lent&) = delete;
  ~lent() { (void)pointer_.release(); }
  operator const P&() const { return pointer_; }

 private:
  P pointer_;
};

// An argument for a std::unique_ptr<T>& or T&&: a call has claimed the object for it. What C++ leaves in
// place stays Python's, whether the call returns or throws.
template <class P>
class offered {
 public:
  explicit offered(const void* slot)
      : from_(*static_cast<const owner_wire*>(slot)),
        object_(static_cast<typename P::pointer>(from_.object)),
        pointer_(object_ && !from_.python ? samebytes::copied(object_) : object_) {}
  offered(const offered&) = delete;
  offered& operator=(const offered&) = delete;
  ~offered() {
    if (!from_.python) return;
    if (pointer_.get() == object_)
      (void)pointer_.release();
    else
      from_.api->take(from_.python);
  }
  operator P&() { return pointer_; }
  operator P&&() { return static_cast<P&&>(pointer_); }

 private:
  const owner_wire from_;
  const typename P::pointer object_;
  P pointer_;
};

// A result T* that a function hands over: from then on a smart pointer owns it.
template <class P>
struct handed {};

// A place T* of C++'s where a function puts such an object: the intent says that it is Python's then, and so
// it ends where the function put it there and then raised.
template <class P>
struct handed_output : undo_held {
  typename P::pointer value = nullptr;
  ~handed_output() { (void)P(value); }
  operator typename P::pointer&() { return value; }
  operator typename P::pointer*() { return &value; }
  void put(void* to) {
    P owned(value);
    value = nullptr;
    samebytes::hold<P>(to, static_cast<P&&>(owned));
    slot = to;
  }
};

// Memory for objects that C++ may take over and delete, from where a new-expression takes it.
template <class C>
auto room_for(int) -> decltype(static_cast<void*>(C::operator new(sizeof(C)))) {
  return C::operator new(sizeof(C));
}
template <class C>
void* room_for(long) {
#if defined(__cpp_aligned_new)
  if (alignof(C) > __STDCPP_DEFAULT_NEW_ALIGNMENT__)
    return ::operator new(sizeof(C), std::align_val_t(alignof(C)), std::nothrow);
#endif
  return ::operator new(sizeof(C), std::nothrow);
}
template <class C>
auto give_back(void* room, int) -> decltype(C::operator delete(room)) {
  C::operator delete(room);
}
template <class C>
void give_back(void* room, long) {
#if defined(__cpp_aligned_new)
  if (alignof(C) > __STDCPP_DEFAULT_NEW_ALIGNMENT__)
    return ::operator delete(room, std::align_val_t(alignof(C)));
#endif
  ::operator delete(room);
}

}  // namespace samebytes

template <class P>
struct samebytes_result<samebytes::handed<P>> {
  template <class Call, class... A>
  static void samebytes_run(void* storage, Call call, A&&... a) {
    samebytes::undo_held undo;
    undo.slot = (samebytes::hold<P>(storage, P(call(static_cast<A&&>(a)...))), storage);
    undo.slot = nullptr;
  }
};
