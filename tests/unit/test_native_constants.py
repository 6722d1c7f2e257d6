"""What the compiled core and Python share is stated once, in the core, and read off its module."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from samebytes import _native
from samebytes.values.conversion.handles import CONFLICTS

SOURCE = Path(__file__).parents[2] / "src" / "samebytes"
SHARED = sorted(name for name in dir(_native) if name.isupper())


def declared() -> set[str]:
    """The constants that the stub of the core declares."""
    tree = ast.parse((SOURCE / "_native.pyi").read_text())
    names = (node.target for node in tree.body if isinstance(node, ast.AnnAssign))
    return {name.id for name in names if isinstance(name, ast.Name) and name.id.isupper()}


def test_the_stub_has_each_constant_and_no_other() -> None:
    assert declared() == set(SHARED)


def numbers(tree: ast.AST) -> Iterator[tuple[str, int]]:
    """The names to which a file gives a number, and which."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                names = target.elts if isinstance(target, ast.Tuple) else [target]
                values = node.value.elts if isinstance(node.value, ast.Tuple) else [node.value]
                for name, value in zip(names, values, strict=False):
                    if (
                        isinstance(name, ast.Name)
                        and isinstance(value, ast.Constant)
                        and type(value.value) is int
                    ):
                        yield name.id, value.value


def restated(source: str) -> list[str]:
    shared = {name.removeprefix("DEVICE_"): name for name in SHARED} | {name: name for name in SHARED}
    return [
        f"{name} = {value}: the core states it, _native.{shared[name.strip('_')]}"
        for name, value in numbers(ast.parse(source))
        if getattr(_native, shared.get(name.strip("_"), ""), None) == value
    ]


@pytest.mark.parametrize("line", ["COPY = 1", "_CUDA, _ROCM = 2, 10", "_FIRST_PAGE = 4096  # bytes"])
def test_what_is_stated_again_is_noticed(line: str) -> None:
    assert restated(line)


@pytest.mark.full
def test_no_file_states_a_constant_of_the_core_again() -> None:
    found = {str(path.relative_to(SOURCE)): restated(path.read_text()) for path in SOURCE.rglob("*.py")}
    assert not {path: lines for path, lines in found.items() if lines}


@pytest.mark.parametrize(
    "reason", [r for r in _native.REASONS if r != "seen"]
)  # of which still_there() tells
def test_each_reason_of_the_core_has_a_sentence(reason: str) -> None:
    assert reason in CONFLICTS, f"the core refuses objects that are {reason!r}, and no sentence says why"


def test_each_sentence_is_for_a_reason_of_the_core() -> None:
    assert set(CONFLICTS) <= set(_native.REASONS)
