// PEP 3118's letters: see codec/letters.hpp.
#include "codec/letters.hpp"

namespace samebytes {

namespace {

struct Letter {
  const char* format;
  TypeCode code;
  uint8_t native;    // bits after '@' or no prefix
  uint8_t standard;  // bits after '=' or '<'; 0: not allowed there
};

// Where two have the same bits, the first one is shown.
constexpr Letter kLetters[] = {
    {"b", TypeCode::integer, 8, 8},
    {"h", TypeCode::integer, 16, 16},
    {"i", TypeCode::integer, 32, 32},
    {"l", TypeCode::integer, 8 * sizeof(long), 32},
    {"q", TypeCode::integer, 64, 64},
    {"B", TypeCode::unsigned_integer, 8, 8},
    {"H", TypeCode::unsigned_integer, 16, 16},
    {"I", TypeCode::unsigned_integer, 32, 32},
    {"L", TypeCode::unsigned_integer, 8 * sizeof(long), 32},
    {"Q", TypeCode::unsigned_integer, 64, 64},
    {"n", TypeCode::integer, 64, 0},
    {"N", TypeCode::unsigned_integer, 64, 0},
    {"?", TypeCode::boolean, 8, 8},
    {"e", TypeCode::floating, 16, 16},
    {"f", TypeCode::floating, 32, 32},
    {"d", TypeCode::floating, 64, 64},
    {"Zf", TypeCode::complex, 64, 64},
    {"Zd", TypeCode::complex, 128, 128},
};
static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "'<' is read as the native byte order");

}  // namespace

ElementType parse_format(const char* format) {
  if (!format) return {static_cast<uint8_t>(TypeCode::unsigned_integer), 8, 1};
  bool native = true;
  if (*format == '@' || *format == '=' || *format == '<') native = *format++ == '@';
  for (const Letter& row : kLetters)
    if (row.format[0] == format[0] && std::strcmp(row.format, format) == 0)
      return {static_cast<uint8_t>(row.code), native ? row.native : row.standard, 1};
  return {};
}

const char* format_letter(ElementType type) {
  for (const Letter& row : kLetters)
    if (type == ElementType{static_cast<uint8_t>(row.code), row.native, 1}) return row.format;
  return nullptr;
}

}  // namespace samebytes
