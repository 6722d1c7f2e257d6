// std::filesystem::path: its native characters, which are bytes.
#pragma once
#include <filesystem>

#include "text.hpp"

namespace samebytes {

template <>
struct crossing<std::filesystem::path, void> {
  using path = std::filesystem::path;
  using wire = run_wire;
  static path in(const wire& from) { return path(crossing<std::string>::in(from)); }
  static void out(wire* to, const path& value, arena&) {
    *to = {value.native().data(), value.native().size()};
  }
};

}  // namespace samebytes
