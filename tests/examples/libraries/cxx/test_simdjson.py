"""simdjson: a document is read, and its members asked for, by its own classes; errors are its exceptions."""

from __future__ import annotations

from typing import Any

import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # a large library

PROGRAM = r"""
#include <simdjson.h>
int main() {
  simdjson::dom::parser p;
  auto e = p.parse(std::string("{\"a\": 1.5, \"b\": [1, 2.5, \"\xc3\xa9\"]}"));
  tell(double(e["a"])); tell(e["a"].get_double().value()); tell(e["a"].is_string());
  tell(simdjson::minify(e["b"].value())); tell(simdjson::minify(e.at_pointer("/b/2").value()));
  for (auto x : e["b"]) tell(x.is_double());
  try { tell(static_cast<double>(e["c"])); } catch (const std::exception& x) { tell(x.what()); }
  tell((int)e["c"].error());
  auto bad = p.parse(std::string("{"));
  try { tell(static_cast<double>(bad["c"])); } catch (const std::exception& x) { tell(x.what()); }
}
"""
# What a result of simdjson's has stands in explicit specializations of one class template, and in their base.
OWN = ["simdjson::dom::parser", "simdjson::dom::element", "simdjson::simdjson_result*", "simdjson::minify",
       "simdjson::internal::simdjson_result_base"]  # fmt: skip


def test_documents(needs: Any, agree: Any) -> None:
    """No C++ of one's own."""
    needs("simdjson.h", "libsimdjson-dev", "simdjson")
    lib = sb.compile("#include <simdjson.h>\n", libraries=["simdjson"], expose=OWN, flags=["-O0"]).simdjson
    parser = lib.dom.parser()
    e = parser.parse('{"a": 1.5, "b": [1, 2.5, "é"]}')
    values: list[Any] = [float(e["a"]), e["a"].get_double().value(), e["a"].is_string()]
    values += [lib.minify(e["b"].value()), lib.minify(e.at_pointer("/b/2").value())]
    values += [x.is_double() for x in e["b"]]
    with pytest.raises(RuntimeError) as refused:
        float(e["c"])
    values += [str(refused.value), e["c"].error()]
    bad = parser.parse("{")
    with pytest.raises(RuntimeError) as refused:
        float(bad["c"])
    agree([*values, str(refused.value)], PROGRAM, "-lsimdjson")
