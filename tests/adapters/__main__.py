"""Writes the tables of docs/adapters.md from the numbered statements and defects, and the tests marked with them."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from ..marked import marked

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "adapters.md"
BEGIN = "<!-- written by python -m tests.adapters -->\n"


def _read(name: str) -> Any:
    return tomllib.loads(Path(__file__).with_name(name).read_text())


SECTIONS: list[dict[str, Any]] = _read("statements.toml")["section"]
DEFECTS: list[dict[str, Any]] = _read("defects.toml")["row"]
NUMBERS = {n for section in SECTIONS for n in section["statements"]} | {row["id"] for row in DEFECTS}


_DEFECTS = """
### What HIP Python does otherwise

Measured with HIP Python 6.2, 7.2 and 10.0, true of all three unless said otherwise; `test_defects.py` measures again.

| | HIP Python | here | shown by |
|---|---|---|---|
"""
_LAUNCHERS = """
### What launchers do otherwise

| | peer | does | here | shown by |
|---|---|---|---|---|
"""


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def page(text: str) -> str:
    """The page with its tables written anew."""
    head, _, _ = text.partition(BEGIN)
    tests = marked("statement")

    def shown(number: str) -> str:
        return "<br>".join(f"`{test}`" for test in tests[number])

    parts = [head + BEGIN]
    for section in SECTIONS:
        parts.append(f"\n### {section['title']}\n\n| | statement | shown by |\n|---|---|---|\n")
        parts += [
            f"| {number} | {statement} | {shown(number)} |\n"
            for number, statement in section["statements"].items()
        ]
    ordered = sorted(DEFECTS, key=lambda row: int(row["id"].partition(".")[2]))
    for head, launchers in ((_DEFECTS, False), (_LAUNCHERS, True)):
        parts.append(head)
        for row in (row for row in ordered if ("peer" in row) is launchers):
            cells = [
                row["id"],
                *([row["peer"]] if launchers else []),
                _cell(row["theirs"]),
                _cell(row["here"]),
            ]
            parts.append(f"| {' | '.join(cells)} | {shown(row['id'])} |\n")
    return "".join(parts)


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text()))
