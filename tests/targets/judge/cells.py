"""Outcomes of cells, each target in children; what a cell says compared with the Python call."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from .arguments import GUARD
from .oracle import asked
from .reasons import reason_of, taken_for

SAME, REFUSED, WRONG, DIES, ABSENT = "same", "refused", "WRONG", "DIES", ""
ROOT = Path(__file__).parents[3]
Cell = tuple[str, str]  # kind and argument
COMMAND = (sys.executable, "-m", "tests.targets.judge.child")
_PATIENCE = 300  # seconds for one cell, the build of the library included


def outcomes(
    target: str, kinds: Sequence[str], cells: Sequence[Cell], command: Sequence[str] = ()
) -> dict[Cell, Any]:
    """The outcome of each cell; a child that ends is followed by one for the rest."""
    found: dict[Cell, Any] = {}
    rest = list(cells)
    while rest:
        ended, said = _child(target, kinds, rest, command or COMMAND)
        found |= said
        if ended is None:
            break
        found[ended[0]] = ["died", ended[1]]
        rest = rest[rest.index(ended[0]) + 1 :]
    return found


def _environment(target: str) -> dict[str, str]:
    """Builds as the tests have them; SYCL's real device is Intel's OpenCL for CPUs alone."""
    found = dict(os.environ)
    if target == "SYCL kernel":
        sys.path.append(str(ROOT / "tests" / "sycl"))
        found = import_module("usm").environment()
    return found | {"SAMEBYTES_OPTIMIZE": "0"}


def _child(
    target: str, kinds: Sequence[str], cells: Sequence[Cell], of: Sequence[str]
) -> tuple[tuple[Cell, str] | None, dict[Cell, Any]]:
    """What a child says, and at which cell and how it ended before it was done."""
    command = [*of, target]
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT,
        env=_environment(target),
    )  # fmt: skip
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    words: list[str] = []
    errors = process.stderr
    reader = threading.Thread(target=lambda: words.append(errors.read()))
    reader.start()
    process.stdin.write(json.dumps({"kinds": list(kinds), "cells": list(cells)}))
    process.stdin.close()
    found: dict[Cell, Any] = {}
    begun: Cell | None = None
    timer = threading.Timer(_PATIENCE, process.kill)
    timer.start()
    for line in process.stdout:
        timer.cancel()
        timer = threading.Timer(_PATIENCE, process.kill)
        timer.start()
        if begun is None:
            kind, argument = json.loads(line)
            begun = kind, argument
        else:
            found[begun], begun = json.loads(line), None
    timer.cancel()
    code = process.wait()
    reader.join()
    if code == 0:
        return None, found
    assert begun is not None, "".join(words)[-3000:]
    assert code < 0, "".join(words)[-3000:]
    return (begun, f"signal {-code}"), found


def verdict(target: str, cell: Cell, python: Any, outcome: Any, answer: Any = None) -> str:
    """What a cell says: a word above, ``"differs: reason"`` or ``"takes: reason"``.

    Parameters
    ----------
    python, outcome : list
        Of the Python call and of the target.
    answer : tuple or None
        What g++ answers, if it takes the argument.
    """
    if "absent" in (python[0], outcome[0]):
        return ABSENT
    if outcome[0] == "died":
        return DIES
    if outcome[0] == "refused":
        return REFUSED if python[0] == "refused" else f"differs: {reason_of(target, *cell, outcome[1])}"
    if python[0] == "refused" and (reason := taken_for(target, *cell, python[1])):
        return f"takes: {reason}"
    if (
        python[0] == "took"
        and not _same(python, outcome)
        and (reason := taken_for(target, *cell, OTHER_BYTES))
    ):
        return f"takes: {reason}"
    if python[0] != "took" or not _same(python, outcome) or (answer and not _answered(outcome, answer)):
        return WRONG
    return SAME


OTHER_BYTES = "other bytes"


def _same(python: Any, outcome: Any) -> bool:
    """Whether digest, outputs and memory are equal; an object that a target copies counts in its digest alone."""
    left = [(a, b) for a, b in zip(python[2], outcome[2], strict=True) if b != ""]
    return bool(python[1] == outcome[1]) and all(a == b for a, b in left)


def _answered(outcome: Any, answer: Any) -> bool:
    digest, memory = answer
    between = outcome[2][0][2 * GUARD : -2 * GUARD] if memory else ""
    return bool(outcome[1][0] == digest and between == memory)


def shortened(words: str) -> str:
    """An error's class and what it found wrong, without the function."""
    kind, _, message = words.partition(": ")
    found = message.partition("'x': ")[2] or message
    return f"{kind}: {found}"[:110]


def explained(python: Any, outcome: Any, answer: Any = None) -> str:
    """Why a cell is wrong, in a few words."""
    if outcome[0] == "died":
        return str(outcome[1])
    if python[0] == "refused":
        return f"taken; Python refuses: {shortened(python[1])}"
    if answer and not _answered(outcome, answer):
        return f"{OTHER_BYTES} than g++'s"
    return OTHER_BYTES if python[1] != outcome[1] else "what C++ wrote is lost or lies elsewhere"


def judged(
    target: str, kinds: Sequence[str], cells: Sequence[Cell], python: dict[Cell, Any]
) -> dict[Cell, tuple[str, str]]:
    """The verdict of each cell of a target, and why it is wrong or absent; the Python call's own is g++'s."""
    ours = target == "Python"
    found = python if ours else outcomes(target, kinds, cells)
    told = asked(cell for cell, outcome in python.items() if outcome[0] == "took") if ours else {}
    result = {}
    for cell, outcome in found.items():
        said = verdict(target, cell, python[cell], outcome, told.get(cell))
        why = explained(python[cell], outcome, told.get(cell)) if said in (WRONG, DIES) else ""
        if outcome[0] == "absent":
            why = re.sub(r"^parameter .*\): ", "", outcome[1])
        result[cell] = said, why
    return result
