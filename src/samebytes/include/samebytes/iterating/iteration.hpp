// A range-based for statement in steps, as Python's iterators take it: what begin() and end() gave, and how
// far it has come. What C++ iterates, and whether it does, the compiler decides: `it != end`, `*it` and
// `++it` of whatever types.
#pragma once
#include <exception>
#include <type_traits>
#include <utility>
#ifdef __GLIBCXX__
#include <bits/stl_iterator_base_types.h>  // <iterator> brings the streams with it
namespace __gnu_cxx {
template <typename, typename>
class __normal_iterator;
}
#else
#include <iterator>
#endif

#include "head.hpp"

// As report.cpp catches it.
struct samebytes_stopped {};

// Where the core's list begins; null where no core has loaded the library. Defined in report.cpp.
extern "C" __attribute__((visibility("protected"))) void* samebytes_iterations;

namespace samebytes {

// Why Python gets no element: RuntimeError.
struct no_element : std::exception {
  const char* words;
  explicit no_element(const char* why) : words(why) {}
  const char* what() const noexcept override { return words; }
};

// As the statement finds them: members where the class has such names, else functions found by the argument
// alone.
namespace range_ends {
template <class R>
auto first(R& range, int) -> decltype(range.begin()) {
  return range.begin();
}
template <class R>
auto first(R& range, long) -> decltype(begin(range)) {
  return begin(range);
}
template <class R>
auto last(R& range, int) -> decltype(range.end()) {
  return range.end();
}
template <class R>
auto last(R& range, long) -> decltype(end(range)) {
  return end(range);
}
}  // namespace range_ends

// Whether an iterator says that it is good for one pass: what it refers to lasts until the next step, no
// longer.
template <class I, class = void>
struct passes_once : std::false_type {};
template <class I>
struct passes_once<I,
                   decltype(static_cast<void>(sizeof(typename std::iterator_traits<I>::iterator_category)))>
    : std::integral_constant<bool,
                             !std::is_base_of<std::forward_iterator_tag,
                                              typename std::iterator_traits<I>::iterator_category>::value> {};

// Whether an iterator says anything of the kind.
template <class I, class = void>
struct tells_passes : std::false_type {};
template <class I>
struct tells_passes<I,
                    decltype(static_cast<void>(sizeof(typename std::iterator_traits<I>::iterator_category)))>
    : std::true_type {};

// Whether elements lie side by side, so that an iterator is good while the two ends are what they were.
template <class I>
struct side_by_side : std::is_pointer<I> {};
#ifdef __GLIBCXX__
template <class P, class C>
struct side_by_side<__gnu_cxx::__normal_iterator<P, C>> : std::is_pointer<P> {};
#endif
#ifdef _LIBCPP_VERSION
template <class P>
struct side_by_side<std::__wrap_iter<P>> : std::is_pointer<P> {};
#endif

// Whether Python gets the object of an element that is a smart pointer, which only C++ moves.
template <class R, class E>
struct is_owned
    : std::integral_constant<bool, std::is_pointer<R>::value &&
                                       std::is_class<typename std::remove_reference<E>::type>::value &&
                                       !std::is_convertible<E, R>::value> {};

// What the steps of one loop share.
template <class T>
class loop {
  using first_type = typename std::decay<decltype(range_ends::first(std::declval<T&>(), 0))>::type;
  using last_type = typename std::decay<decltype(range_ends::last(std::declval<T&>(), 0))>::type;
  struct copies {
    void* element;
    void (*drop)(void*);
    copies* next;
  };

 public:
  explicit loop(T& range)
      : range_(range),
        at_(range_ends::first(range, 0)),
        end_(range_ends::last(range, 0)),
        began_(at_, range) {}
  loop(const loop&) = delete;
  ~loop() {
    while (copies* one = copied_) {
      copied_ = one->next;
      one->drop(one->element);
      delete one;
    }
  }

  // The next element, as C++ gives it; at the end, and after an exception, samebytes_stopped. `Viewed`:
  // Python refers to what it gets.
  template <class R, bool Viewed>
  R step(iteration_head& head) {
    if (running_) throw no_element("this iterator is already making a step");
    if (head.over) throw samebytes_stopped();
    making made(*this, head);
    if (head.written) check(head);
    if (begun_) ++at_;
    begun_ = true;
    if (!static_cast<bool>(at_ != end_)) throw samebytes_stopped();
    made.ends = false;
    try {
      return given<R>(std::integral_constant<bool, Viewed>());
    } catch (...) {
      made.ends = true;
      throw;
    }
  }

