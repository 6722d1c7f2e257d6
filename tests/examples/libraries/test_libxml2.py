"""libxml2 from its own headers: a handler of events whose functions are Python's, trees, and XPath."""

from __future__ import annotations

import ctypes
import ctypes.util
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import samebytes as sb

pytestmark = [pytest.mark.full, pytest.mark.filterwarnings("ignore::samebytes.BindWarning")]

TEXT = (
    b"<farm><field crop='oats' size='3'>north</field>"
    b"<field crop='rye' size='5'>s\xc3\xbcd</field><pond/></farm>"
)


@pytest.fixture(scope="module")
def xml(needs: Callable[[str, str], None]) -> Any:
    needs("libxml2/libxml/xpath.h", "libxml2-dev")
    library = ctypes.util.find_library("xml2")
    if library is None:
        pytest.skip("libxml2 is not there: apt install libxml2")
    return sb.bind("libxml/xpath.h", library=library, style="c_api", include_dirs=["/usr/include/libxml2"])


def string(pointer: Any) -> str:
    return ctypes.string_at(int(pointer)).decode()


def test_events(xml: Any) -> None:
    seen: list[tuple[str, Any]] = []

    def start(context: Any, name: Any, attributes: Any) -> None:
        seen.append(("start", (string(name), dict(pairs(attributes)))))

    handler = xml.xmlSAXHandler(
        startElement=start,
        endElement=lambda context, name: seen.append(("end", string(name))),
        characters=lambda context, text, n: seen.append(("text", ctypes.string_at(int(text), n).decode())),
    )
    assert xml.xmlSAXUserParseMemory(handler, None, TEXT, len(TEXT)) == 0
    starts = [found for kind, found in seen if kind == "start"]
    assert starts == [(e.tag, dict(e.attrib)) for e in ElementTree.fromstring(TEXT).iter()]
    assert "".join(found for kind, found in seen if kind == "text") == "northsüd"
    assert [found for kind, found in seen if kind == "end"] == ["field", "field", "pond", "farm"]


def pairs(attributes: Any) -> Iterator[tuple[str, str]]:
    """The names and values of a C array that a null ends."""
    place = int(attributes) if attributes else 0
    while place and (name := ctypes.c_void_p.from_address(place).value):
        yield string(name), string(ctypes.c_void_p.from_address(place + 8).value)
        place += 16


def test_a_failing_handler(xml: Any) -> None:
    def start(context: Any, name: Any, attributes: Any) -> None:
        raise LookupError(string(name))

    handler = xml.xmlSAXHandler(startElement=start)
    with pytest.raises(LookupError, match="farm"):
        xml.xmlSAXUserParseMemory(handler, None, TEXT, len(TEXT))


def test_xpath(xml: Any) -> None:
    tree = xml.xmlReadMemory(TEXT, len(TEXT), "farm.xml", None, 0)
    context = xml.xmlXPathNewContext(tree)
    found = xml.xmlXPathEvalExpression(b"sum(//field/@size)", context)
    assert found.type == xml.XPATH_NUMBER
    assert found.floatval == 8
    xml.xmlXPathFreeObject(found)
    found = xml.xmlXPathEvalExpression(b"//field[@crop='rye']/text()", context)
    text = xml.xmlXPathCastToString(found)
    assert string(text) == "süd"
    xml.xmlXPathFreeObject(found)
    xml.xmlXPathFreeContext(context)
    xml.xmlFreeDoc(tree)


def test_what_is_no_xml(xml: Any) -> None:
    tree = xml.xmlReadMemory(b"<open>", 6, "x.xml", None, xml.XML_PARSE_NOERROR)
    assert not tree
    last = xml.xmlGetLastError()
    assert last.code == xml.XML_ERR_TAG_NOT_FINISHED
    assert last.line == 1


def test_its_bytes_are_text_where_that_is_said(needs: Callable[[str, str], None]) -> None:
    needs("libxml2/libxml/xpath.h", "libxml2-dev")
    library = ctypes.util.find_library("xml2")
    if library is None:
        pytest.skip("libxml2 is not there: apt install libxml2")
    lib: Any = sb.bind(
        "libxml/xpath.h", library=library, style="c_api", include_dirs=["/usr/include/libxml2"], texts=["xmlChar"],
        name="xml_texts",
    )  # fmt: skip
    assert lib.xmlStrlen("süd") == 4
    assert lib.xmlStrchr("farm", ord("r")) == "rm"
    tree = lib.xmlReadMemory(TEXT, len(TEXT), "farm.xml", None, 0)
    context = lib.xmlXPathNewContext(tree)
    found = lib.xmlXPathEvalExpression("count(//field)", context)
    assert found.floatval == 2
    lib.xmlXPathFreeObject(found)
    lib.xmlXPathFreeContext(context)
    lib.xmlFreeDoc(tree)
