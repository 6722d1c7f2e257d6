"""Writes docs/conformance.md from the numbered requirements and the tests that are marked with them."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from ..marked import marked

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "conformance.md"
SOURCE: dict[str, Any] = tomllib.loads(Path(__file__).with_name("requirements.toml").read_text())
REQUIREMENTS: dict[str, str] = {
    number: text for section in SOURCE["section"] for number, text in section["requirements"].items()
}
REASONS: dict[str, str] = SOURCE["reason"]
NOTES: dict[str, str] = SOURCE["note"]

_HEAD = """\
# Conformance

What the chapter *Heterogeneous Types and Objects* of the CUDA Python device specification requires, numbered and in
our words, and the tests that show it. This page is generated from the tests' markers by
`python -m tests.conformance`; a test fails when it is stale.

{count} requirements: {shown} shown by tests, {reasons} not, each with the reason.
"""


def page() -> str:
    """The page's text."""
    tests = marked("requirement")
    shown = sum(number in tests for number in REQUIREMENTS)
    parts = [_HEAD.format(count=len(REQUIREMENTS), shown=shown, reasons=len(REQUIREMENTS) - shown)]
    for section in SOURCE["section"]:
        parts.append(f"## {section['title']}\n\n| | requirement | shown by |\n|---|---|---|\n")
        parts[-1] += "".join(_row(number, tests[number]) for number in section["requirements"])
    return "\n".join(parts)


def _row(number: str, tests: list[str]) -> str:
    cells = [f"`{test}`" for test in tests] or [f"*Not shown:* {REASONS[number]}"]
    note = f" *{NOTES[number]}*" if number in NOTES else ""
    return f"| {number} | {REQUIREMENTS[number]}{note} | {'<br>'.join(cells)} |\n"


if __name__ == "__main__":
    PAGE.write_text(page())