 private:
  // The loop ends with the first step that gives no element. What tells Python the end is not caught on its
  // way: that costs as much as it does.
  struct making {
    loop& steps;
    iteration_head& head;
    bool ends = true;
    making(loop& which, iteration_head& its) : steps(which), head(its) { steps.running_ = true; }
    ~making() {
      steps.running_ = false;
      if (!ends) return;
      delist(head);
      head.over = true;
    }
  };

  // Where the ends were, if that says whether iterators are still good.
  template <class I, bool = side_by_side<I>::value && std::is_same<first_type, last_type>::value>
  struct beginning {
    beginning(const I&, T&) {}
    bool is_still(T&, const last_type&) const { return false; }
  };
  template <class I>
  struct beginning<I, true> {
    I first;
    beginning(const I& at, T&) : first(at) {}
    bool is_still(T& range, const last_type& end) const {
      return range_ends::first(range, 0) == first && range_ends::last(range, 0) == end;
    }
  };

  // Before C++ is asked, which may call what writes to the object once more.
  void check(iteration_head& head) {
    head.written = false;
    if (auto* const first = static_cast<iteration_head**>(samebytes_iterations)) enlist(head, first);
    if (began_.is_still(range_, end_)) return;
    throw no_element(
        "what C++ iterates was given to a function that may change it, and its iterators need not be good "
        "after that: list(...) it first");
  }

  template <class R>
  R given(std::false_type) {
    return pointed<R>(is_owned<R, decltype(*at_)>());
  }
  template <class R>
  R pointed(std::false_type) {
    return static_cast<R>(*at_);
  }
  template <class R>
  R pointed(std::true_type) {
    return static_cast<R>((*at_).get());
  }

  // A reference is good for as long as Python has it, unless the next step puts another element in its place.
  template <class R>
  R given(std::true_type) {
    using element = typename std::remove_cv<typename std::remove_reference<R>::type>::type;
    R seen = static_cast<R>(*at_);
    const auto place = reinterpret_cast<unsigned long>(__builtin_addressof(seen));
    const auto own = reinterpret_cast<unsigned long>(__builtin_addressof(at_));
    const bool inside = place - own < sizeof at_;
    if (inside || passes_once<first_type>::value) return kept<R>(seen, std::is_copy_constructible<element>());
    if (!tells_passes<first_type>::value && place == before_)
      throw no_element(
          "C++ gives one element after the other in the same place, and its iterator does not say that it "
          "does");
    before_ = place;
    return seen;
  }
  template <class R>
  R kept(R seen, std::true_type) {
    using element = typename std::remove_cv<typename std::remove_reference<R>::type>::type;
    copied_ = new copies{nullptr, [](void* old) { delete static_cast<element*>(old); }, copied_};
    auto* const made = new element(seen);
    copied_->element = made;
    return *made;
  }
  template <class R>
  R kept(R, std::false_type) {
    throw no_element("C++ gives one element after the other in the same place, and none can be copied");
  }

  T& range_;
  first_type at_;
  last_type end_;
  beginning<first_type> began_;
  copies* copied_ = nullptr;
  unsigned long before_ = 0;  // where the last element was
  bool begun_ = false, running_ = false;
};

// What a Python iterator holds: the loop, wherever it lies, and its place in the core's list.
template <class T>
class iteration : iteration_head {
 public:
  explicit iteration(T& range)
      : iteration_head{nullptr, nullptr, __builtin_addressof(range), sizeof(T), false, false},
        loop_(new loop<T>(range)) {
    if (auto* const first = static_cast<iteration_head**>(samebytes_iterations)) enlist(*this, first);
  }
  iteration(iteration&& other) noexcept : iteration_head(other), loop_(other.loop_) {
    iteration_head** const first = other.at;
    at = nullptr;
    other.loop_ = nullptr;
    delist(other);
    if (first) enlist(*this, first);
  }
  ~iteration() {
    delist(*this);
    delete loop_;
  }

  // Const, as the core asks nothing of an object that a call does not write to.
  template <class R, bool Viewed>
  R step() const {
    return loop_->template step<R, Viewed>(*const_cast<iteration*>(this));
  }

 private:
  loop<T>* loop_;
};

template <class T>
iteration<T> iterate(T& range) {
  return iteration<T>(range);
}

}  // namespace samebytes
