// From a wire, the plain words that Python fills and reads, to a C++ object and back. Each file beside this
// one teaches it a family of classes; shims include what they use, all before the first use.
#pragma once
#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>
#include <utility>

// Has what Python makes in this call keep something; null where no core has loaded the library. Defined in
// report.cpp.
extern "C" __attribute__((visibility("protected"))) bool (*samebytes_keep)(void* held, void (*drop)(void*));

namespace samebytes {

// Memory that describes a result's parts, freed together with the result.
class arena {
 public:
  arena() = default;
  arena(const arena&) = delete;
  arena& operator=(const arena&) = delete;
  ~arena() {
    while (first_) {
      block* next = first_->next;
      ::operator delete(static_cast<void*>(first_));
      first_ = next;
    }
  }

  // Room for `count` objects of a type that needs no destructor.
  template <class T>
  T* take(std::size_t count) {
    const std::size_t slack = alignof(T) > alignof(block) ? alignof(T) : 0;
    if (count > (static_cast<std::size_t>(-1) / 2) / sizeof(T)) throw std::bad_alloc();
    void* memory = ::operator new(sizeof(block) + slack + (count ? count : 1) * sizeof(T));
    first_ = ::new (memory) block{first_};
    const auto start = reinterpret_cast<std::uintptr_t>(first_ + 1) + alignof(T) - 1;
    return reinterpret_cast<T*>(start & ~static_cast<std::uintptr_t>(alignof(T) - 1));
  }

 private:
  struct alignas(16) block {
    block* next;
  };
  block* first_ = nullptr;
};

// Some bytes: text of `size` characters, or a list of `size` wires.
struct run_wire {
  const void* data;
  std::uint64_t size;
};

// What crosses as its own bytes: numbers, enumerations, pointers, records.
template <class T, class = void>
struct crossing {
  using wire = T;
  static const T& in(const wire& from) { return from; }
  static void out(wire* to, const T& value, arena&) { ::new (static_cast<void*>(to)) T(value); }
};
template <class T>
struct crossing<const T, void> : crossing<T> {};

template <class T>
using wire_of = typename crossing<T>::wire;

template <class T>
using bare = typename std::remove_cv<typename std::remove_reference<T>::type>::type;

// The address of an object, as wires hold it.
template <class T>
void* untyped(T* object) {
  return const_cast<void*>(static_cast<const volatile void*>(object));
}

// An argument, made of its wire.
template <class T>
T from_wire(const void* slot) {
  return crossing<T>::in(*static_cast<const wire_of<T>*>(slot));
}

// An argument for a T& that is not const: it lives as long as the call.
template <class T>
struct local {
  T value;
  operator T&() { return value; }
};

// Sole owner of an object, without what <memory> brings along.
template <class T>
class owned {
 public:
  explicit owned(T* object = nullptr) : object_(object) {}
  owned(owned&& other) noexcept : object_(other.release()) {}
  owned& operator=(const owned&) = delete;
  ~owned() noexcept(std::is_nothrow_destructible<T>::value) { delete object_; }
  T* get() const { return object_; }
  void reset(T* object) {
    delete object_;
    object_ = object;
  }
  T* release() {
    T* object = object_;
    object_ = nullptr;
    return object;
  }

 private:
  T* object_;
};

// An argument for a T*: null, or the address of an object that lives as long as the call.
template <class T>
struct target_wire {
  wire_of<T> inner;
  bool has;
};
template <class T>
class target {
 public:
  explicit target(const void* slot) : value_(made(*static_cast<const target_wire<T>*>(slot))) {}
  operator T*() const { return value_.get(); }

