"""pugixml: walking by siblings and by ranges, XPath, and the truth of nodes, which is a safe-bool conversion."""

from __future__ import annotations

from typing import Any

import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # a large library

PROGRAM = r"""
#include <pugixml.hpp>
int main() {
  pugi::xml_document d; auto r = d.load_string("<a x='1'><b>t</b><b>u</b><c/></a>");
  tell((bool)r); tell(r.description());
  auto a = d.child("a");
  for (auto b = a.child("b"); b; b = b.next_sibling("b")) tell(b.child_value());
  tell(a.attribute("x").as_int()); tell((bool)a.attribute("x")); tell((bool)a.attribute("y"));
  for (auto b : a.children("b")) tell(b.child_value());
  for (auto n : a) tell(n.name());
  for (auto& n : d.select_nodes("/a/b")) tell(n.node().child_value());
  auto n = a.append_child("new"); n.append_attribute("z").set_value(2.5);
  tell(n.attribute("z").as_double()); tell(n.attribute("z").value()); tell(a == d.child("a")); tell(a == n);
  auto bad = d.load_string("<a>"); tell((bool)bad); tell(bad.description()); tell(bad.offset);
}
"""


@pytest.fixture(scope="module")
def pugi(needs: Any) -> Any:
    needs("pugixml.hpp", "libpugixml-dev", "pugixml")
    return sb.bind("pugixml.hpp", libraries=["pugixml"]).pugi


def test_a_document(pugi: Any, agree: Any) -> None:
    document = pugi.xml_document()
    read = document.load_string("<a x='1'><b>t</b><b>u</b><c/></a>")
    values: list[Any] = [bool(read), read.description()]
    a = document.child("a")
    b = a.child("b")
    while b:
        values.append(b.child_value())
        b = b.next_sibling("b")
    values += [a.attribute("x").as_int(), bool(a.attribute("x")), bool(a.attribute("y"))]
    values += [each.child_value() for each in a.children("b")]
    values += [each.name() for each in a]
    values += [each.node().child_value() for each in document.select_nodes("/a/b")]
    new = a.append_child("new")
    new.append_attribute("z").set_value(2.5)
    values += [new.attribute("z").as_double(), new.attribute("z").value(), a == document.child("a"), a == new]
    bad = document.load_string("<a>")
    agree([*values, bool(bad), bad.description(), bad.offset], PROGRAM, "-lpugixml")
