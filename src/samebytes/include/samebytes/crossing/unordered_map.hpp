// std::unordered_map and std::unordered_multimap: lists of pairs.
#pragma once
#include <unordered_map>

#include "keys.hpp"
#include "product.hpp"

namespace samebytes {

template <class K, class V, class H, class E, class A>
struct crossing<std::unordered_map<K, V, H, E, A>, void>
    : crossing_sequence<std::unordered_map<K, V, H, E, A>, false, unique_keys> {};
template <class K, class V, class H, class E, class A>
struct crossing<std::unordered_multimap<K, V, H, E, A>, void>
    : crossing_sequence<std::unordered_multimap<K, V, H, E, A>, false> {};

}  // namespace samebytes
