// std::initializer_list: over elements that live as long as the call.
#pragma once
#include <initializer_list>
#include <stdexcept>

#include "vector.hpp"

namespace samebytes {

// Made of a vector's elements; described by a copy of its own, as a vector made of them would be gone.
template <class T>
struct crossing<std::initializer_list<T>, void> : crossing_sequence<std::vector<T>, is_number<T>::value> {
  using copied = crossing_sequence<std::initializer_list<T>, is_number<T>::value>;
  static void out(typename copied::wire* to, const std::initializer_list<T>& value, arena& memory) {
    copied::out(to, value, memory);
  }
};

template <class T>
class listed {
 public:
  explicit listed(const void* slot)
      : elements_(from_wire<std::vector<T>>(slot)), list_{elements_.data(), elements_.size()} {
    if (seen().begin() != elements_.data() || seen().size() != elements_.size())
      throw std::logic_error("this library's std::initializer_list is no address and length");
  }
  operator std::initializer_list<T>() const { return seen(); }

 private:
  struct fields {
    const T* data;
    std::size_t size;
  };
  static_assert(sizeof(fields) == sizeof(std::initializer_list<T>), "an address and a length");
  std::initializer_list<T> seen() const {
    std::initializer_list<T> list;
    __builtin_memcpy(static_cast<void*>(&list), &list_, sizeof list);
    return list;
  }
  std::vector<T> elements_;
  fields list_;
};

}  // namespace samebytes
