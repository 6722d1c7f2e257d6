"""Writes docs/suites.md from what peers' suites hold (PEER.toml) and the tests marked with their functions."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from ..marked import Mark, marks

HERE = Path(__file__).parent
PAGE = HERE.parents[1] / "docs" / "suites.md"
PEERS: list[dict[str, Any]] = [tomllib.loads(path.read_text()) for path in sorted(HERE.glob("*.toml"))]
STATES = ("right", "refused", "left out", "open")

_HEAD = """\
# Peers' suites

Other projects that call C++ from Python have learnt, bug by bug, what C++ asks of them; their tests hold it. Each of
their test functions is a row here: what it is about is shown by a test of ours, with C++ and words of our own.

- **right**: a test does the same and compares with what C++ itself answers.
- **refused**: all or a part of it is refused here, and a test checks the words.
- **left out**: it is about the peer alone, for the reason that is given.
- **open**: wrong or misleading today.

The tests lie in `tests/suites/`, in files with the names of the peer's. This page is written by
`python -m tests.suites`; a test fails when it is stale, or when a row is none of the four.
"""


class Row(NamedTuple):
    """A test function of a peer; what is said of it, or the tests that show it."""

    file: str
    function: str
    state: str
    text: str


def shown(peer: str) -> dict[tuple[str, str], list[Mark]]:
    """The tests of each function of this peer's files."""
    tests: dict[tuple[str, str], list[Mark]] = {}
    for mark in marks("behaviour", HERE / peer):
        tests.setdefault((mark.path.name, mark.argument), []).append(mark)
    return tests


def rows(peer: dict[str, Any]) -> Iterator[Row]:
    """All functions of a peer's suite, in its order."""
    tests = shown(peer["peer"])
    for file in peer["file"]:
        name = file["name"]
        reasons = {
            function: (state, reason)
            for state in STATES[2:]
            for function, reason in file.get(state.replace(" ", "_"), {}).items()
        }
        for function in file["functions"]:
            ours = tests.get((name, function), [])
            refused = [mark for mark in ours if mark.keywords.get("refused")]
            state, text = reasons.get(function, ("refused" if refused else "right", ""))
            yield Row(name, function, state, text or ", ".join(f"`{mark.test}`" for mark in refused or ours))


def page() -> str:
    """The page's text."""
    parts = [_HEAD, _table()]
    for peer in PEERS:
        parts.append(f"\n## {peer['peer']}\n\nAs of {peer['version']}, commit `{peer['commit'][:10]}`.\n")
        for state in STATES[1:]:
            said = [row for row in rows(peer) if row.state == state]
            if said:
                parts.append(f"\n### {peer['peer']}: {state}\n\n| | | |\n|---|---|---|\n")
                parts += [f"| {row.file} | `{row.function}` | {_cell(row.text)} |\n" for row in said]
    return "".join(parts)


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _table() -> str:
    lines = [f"\n| peer | file | functions | {' | '.join(STATES)} |\n|---|---|" + "--:|" * 5 + "\n"]
    for peer in PEERS:
        counted = {file["name"]: Counter[str]() for file in peer["file"]}
        for row in rows(peer):
            counted[row.file][row.state] += 1
        lines += [f"| {peer['peer']} | {name} | {_counts(count)} |\n" for name, count in counted.items()]
        lines.append(f"| **{peer['peer']}** | all | {_counts(sum(counted.values(), Counter()))} |\n")
    return "".join(lines)


def _counts(count: Counter[str]) -> str:
    return " | ".join(map(str, (count.total(), *(count[state] for state in STATES))))


if __name__ == "__main__":
    PAGE.write_text(page())
