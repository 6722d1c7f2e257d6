// Sets and maps that have each key once: two keys that C++ takes for one are refused, as it would lose one of
// them without a word.
#pragma once
#include <stdexcept>
#include <string>

#include "sequence.hpp"
#include "text.hpp"

namespace samebytes {

// A key as C++ has it, read of its wire; empty where it is no number and no text.
template <class K, class = void>
struct key_words {
  static std::string of(const void*) { return ""; }
};
template <class K>
struct key_words<K, typename std::enable_if<std::is_arithmetic<K>::value>::type> {
  static std::string of(const void* wire) {
    return ", " + std::to_string(*static_cast<const K*>(wire)) + ",";
  }
};
template <class Traits, class Allocator>
struct key_words<std::basic_string<char, Traits, Allocator>, void> {
  static std::string of(const void* wire) {
    const auto* const text = static_cast<const run_wire*>(wire);
    return ", \"" + std::string(static_cast<const char*>(text->data), text->size) + "\",";
  }
};

struct unique_keys {
  // Asked after each item, whose wire begins with its key.
  template <class C>
  static void check(const C& made, const void* item, std::uint64_t i) {
    if (made.size() == i + 1) return;
    throw std::invalid_argument("item " + std::to_string(i) + key_words<typename C::key_type>::of(item) +
                                " has the key of an item before it, as C++ compares them, and would be lost: "
                                "leave it out, or give it another key");
  }
};

}  // namespace samebytes
