"""simdjson: a document is read, and its members asked for; errors are its exceptions."""

from __future__ import annotations

from typing import Any

import pytest

import samebytes as sb

SOURCE = r"""
#include <simdjson.h>
#include <string>
inline double field(const std::string& json, const std::string& name) {
  simdjson::dom::parser p;
  return double(p.parse(json)[name]);
}
inline std::string shown(const std::string& json) {
  simdjson::dom::parser p;
  return simdjson::minify(p.parse(json).value());
}
"""
PROGRAM = r"""
int main() {
  tell(field("{\"a\": 1.5, \"b\": [1, 2]}", "a")); tell(shown("{ \"a\" : [1, 2.5, \"\xc3\xa9\"] }"));
  try { field("{\"a\": 1}", "c"); } catch (const std::exception& e) { tell(e.what()); }
  try { field("{", "c"); } catch (const std::exception& e) { tell(e.what()); }
}
"""


def test_documents(needs: Any, agree: Any) -> None:
    needs("simdjson.h", "libsimdjson-dev", "simdjson")
    lib = sb.compile(SOURCE, libraries=["simdjson"])
    values: list[Any] = [lib.field('{"a": 1.5, "b": [1, 2]}', "a"), lib.shown('{ "a" : [1, 2.5, "é"] }')]
    for json in ('{"a": 1}', "{"):
        with pytest.raises(RuntimeError) as refused:
            lib.field(json, "c")
        values.append(str(refused.value))
    agree(values, SOURCE + PROGRAM, "-lsimdjson")
