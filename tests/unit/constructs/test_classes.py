"""Each construct of the tables beside this file is bound without a warning, and called with the right result.

A table is text: `== name`, C++, `>>` Python, and `=>` the value of the last line or the error and its first words.
"""

from __future__ import annotations

import ast
import builtins
import re
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import samebytes as sb

TABLES = sorted(Path(__file__).parent.glob("*.txt"))
BLOCK = re.compile(r"^(==|@@) (.*)\n((?:(?!==|@@).*\n)*)", re.MULTILINE)


@dataclass(frozen=True)
class Construct:
    """One row; ``options`` are words in brackets after the name: ``warns``, ``c++20``."""

    name: str
    cxx: str
    python: tuple[str, ...]
    expected: str
    options: tuple[str, ...]


def read(table: Path) -> list[Construct]:
    found, shared = [], dict[str, str]()
    for kind, head, body in BLOCK.findall(table.read_text() + "\n"):
        body = re.sub(r"^@(\w+)$", lambda name: shared[name[1]], body, flags=re.MULTILINE)
        if kind == "@@":
            shared[head] = body
            continue
        name, *options = re.split(r" \[|\]", head)
        lines = body.rstrip().split("\n")
        cxx = "\n".join(line for line in lines if not line.startswith((">> ", "=> ")))
        python = tuple(line[3:] for line in lines if line.startswith(">> "))
        found.append(
            Construct(name, cxx, python, lines[-1].removeprefix("=> "), tuple(filter(None, options)))
        )
    return found


CONSTRUCTS = [construct for table in TABLES for construct in read(table)]


def evaluate(lines: tuple[str, ...], names: dict[str, Any]) -> Any:
    exec("\n".join(lines[:-1]), names)
    return eval(lines[-1], names)


@pytest.mark.parametrize("row", CONSTRUCTS, ids=lambda row: row.name)
def test_construct(row: Construct) -> None:
    warns = "warns" in row.options
    std = next((word for word in row.options if word.startswith("c++")), None)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore" if warns else "error", sb.BindWarning)
        lib = sb.compile(row.cxx, std=std)
    assert bool(lib.__skipped__) == warns, lib.__skipped__
    names = {"lib": lib, "sb": sb}
    if row.expected.startswith("!"):
        error, _, words = row.expected[1:].partition(": ")
        with pytest.raises(getattr(sb, error, None) or getattr(builtins, error)) as raised:
            evaluate(row.python, names)
        assert str(raised.value).startswith(words)
    else:
        found, expected = evaluate(row.python, names), ast.literal_eval(row.expected)
        assert found == expected
        assert type(found) is type(expected)


def test_names_are_unique() -> None:
    names = [row.name for row in CONSTRUCTS]
    assert sorted(set(names)) == sorted(names)
