"""Writes the table of docs/adapters.md from the numbered statements and the tests that are marked with them."""

from __future__ import annotations

import ast
import tomllib
from collections import defaultdict
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "adapters.md"
BEGIN = "<!-- written by python -m tests.adapters -->\n"
SECTIONS: list[dict[str, Any]] = tomllib.loads(Path(__file__).with_name("statements.toml").read_text())[
    "section"
]
STATEMENTS: dict[str, str] = {n: t for section in SECTIONS for n, t in section["statements"].items()}


def marked() -> dict[str, list[str]]:
    """The tests of each statement, read from the sources: nothing is imported."""
    found: dict[str, list[str]] = defaultdict(list)
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.FunctionDef):
                for number in _numbers(node):
                    found[number].append(f"{path.relative_to(ROOT / 'tests')}::{node.name}")
    return found


def _numbers(function: ast.FunctionDef) -> list[str]:
    marks = [d for d in function.decorator_list if isinstance(d, ast.Call)]
    return [
        ast.literal_eval(argument)
        for mark in marks
        if ast.unparse(mark.func) == "pytest.mark.statement"
        for argument in mark.args
    ]


def page(text: str) -> str:
    """The page with its table written anew."""
    head, _, _ = text.partition(BEGIN)
    tests = marked()
    parts = [head + BEGIN]
    for section in SECTIONS:
        parts.append(f"\n### {section['title']}\n\n| | statement | shown by |\n|---|---|---|\n")
        parts += [
            f"| {number} | {statement} | {'<br>'.join(f'`{t}`' for t in tests[number])} |\n"
            for number, statement in section["statements"].items()
        ]
    return "".join(parts)


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text()))
