"""The explorer: everything that a library binds, on one page that needs nothing else and can be searched."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ....errors import Error
from ....layouts.dialects import dialect_names, layout
from ....layouts.picture import svg
from ..fragments import class_html, function_html, skipped_html

if TYPE_CHECKING:
    from .. import Explanation

_HOME = Path(__file__).parent
# What the compiler calls std::string and std::string_view, which nobody types.
_ALIASED = re.compile(r"std::basic_string(_view)?<char>")
_SECTIONS = {"functions": "Functions", "classes": "Classes", "skipped": "Not bound"}


def page_text(explanation: Explanation, records: Mapping[str, Any]) -> str:
    """The page.

    Parameters
    ----------
    explanation : Explanation
    records : mapping of str to type
        The classes that have a layout, by their qualified C++ names.
    """
    entries = {
        "functions": [_entry(f.name, f"{f.python} {f.cxx}", function_html(f)) for f in explanation.functions],
        "classes": [
            _entry(c.name, c.name, f"<p>{class_html(c)}</p>{pictures_html(records.get(c.name))}")
            for c in explanation.classes
        ],
        "skipped": [_entry(s.name, f"{s.name} {s.reason}", skipped_html((s,))) for s in explanation.skipped],
    }
    sections = "".join(
        f'<section id="{name}"><h2>{_SECTIONS[name]} <small>{len(found)}</small></h2>{"".join(found)}</section>'
        for name, found in entries.items()
        if found
    )
    words = {
        "title": escape(explanation.library),
        "summary": f"{explanation.bound} of {explanation.exposed} declarations are bound",
        "style": _part("page.css"),
        "script": _part("page.js"),
        "links": " ".join(
            f'<a href="#{name}">{_SECTIONS[name]}</a>' for name, found in entries.items() if found
        ),
        "sections": sections,
    }
    text = _part("page.html")
    for word, value in words.items():
        text = text.replace(f"<!--{word}-->", value)
    return text


def _part(name: str) -> str:
    return (_HOME / name).read_text(encoding="utf-8")


def _entry(name: str, searched: str, body: str) -> str:
    words = searched
    if _ALIASED.search(searched):
        words += " " + _ALIASED.sub(r"std::string\1", searched)
    return f'<article data-name="{escape(name)}" data-search="{escape(words.lower())}">{body}</article>'


def pictures_html(cls: Any) -> str:
    """The picture of a class in each dialect; dialects that lay it out alike share one."""
    if cls is None:
        return ""
    shared: dict[Any, list[str]] = {}
    for dialect in sorted(dialect_names(), key=_plain_first):
        try:
            shared.setdefault(_shape(cls, dialect), []).append(dialect)
        except (TypeError, Error):  # the dialect has no such type
            continue
    return "".join(_figure(cls, dialects) for dialects in shared.values())


def _plain_first(dialect: str) -> tuple[bool, str]:
    return dialect != "cxx", dialect


def _shape(cls: Any, dialect: str) -> tuple[Any, ...]:
    """What two dialects must agree in to share a picture."""
    found = layout(cls, dialect)
    return found.size, found.align, tuple((f.name, f.offset, f.size) for f in found.fields)


def _figure(cls: Any, dialects: Iterable[str]) -> str:
    named = [*dialects]
    return f"<figure>{svg(cls, named[0])}<figcaption>{escape(', '.join(named))}</figcaption></figure>"
