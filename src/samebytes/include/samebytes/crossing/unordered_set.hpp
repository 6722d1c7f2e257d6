// std::unordered_set and std::unordered_multiset.
#pragma once
#include <unordered_set>

#include "sequence.hpp"

namespace samebytes {

template <class T, class H, class E, class A>
struct crossing<std::unordered_set<T, H, E, A>, void>
    : crossing_sequence<std::unordered_set<T, H, E, A>, false> {};
template <class T, class H, class E, class A>
struct crossing<std::unordered_multiset<T, H, E, A>, void>
    : crossing_sequence<std::unordered_multiset<T, H, E, A>, is_number<T>::value> {};

}  // namespace samebytes
