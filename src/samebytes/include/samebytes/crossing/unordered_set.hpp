// std::unordered_set and std::unordered_multiset.
#pragma once
#include <unordered_set>

#include "keys.hpp"

namespace samebytes {

template <class T, class H, class E, class A>
struct crossing<std::unordered_set<T, H, E, A>, void>
    : crossing_sequence<std::unordered_set<T, H, E, A>, false, unique_keys> {};
template <class T, class H, class E, class A>
struct crossing<std::unordered_multiset<T, H, E, A>, void>
    : crossing_sequence<std::unordered_multiset<T, H, E, A>, is_number<T>::value> {};

}  // namespace samebytes
