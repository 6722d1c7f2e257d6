// std::list.
#pragma once
#include <list>

#include "sequence.hpp"

namespace samebytes {

template <class T, class A>
struct crossing<std::list<T, A>, void> : crossing_sequence<std::list<T, A>, is_number<T>::value> {};

}  // namespace samebytes
