"""TinyXML-2: a document is read, walked, changed and printed; its classes are declared ahead of their bases."""

from __future__ import annotations

from typing import Any

import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # a large library

TEXT = "<a x='1'><b>t</b><b>u</b><!-- c --></a>"
PROGRAM = r"""
#include <tinyxml2.h>
using namespace tinyxml2;
int main() {
  XMLDocument d; tell(d.Parse("<a x='1'><b>t</b><b>u</b><!-- c --></a>"));
  XMLElement* r = d.RootElement(); tell(r->Name()); tell(r->IntAttribute("x"));
  for (XMLElement* e = r->FirstChildElement("b"); e; e = e->NextSiblingElement("b")) tell(e->GetText());
  XMLElement* n = d.NewElement("new"); r->InsertEndChild(n); n->SetText("h\xc3\xa9"); n->SetAttribute("k", 3);
  XMLPrinter p; d.Print(&p); tell(p.CStr());
  tell(d.Parse("<a>")); tell(d.ErrorStr()); tell(d.RootElement() == nullptr);
}
"""


@pytest.fixture(scope="module")
def xml(needs: Any) -> Any:
    needs("tinyxml2.h", "libtinyxml2-dev", "tinyxml2")
    return sb.bind("tinyxml2.h", libraries=["tinyxml2"]).tinyxml2


def test_a_document(xml: Any, agree: Any) -> None:
    document = xml.XMLDocument()
    values: list[Any] = [document.Parse(TEXT)]
    root = document.RootElement()
    values += [root.Name(), root.IntAttribute("x")]
    element = root.FirstChildElement("b")
    while element is not None:
        values.append(element.GetText())
        element = element.NextSiblingElement("b")
    new = document.NewElement("new")
    root.InsertEndChild(new)
    new.SetText("hé")
    new.SetAttribute("k", 3)
    printer = xml.XMLPrinter()
    document.Print(printer)
    values += [*printer.CStr().split("\n")[:-1], ""]
    values += [document.Parse("<a>"), document.ErrorStr(), document.RootElement() is None]
    agree(values, PROGRAM, "-ltinyxml2")
