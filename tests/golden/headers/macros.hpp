// Object-like macros: those that the compiler accepts as a constant, and those that declare nothing. flags: -std=c++17;
#ifndef MACROS_HPP
#define MACROS_HPP 1
#include <cstdint>
#define EMPTY
#define NUMBER 5
#define NEGATIVE -5
#define HEXADECIMAL 0xFFFFFFFFFFFFFFFFull
#define SUFFIXED 1.5f
#define DOUBLE 6.02e23
#define LETTER 'x'
#define TRUTH true
#define TEXT "plain" " text"
#define QUOTED ("say \"hi\"\n/* no comment */ // neither")
#define ACCENT "\xc3\xa9é\101"
#define CAST ((std::int64_t)1 << 40)
#define A 1
#define B 2 // of two
#define FLAGS (A | B)
#define BARE A + B
#define LONG_ONE \
  (A + /* over \
          lines */ \
   B)
#define SIZE sizeof(Pair)
#define SQUARE(x) ((x) * (x))
#define FROM_SQUARE SQUARE(3)
#define FUNCTIONAL twice(21)
#define ENUMERATOR Color::green
#define MAXIMUM INT32_MAX
#define CHOSEN 1
#undef CHOSEN
#define CHOSEN 2
struct Pair {
  int a, b;
};
enum class Color : short { red, green = 7 };
enum Plain { LOW, HIGH };
constexpr int twice(int x) { return 2 * x; }
int function(int x);
extern int variable;
constexpr int known = 3;
#define VALUE known
// Constants that cannot cross.
#define WIDE 2.5L
#define HUGE_NUMBER ((__int128)1)
#define ORIGIN \
  Pair { 0, 0 }
#define ADDRESS (&variable)
#define NUL "a\0b"
#define WIDE_TEXT L"wide"
#define PICKED (A ? "one" : "other")
// No constants.
#define TYPE int
#define STRUCT struct Pair
#define KEYWORD static
#define ATTRIBUTE [[maybe_unused]]
#define EXPORTED __attribute__((visibility("default")))
#define STATEMENT return 0
#define DECLARATION int z = 0;
#define OPEN {
#define BEGIN namespace q OPEN
#define CLOSE }
#define LIST 1, 2
#define MORE 1, another = 2
#define ALIAS function
#define RUNTIME function(1)
#define READS variable
#define HERE __LINE__
#define STAMP __DATE__ " " __TIME__
#define PRAGMA _Pragma("pack(1)") 1
#define ITSELF ITSELF
#define REMOVED 5
#undef REMOVED
#if 0
#define NEVER 5
#endif
/*
#define COMMENTED 5
*/
#define _RESERVED_NAME 5
#define __reserved 5
// Names that something else has.
#define function function
#define LOW LOW
#endif
