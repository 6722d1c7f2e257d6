"""Turns the rounds into medians, ratios and marks, and prints them for the terminal and for the docs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from rich.console import Console
from rich.table import Table

import report_views
from cases import CASES, Case
from report_views import GROUPS

METHOD = """\
Every round is a fresh process that holds all peers. Case by case they take turns in slices of about 3
ms, a tight loop `for _ in itertools.repeat(None, n): f(a, b)` whose code belongs to that one call site;
the loop's own cost is not subtracted. A round's value is the median of its slices, the table's value the
median of the rounds. A ratio is taken within each round, against the floor of that round, and the median
of those is shown. Every peer's result is checked before it is timed, and everything is compiled with -O3
by the same compiler.

The functions do next to nothing (`bench/cases.hpp`), so that what is seen is the price of the call. The
floor is an extension written by hand against the C API with full checks of its arguments
(`bench/floor.hpp`). For torch it is the same against torch's C++ API. The DLPack exchange API, which
leaves out the checks of requires_grad, conj and neg, is shown beside it, and stands in where that floor
cannot be built. cffi and ctypes take arrays through the Python wrapper that their users write
(`from_buffer`, `data_ptr()`). A peer without such a case has an empty cell. A check left out is time
saved: what each peer takes without an error although it does not fit is listed above."""


@dataclass(frozen=True)
class Results:
    """Per round ns by case and peer, and of views; by peer its facts and the misfits it accepts; what was left out."""

    rounds: tuple[dict[str, dict[str, float]], ...]
    views: tuple[report_views.Round, ...]
    facts: dict[str, dict[str, Any]]
    accepted: dict[str, list[str]]
    left_out: tuple[str, ...]
    machine: dict[str, str]

    def floor(self, case: Case) -> str | None:
        """The first floor of the case that ran."""
        return next((name for name in case.floors if name in self.rounds[0].get(case.key, {})), None)

    def ns(self, case: Case, peer: str) -> float | None:
        """Median nanoseconds per call."""
        values = [one[case.key][peer] for one in self.rounds if peer in one.get(case.key, {})]
        return median(values) if values else None

    def ratio(self, case: Case, peer: str) -> float | None:
        """Median over the rounds of the ratio to that round's floor."""
        floor = self.floor(case)
        rows = [one[case.key] for one in self.rounds if peer in one.get(case.key, {})]
        return median(row[peer] / row[floor] for row in rows) if rows and floor else None

    def met(self, case: Case, peer: str) -> bool | None:
        """Whether the target is met; None where there is none: other peers, our row that releases the GIL."""
        facts, ratio = self.facts[peer], self.ratio(case, peer)
        if ratio is None or not facts["ours"] or not facts["gil"].startswith("held"):
            return None
        return ratio <= case.target

    def missed(self) -> list[str]:
        """One sentence for each target that was not met."""
        return [
            f"{peer}, case {case.key}: {self.ratio(case, peer):.2f}, target {case.target}."
            for peer in self.facts
            for case in CASES
            if self.met(case, peer) is False
        ]


def _ns(results: Results, case: Case, peer: str) -> str:
    value = results.ns(case, peer)
    return "" if value is None else f"{value:.1f}" if value < 100 else f"{value:.0f}"


def _ratio(results: Results, case: Case, peer: str) -> str:
    value = results.ratio(case, peer)
    mark = {True: " ✓", False: " ✗", None: ""}[results.met(case, peer)]
    return "" if value is None else f"{value:.2f}{mark}" if value < 10 else f"{value:.0f}{mark}"


def rows(results: Results, cell: Callable[[Results, Case, str], str]) -> list[list[str]]:
    """One row per peer: its name, a cell per case, what it does with the GIL."""
    return [
        [peer, *(cell(results, case, peer) for case in CASES), facts["gil"]]
        for peer, facts in results.facts.items()
    ]


def _header() -> list[str]:
    return ["", *(case.key for case in CASES), "GIL"]


def _targets() -> list[str]:
    return ["target for samebytes", *(f"≤ {case.target}" for case in CASES), ""]


def show(results: Results, console: Console) -> None:
    """Print both tables and what was left out or missed."""
    for title, body in (
        ("ns per call", rows(results, _ns)),
        ("ratio to the floor of the same round", [*rows(results, _ratio), _targets()]),
    ):
        table = Table(title=title)
        for i, name in enumerate(_header()):
            table.add_column(name, no_wrap=True, justify="right" if 0 < i <= len(CASES) else "left")
        for row in body:
            table.add_row(*row, style="bold" if row[0].startswith("samebytes") else None)
        console.print(table)
    for group in GROUPS:
        header, *body = report_views.grid(results.views, group)
        table = Table(title=f"{group.title}: ns per call, and in ours")
        for i, name in enumerate(header):
            table.add_column(name, justify="right" if i else "left")
        for row in body:
            table.add_row(*row, style="bold" if row[0] == "samebytes" else None)
        console.print(table)
    for case in CASES:
        floor = results.floor(case) or "none ran"
        console.print(f"  {case.key:8} {case.title}; floor: {floor}", highlight=False)
    for peer, misfits in results.accepted.items():
        console.print(f"{peer} accepts: {', '.join(misfits)}.", highlight=False, markup=False)
    for sentence in results.left_out:
        console.print(sentence, style="yellow", markup=False)
    for sentence in report_views.behind(results.views):
        console.print(sentence, style="red", markup=False)
    for sentence in results.missed():
        console.print(f"Missed: {sentence}", style="red", markup=False)


def markdown(results: Results) -> str:
    """The page for the docs."""
    versions = {name: text for facts in results.facts.values() for name, text in facts["versions"].items()}
    cases = [[case.key, case.title, results.floor(case) or "none ran"] for case in CASES]
    accepted = [[peer, ", ".join(results.accepted.get(peer, ["nothing"]))] for peer in results.facts]
    parts = [
        "# The price of a call",
        f"Written by `make bench` ({len(results.rounds)} rounds), as measured.",
        "## Ratio to the floor",
        _grid([_header(), *rows(results, _ratio), _targets()]),
        "## Nanoseconds per call",
        _grid([_header(), *rows(results, _ns)]),
        *_views(results),
        "## The cases",
        _grid([["", "what is called", "floor"], *cases]),
        "## What is accepted although it does not fit",
        _grid([["", "accepted without an error"], *accepted]),
        "## How it is measured",
        METHOD,
        report_views.METHOD,
        "## The machine",
        _grid([["", ""], *map(list, (results.machine | versions).items())]),
    ]
    behind = report_views.behind(results.views)
    for title, sentences in (
        ("Targets missed", [*results.missed(), *behind]),
        ("Left out", results.left_out),
    ):
        if sentences:
            parts += [f"## {title}", "\n".join(f"- {' '.join(sentence.split())}" for sentence in sentences)]
    return "\n\n".join(parts) + "\n"


def _views(results: Results) -> list[str]:
    """A heading, the words and the table of each group of views."""
    parts = []
    for group in GROUPS:
        parts += [f"## {group.title}", group.words, _grid(report_views.grid(results.views, group))]
    return parts


def _grid(lines: Sequence[Sequence[str]]) -> str:
    header, *body = (f"| {' | '.join(line)} |" for line in lines)
    return "\n".join([header, "|---" * len(lines[0]) + "|", *body])
