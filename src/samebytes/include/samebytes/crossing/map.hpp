// std::map and std::multimap: lists of pairs.
#pragma once
#include <map>

#include "product.hpp"
#include "sequence.hpp"

namespace samebytes {

template <class K, class V, class L, class A>
struct crossing<std::map<K, V, L, A>, void> : crossing_sequence<std::map<K, V, L, A>, false> {};
template <class K, class V, class L, class A>
struct crossing<std::multimap<K, V, L, A>, void> : crossing_sequence<std::multimap<K, V, L, A>, false> {};

}  // namespace samebytes
