"""Which tests carry a mark, read from their sources: nothing is imported. The pages that tests write name them."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

TESTS = Path(__file__).parent


class Mark(NamedTuple):
    """One argument of one mark, as ``@pytest.mark.statement("P.1")`` has it, and its keywords."""

    path: Path
    test: str
    body: ast.FunctionDef | ast.ClassDef
    argument: str
    keywords: dict[str, object]

    @property
    def place(self) -> str:
        """The test as pages name it: ``folder/test_file.py::Class::test``."""
        return f"{self.path.relative_to(TESTS)}::{self.test}"


def marks(name: str, under: Path = TESTS) -> Iterator[Mark]:
    """All marks of this name, file by file."""
    for path in sorted(under.rglob("test_*.py")):
        if f"mark.{name}" in (source := path.read_text()):
            yield from _of(name, path, ast.parse(source).body, "")


def _of(name: str, path: Path, body: list[ast.stmt], prefix: str) -> Iterator[Mark]:
    for node in body:
        if not isinstance(node, ast.FunctionDef | ast.ClassDef):
            continue
        for mark in (d for d in node.decorator_list if isinstance(d, ast.Call)):
            if ast.unparse(mark.func) == f"pytest.mark.{name}":
                keywords = {str(k.arg): ast.literal_eval(k.value) for k in mark.keywords}
                for argument in mark.args:
                    yield Mark(path, prefix + node.name, node, ast.literal_eval(argument), keywords)
        if isinstance(node, ast.ClassDef):
            yield from _of(name, path, node.body, f"{prefix}{node.name}::")


def marked(name: str) -> dict[str, list[str]]:
    """The tests of each argument of this mark."""
    tests: dict[str, list[str]] = defaultdict(list)
    for mark in marks(name):
        tests[mark.argument].append(mark.place)
    return tests
