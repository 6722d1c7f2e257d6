// std::map and std::multimap: lists of pairs.
#pragma once
#include <map>

#include "keys.hpp"
#include "product.hpp"

namespace samebytes {

template <class K, class V, class L, class A>
struct crossing<std::map<K, V, L, A>, void> : crossing_sequence<std::map<K, V, L, A>, false, unique_keys> {};
template <class K, class V, class L, class A>
struct crossing<std::multimap<K, V, L, A>, void> : crossing_sequence<std::multimap<K, V, L, A>, false> {};

}  // namespace samebytes