 private:
  static T* made(const target_wire<T>& from) {
    return from.has ? new T(crossing<T>::in(from.inner)) : nullptr;
  }
  owned<T> value_;
};

// A result's wire, and what keeps alive what it describes. Python calls `drop(held)` once.
template <class T>
struct held_wire {
  void* held;
  void (*drop)(void*);
  wire_of<T> wire;
};

template <class T>
struct holder {
  template <class U>
  explicit holder(U&& from) : value(static_cast<U&&>(from)) {}
  T value;
  arena memory;
};

template <class T, class U>
void hold(void* slot, U&& value) {
  owned<holder<T>> made(new holder<T>(static_cast<U&&>(value)));
  auto* to = static_cast<held_wire<T>*>(slot);
  crossing<T>::out(&to->wire, made.get()->value, made.get()->memory);
  to->held = made.release();
  to->drop = [](void* held) {
    SAMEBYTES_ENDING("the destructor of a result", delete static_cast<holder<T>*>(held))
  };
}

// Drops what is held for a call that fails after all.
struct undo_held {
  void* slot = nullptr;
  undo_held() = default;
  undo_held(const undo_held&) = delete;
  undo_held& operator=(const undo_held&) = delete;
  ~undo_held() {
    if (auto* const head = static_cast<held_wire<void*>*>(slot)) head->drop(head->held);
  }
};

// Stands in for samebytes_result<R>: a reference's target is copied, and so is what a view shows.
template <class R>
struct held_result {
  template <class Call, class... A>
  static void samebytes_run(void* storage, Call call, A&&... a) {
    undo_held undo;
    undo.slot = (samebytes::hold<bare<R>>(storage, call(static_cast<A&&>(a)...)), storage);
    undo.slot = nullptr;
  }
};

// The same of a class that owns what an expression, or a base, evaluates to: before any argument is gone.
template <class T>
struct evaluated_result {
  template <class Call, class... A>
  static void samebytes_run(void* storage, Call call, A&&... a) {
    undo_held undo;
    undo.slot = (samebytes::hold<T>(storage, call(static_cast<A&&>(a)...)), storage);
    undo.slot = nullptr;
  }
};

// Stands in for samebytes_result<T*>: null, or a copy of what it points to.
template <class T>
struct target_copy {
  explicit target_copy(const T* found) : copy(found ? new T(*found) : nullptr) {}
  owned<T> copy;
};
template <class T>
struct crossing<target_copy<T>, void> {
  using wire = target_wire<T>;
  static void out(wire* to, const target_copy<T>& from, arena& memory) {
    to->has = from.copy.get() != nullptr;
    if (to->has) crossing<T>::out(&to->inner, *from.copy.get(), memory);
  }
};
template <class T>
struct target_result {
  template <class Call, class... A>
  static void samebytes_run(void* storage, Call call, A&&... a) {
    samebytes::hold<target_copy<T>>(storage, target_copy<T>(call(static_cast<A&&>(a)...)));
  }
};

// Arguments that a returned pointer, or a new object, may point into: they live as long as Python has that.
class keeper {
 public:
  keeper() = default;
  keeper(const keeper&) = delete;
  keeper& operator=(const keeper&) = delete;
  ~keeper() { drop(first_); }

  template <class T>
  T& keep(T&& value) {
    auto* made = new item<T>(first_, static_cast<T&&>(value));
    first_ = made;
    return made->value;
  }
  // Fills the head of a held_wire.
  void hand_over(void* slot) {
    auto* head = static_cast<held_wire<void*>*>(slot);
    head->held = first_;
    head->drop = drop_all;
    first_ = nullptr;
  }
  // Where nobody can have them, for want of memory say, they live on: the object is there.
  void hand_over_to_call() {
    if (first_ && samebytes_keep) samebytes_keep(first_, drop_all);
    first_ = nullptr;
  }

 private:
  struct node {
    explicit node(node* after) : next(after) {}
    virtual ~node() noexcept(false) {}
    node* next;
  };
  template <class T>
  struct item : node {
    item(node* after, T&& from) : node(after), value(static_cast<T&&>(from)) {}
    T value;
  };
  static void drop_all(void* held) { drop(static_cast<node*>(held)); }
  static void drop(node* first) {
    while (first) {
      node* next = first->next;
      SAMEBYTES_ENDING("the destructor of an argument", delete first)
      first = next;
    }
  }
  node* first_ = nullptr;
};

// Storage for an output, described after the call.
template <class T>
struct output : undo_held {
  T value{};
  operator T&() { return value; }
  operator T*() { return &value; }
  void put(void* to) {
    samebytes::hold<T>(to, static_cast<T&&>(value));
    slot = to;
  }
};

// What Python sees as a number, so that arrays of it are arrays.
template <class T>
struct is_number : std::integral_constant<bool, !std::is_class<T>::value && !std::is_enum<T>::value &&
                                                    !std::is_pointer<T>::value && !std::is_union<T>::value> {
};

}  // namespace samebytes
