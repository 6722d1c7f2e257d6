// PEP 3118's letters: see codec/letters.hpp.
#include "codec/letters.hpp"

namespace samebytes {

namespace {

struct Letter {
  const char* format;
  uint8_t code;      // DLPack type code
  uint8_t native;    // bits after '@' or no prefix
  uint8_t standard;  // bits after '=' or '<'; 0: not allowed there
};

// Where two have the same bits, the first one is shown.
constexpr Letter kLetters[] = {
    {"b", 0, 8, 8},
    {"h", 0, 16, 16},
    {"i", 0, 32, 32},
    {"l", 0, 8 * sizeof(long), 32},
    {"q", 0, 64, 64},
    {"B", 1, 8, 8},
    {"H", 1, 16, 16},
    {"I", 1, 32, 32},
    {"L", 1, 8 * sizeof(long), 32},
    {"Q", 1, 64, 64},
    {"n", 0, 64, 0},
    {"N", 1, 64, 0},
    {"?", 6, 8, 8},
    {"e", 2, 16, 16},
    {"f", 2, 32, 32},
    {"d", 2, 64, 64},
    {"Zf", 5, 64, 64},
    {"Zd", 5, 128, 128},
};
static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "'<' is read as the native byte order");

}  // namespace

ElementType parse_format(const char* format) {
  if (!format) return {1, 8, 1};
  bool native = true;
  if (*format == '@' || *format == '=' || *format == '<') native = *format++ == '@';
  for (const Letter& row : kLetters)
    if (row.format[0] == format[0] && std::strcmp(row.format, format) == 0)
      return {row.code, native ? row.native : row.standard, 1};
  return {};
}

const char* format_letter(ElementType type) {
  for (const Letter& row : kLetters)
    if (type == ElementType{row.code, row.native, 1}) return row.format;
  return nullptr;
}

}  // namespace samebytes
