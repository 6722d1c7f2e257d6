"""The command: judge all cells, or those of some targets and kinds, and write the page.

``python -m tests.targets.judge [--target NAME]… [--kind NAME]… [--write]``; ``--page`` writes the page of the table.
"""

from __future__ import annotations

import argparse
import os
import time
from concurrent.futures import ThreadPoolExecutor

from . import table
from .arguments import ARGUMENTS
from .cells import Cell, judged, outcomes
from .kinds import KINDS
from .stacks import missing
from .table import NAMES


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--target", action="append", choices=NAMES, help="all, if none is named")
    asked.add_argument("--kind", action="append", choices=KINDS)
    asked.add_argument("--write", action="store_true", help="write cells.tsv, wrong.tsv and docs/targets.md")
    asked.add_argument(
        "--page", action="store_true", help="judge nothing: write docs/targets.md of cells.tsv"
    )
    given = asked.parse_args()
    if given.page:
        table.DOCS.write_text(table.page(table.read()))
        return
    kinds = given.kind or [*KINDS]
    cells: list[Cell] = [(kind, argument) for kind in kinds for argument in ARGUMENTS]
    python = outcomes("Python", kinds, cells)
    known = table.read()
    targets = []
    for target in given.target or NAMES:
        if reason := missing(target):
            print(f"{target}: not judged: {reason}")
        else:
            targets.append(target)

    def judge(target: str) -> tuple[str, dict[Cell, tuple[str, str]], float]:
        started = time.perf_counter()
        return target, judged(target, kinds, cells, python), time.perf_counter() - started

    pool = ThreadPoolExecutor(os.cpu_count())  # each target is a process
    for target, found, seconds in pool.map(judge, targets):
        said = {cell: word for cell, (word, _) in found.items()}
        told = ", ".join(f"{n} {word}" for word, n in table.counts(said).items())
        print(f"{target}: {told} ({seconds:.0f} s)", flush=True)
        new = table.differences(known.verdicts, target, said.items())
        print(*new[:50], sep="\n", end="\n" * bool(new))
        known.put(target, found)
    if given.write:
        table.write(known)


if __name__ == "__main__":
    main()
