// std::deque.
#pragma once
#include <deque>

#include "sequence.hpp"

namespace samebytes {

template <class T, class A>
struct crossing<std::deque<T, A>, void> : crossing_sequence<std::deque<T, A>, is_number<T>::value> {};

}  // namespace samebytes
