"""Explanations for a terminal."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from .facts import PATHS, ArgumentFacts, FunctionFacts

if TYPE_CHECKING:
    from . import Explanation

_INTENTS = {
    "in": "",
    "inout_ptr": "magenta",
    "out_ptr": "magenta",
    "out_return": "green",
    "out_array_return": "green",
}
_COLUMNS = ("argument", "intent", "taken natively", "by way of Python", "copied")
# Below so many characters a row of five columns breaks in the middle of words: then each column is a line.
_FIVE_COLUMNS = 80


def report_lines(explanation: Explanation, width: int = 110) -> Iterator[RenderableType]:
    """The parts of a report, in order, for a terminal of so many characters."""
    for facts in explanation.functions:
        yield from _function(facts, width)
    yield from _paths(explanation)
    yield from _classes(explanation)
    yield from _skipped(explanation)
    if explanation.exposed:
        words = f"{explanation.library}: {explanation.bound} of {explanation.exposed} declarations are bound"
        yield Text(words, "bold")


def _function(facts: FunctionFacts, width: int) -> Iterator[RenderableType]:
    name, paren, rest = facts.python.partition("(")
    yield Text.assemble((name, "bold cyan"), paren + rest)
    yield Text.assemble(
        (f"    {facts.cxx}", "dim"), (f"  {_near(facts.location)}", "dim italic"), overflow="fold"
    )
    returns = f"; the result: {facts.returns}" if facts.returns else ""
    yield Text(f"    {facts.path} path{returns}", "dim")
    if facts.gil:
        yield Text(f"    {facts.gil}", "dim")
    if facts.keeps:
        yield Text(f"    {facts.keeps}", "dim", overflow="fold")
    if facts.chosen:
        yield Text(f"    chosen by {facts.chosen}", "dim", overflow="fold")
    if facts.arguments:
        shown = _arguments if width >= _FIVE_COLUMNS else _stacked
        yield Padding(shown(facts.arguments), (0, 0, 0, 4))
    for argument in (argument for argument in facts.arguments if argument.why):
        yield Text.assemble(
            (f"    {argument.name}", "bold"),
            (f": {argument.intent}, for {argument.why}", "dim"),
            overflow="fold",
        )
    yield Text("")


def _near(location: str) -> str:
    """A place as seen from the current directory."""
    here = os.getcwd().rstrip(os.sep) + os.sep
    return location.removeprefix(here)


def _paths(explanation: Explanation) -> Iterator[RenderableType]:
    used = {facts.path for facts in explanation.functions}
    for name in (name for name in PATHS if name in used):
        yield Text(f"{name} path: {PATHS[name]}", "dim")
    if used:
        yield Text("")


def _arguments(arguments: tuple[ArgumentFacts, ...]) -> Table:
    made = Table(box=None, pad_edge=False)
    for column in _COLUMNS:
        made.add_column(
            column, header_style="bold dim", overflow="fold", no_wrap=column in ("argument", "intent")
        )
    for argument in arguments:
        copied: Any = Text(argument.copies, "bold red" if argument.discarded else "")
        made.add_row(
            Text(argument.name, "bold"), Text(argument.intent, _INTENTS.get(argument.intent, "")),
            Text(argument.takes or "-"), Text(argument.otherwise or "-"), copied,
        )  # fmt: skip
    return made


def _stacked(arguments: tuple[ArgumentFacts, ...]) -> Table:
    """The same facts, one below the other."""
    made = Table.grid(padding=(0, 1))
    made.add_column(overflow="fold")
    for argument in arguments:
        made.add_row(
            Text.assemble(
                (argument.name, "bold"), ("  " + argument.intent, _INTENTS.get(argument.intent, ""))
            )
        )
        cells = (argument.takes, argument.otherwise, argument.copies)
        for column, cell in zip(_COLUMNS[2:], cells, strict=True):
            if cell:
                lost = argument.discarded and column == _COLUMNS[-1]
                words = Text.assemble((f"{column}: ", "dim"), (cell, "bold red" if lost else ""))
                made.add_row(Padding(words, (0, 0, 0, 2)))
    return made


def _classes(explanation: Explanation) -> Iterator[RenderableType]:
    for facts in explanation.classes:
        yield Text.assemble(
            (facts.name, "bold cyan"), (f"  == compares {facts.equality}", "dim"), overflow="fold"
        )
        for line in facts.pythonic:
            yield Text(f"  {line}", "dim", overflow="fold")
    if explanation.classes:
        yield Text("")


def _skipped(explanation: Explanation) -> Iterator[RenderableType]:
    if not explanation.skipped:
        return
    yield Text("Not bound", "bold yellow")
    for skipped in explanation.skipped:
        place = (f"  {_near(str(skipped.location))}", "dim italic")
        yield Text.assemble(
            (f"    {skipped.name}", "yellow"), place, f"\n        {skipped.reason}", overflow="fold"
        )
    yield Text("")
