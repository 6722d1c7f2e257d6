// What arrays of any rank and elements have in common: a descriptor of bytes, extents and strides.
#pragma once
#include <cstring>

#include "matrix.hpp"

namespace samebytes {

struct nd_wire {
  static constexpr int most = 8;
  const void* data;
  std::uint64_t size;  // bytes
  std::int64_t step;
  std::int64_t rank, element;
  std::int64_t shape[most], strides[most];  // strides in bytes
};

inline std::int64_t nd_count(const nd_wire& of) {
  std::int64_t count = 1;
  for (std::int64_t i = 0; i < of.rank; ++i) count *= of.shape[i];
  return count;
}

// Goes through all elements, the last index or the first fastest.
template <class Visit>
void nd_walk(const nd_wire& of, Visit visit, bool last_fastest = true) {
  if (nd_count(of) == 0) return;
  std::int64_t at[nd_wire::most] = {};
  char* place = static_cast<char*>(const_cast<void*>(of.data));
  for (;;) {
    visit(place);
    std::int64_t i = 0;
    for (; i < of.rank; ++i) {
      const std::int64_t d = last_fastest ? of.rank - 1 - i : i;
      place += of.strides[d];
      if (++at[d] < of.shape[d]) break;
      place -= of.strides[d] * of.shape[d];
      at[d] = 0;
    }
    if (i == of.rank) return;
  }
}

// Elements of a size in bytes, wherever they lie, into memory of their number.
inline void nd_copy(void* to, const nd_wire& from, std::size_t each, bool last_fastest = true) {
  char* next = static_cast<char*>(to);
  nd_walk(
      from,
      [&](const char* place) {
        std::memcpy(next, place, each);
        next += each;
      },
      last_fastest);
}

// Begins a descriptor; extents and strides are then set, or follow from the order.
inline void nd_describe(nd_wire* to, const void* data, std::int64_t rank, std::int64_t element) {
  if (rank > nd_wire::most) throw std::invalid_argument("an array of more than 8 dimensions");
  *to = nd_wire{data, 0, 1, rank, element, {}, {}};
}
// The bytes from the first element to the last, by extents and strides.
inline void nd_measure(nd_wire* to, std::size_t each) {
  std::uint64_t last = each;
  for (std::int64_t i = 0; i < to->rank; ++i)
    last += static_cast<std::uint64_t>((to->shape[i] - 1) * to->strides[i]);
  to->size = nd_count(*to) ? last : 0;
}

// Elements of their number to where a descriptor says.
inline void nd_store(const nd_wire& to, const void* from, std::size_t each, bool last_fastest = true) {
  const char* next = static_cast<const char*>(from);
  nd_walk(
      to,
      [&](char* place) {
        std::memcpy(place, next, each);
        next += each;
      },
      last_fastest);
}

// An argument of Python's that C++ may write to, where it lies or, in the end, there; not one that it makes
// anew.
template <class T>
class shown_array {
 public:
  explicit shown_array(const void* slot)
      : from_(*static_cast<const nd_wire*>(slot)), value_(crossing<T>::show(from_)) {}
  operator T&() { return value_; }
  void check() {
    if (!crossing<T>::finish(value_, from_))
      throw std::invalid_argument(
          "C++ made a new array, of another shape or of other elements, in the place of one that Python "
          "gave, "
          "which does not have it; arg_intent={...: {...: \"out_return\"}} gives it back");
  }

 private:
  const nd_wire from_;
  T value_;
};

}  // namespace samebytes
