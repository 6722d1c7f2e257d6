"""Explanations as HTML: the parts that notebooks show, and of which the explorer's page is made."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import TYPE_CHECKING

from ...model.module import Skipped
from .facts import PATHS, ArgumentFacts, ClassFacts, FunctionFacts

if TYPE_CHECKING:
    from . import Explanation

COLUMNS = ("argument", "C++", "intent", "taken natively", "by way of Python", "copied", "why this intent")
_LEFT = ' style="text-align:left"'


def explanation_html(explanation: Explanation) -> str:
    """All of it."""
    parts = [function_html(facts) for facts in explanation.functions]
    parts += [f"<p>{class_html(facts)}</p>" for facts in explanation.classes]
    if explanation.skipped:
        parts.append(skipped_html(explanation.skipped))
    return f"<div>{''.join(parts)}</div>"


def function_html(facts: FunctionFacts) -> str:
    """One overload: what Python sees, what C++ declares, each argument."""
    lines = [
        f"<p><b><code>{escape(facts.python)}</code></b><br><code>{escape(facts.cxx)}</code>",
    ]
    said = (
        _near(facts.location),
        f"{facts.path} path: {PATHS[facts.path]}",
        facts.gil,
        _result(facts),
        facts.keeps,
        _chosen(facts),
    )
    lines.append(f"<br><small>{' · '.join(escape(words) for words in said if words)}</small></p>")
    return "".join(lines) + (arguments_html(facts.arguments) if facts.arguments else "")


def _result(facts: FunctionFacts) -> str:
    return f"the result: {facts.returns}" if facts.returns else ""


def _chosen(facts: FunctionFacts) -> str:
    return f"chosen by {facts.chosen}" if facts.chosen else ""


def _near(location: str) -> str:
    """A place without its folders."""
    return location.rpartition("/")[2]


def arguments_html(arguments: Iterable[ArgumentFacts]) -> str:
    """The table of the arguments; a column that says nothing is not there."""
    rows = [
        (a.name, a.declaration, a.intent, a.takes, a.otherwise, a.copies, a.why)
        for a in arguments
    ]  # fmt: skip
    used = [i for i in range(len(COLUMNS)) if any(row[i] for row in rows)]
    head = "".join(f"<th{_LEFT}>{COLUMNS[i]}</th>" for i in used)
    body = "".join(f"<tr>{''.join(f'<td{_LEFT}>{_cell(i, row[i])}</td>' for i in used)}</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _cell(column: int, text: str) -> str:
    return f"<code>{escape(text)}</code>" if column < 2 and text else escape(text)


def class_html(facts: ClassFacts) -> str:
    """What ``==`` compares, and Python's forms."""
    said = "".join(f"<br><small>{escape(line)}</small>" for line in facts.pythonic)
    return f"<b><code>{escape(facts.name)}</code></b> == compares {escape(facts.equality)}{said}"


def skipped_html(skipped: Iterable[Skipped]) -> str:
    """What is not bound, and why."""
    rows = "".join(
        f"<tr><td{_LEFT}><code>{escape(one.name)}</code></td><td{_LEFT}>{escape(one.reason)}</td>"
        f"<td{_LEFT}><small>{escape(_near(str(one.location)))}</small></td></tr>"
        for one in skipped
    )
    head = "".join(f"<th{_LEFT}>{title}</th>" for title in ("not bound", "why", "where"))
    return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
