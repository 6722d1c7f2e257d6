// std::set and std::multiset.
#pragma once
#include <set>

#include "keys.hpp"

namespace samebytes {

template <class T, class L, class A>
struct crossing<std::set<T, L, A>, void> : crossing_sequence<std::set<T, L, A>, false, unique_keys> {};
template <class T, class L, class A>
struct crossing<std::multiset<T, L, A>, void>
    : crossing_sequence<std::multiset<T, L, A>, is_number<T>::value> {};

}  // namespace samebytes
