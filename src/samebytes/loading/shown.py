"""What notebooks show of a library: its names and what they are, and what is not bound."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

from ..call.introspection import declaration_text
from ..model.module import Module
from ..model.signature import Signature
from .explaining.fragments import skipped_html

VARIABLE = object()  # stands for one, whose value is not asked for
_MANY = 60  # names; a larger library is for explain()


def library_html(name: str, every: Sequence[tuple[str, Any]], module: Module) -> str:
    """The names of a library with what they are, in the order in which they were bound."""
    said, left = _said(module), module.skipped
    rows = "".join(
        f'<tr><td style="text-align:left"><code>{escape(path)}</code></td>'
        f'<td style="text-align:left">{_words(value, said.get(path))}</td></tr>'
        for path, value in every[:_MANY]
    )
    more = (
        f"<p>… and {len(every) - _MANY} more: <code>dir()</code> lists them.</p>"
        if len(every) > _MANY
        else ""
    )
    count = f"{len(left)} not bound" if left else "everything is bound"
    why = f"<details><summary>{count}</summary>{skipped_html(left)}</details>" if left else f"<p>{count}</p>"
    title = f"<p><b>{escape(name)}</b>, a library of {len(every)} names</p>"
    return f"<div>{title}<table><tbody>{rows}</tbody></table>{more}{why}</div>"


def _said(module: Module) -> dict[str, Signature | str]:
    """What C++ declares, by its name with dots: functions, and of classes the comment."""
    signatures = {s.qualified.replace("::", "."): s for s in reversed(module.functions)}
    described: tuple[Any, ...] = (*module.records, *module.enums)
    classes = {d.name.replace("::", "."): f"class {_first(d.doc)}" for d in described}
    return {**signatures, **classes}


def _words(value: Any, said: Signature | str | None) -> str:
    """A line of HTML: of a function its C++ declaration, of a class its comment."""
    if isinstance(value, bool | int | float | str):
        return f"<code>{escape(repr(value))}</code>"
    if isinstance(said, Signature):
        return f"<code>{escape(declaration_text(said))}</code>"
    if said is None and isinstance(value, type):
        said = f"class {_first(value.__doc__)}"
    return escape(said or ("a variable of C++" if value is VARIABLE else type(value).__name__))


def _first(doc: str | None) -> str:
    return (doc or "").strip().partition("\n")[0]
