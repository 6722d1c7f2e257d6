// std::stack: its elements from the bottom to the top, as a list in Python that is one.
#pragma once
#include <stack>

#include "adapted.hpp"

namespace samebytes {

template <class T, class C>
struct crossing<std::stack<T, C>, void> : crossing_adapted<std::stack<T, C>> {};

}  // namespace samebytes
