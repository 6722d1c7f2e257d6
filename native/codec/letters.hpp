// PEP 3118's letters for numbers: one table, for buffers that are read and buffers that are shown.
#pragma once
#include "call/spec.hpp"

namespace samebytes {

// The element type that a format of one number names; zero bits: none, or not in native byte order.
ElementType parse_format(const char* format);

// The format of a number; null: PEP 3118 has no letter for it (bfloat16, the floats of 8 bits …).
const char* format_letter(ElementType type);

}  // namespace samebytes
