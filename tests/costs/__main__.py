"""The CPU seconds of the tests, by test, by file and by cause: ``python -m tests.costs [pytest's arguments]``.

``python -m tests.costs --read FOLDER`` prints the tables of an earlier run again; ``--rows N`` says how long they are.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from .plugin import FOLDER

CAUSES = ("compiling", "programs", "reading", "importing", "running")


class Cost(NamedTuple):
    """What one test used: seconds on the clock, and of CPU by cause."""

    test: str
    wall: float
    causes: dict[str, float]

    @property
    def cpu(self) -> float:
        """CPU seconds of all causes."""
        return sum(self.causes.values())

    @property
    def file(self) -> str:
        """The file that has the test."""
        return self.test.partition("::")[0]

    @property
    def folder(self) -> str:
        """The folder that has the file."""
        return self.file.rpartition("/")[0]


def read(folder: Path) -> tuple[list[Cost], list[Cost]]:
    """The costs of all tests of a run, and those of collecting in each process."""
    tests, collecting = [], []
    for path in sorted(folder.glob("*.jsonl")):
        for line in path.read_text().splitlines():
            row = json.loads(line)
            cost = Cost(row["test"], row["wall"], {cause: row[cause] for cause in CAUSES})
            (tests if cost.test else collecting).append(cost)
    return tests, collecting


def total(costs: Iterable[Cost]) -> Counter[str]:
    """The CPU seconds of several tests, by cause."""
    sums: Counter[str] = Counter()
    for cost in costs:
        sums.update(cost.causes)
    return sums


def report(tests: list[Cost], collecting: list[Cost], rows: int) -> str:
    """The tables: the whole by cause, how it is spread, the dearest files, the dearest tests."""
    lines = ["", f"{len(tests)} tests in {len(collecting)} processes", "", _head("")]
    lines += [_row(total(collecting), "collecting"), _row(total(tests), "the tests")]
    ordered = sorted(tests, key=lambda cost: -cost.cpu)
    everything = sum(cost.cpu for cost in tests) or 1
    lines.append("")
    for share in (0.001, 0.01, 0.05, 0.2):
        count = max(1, round(share * len(tests)))
        part = sum(cost.cpu for cost in ordered[:count]) / everything
        lines.append(f"{count} tests ({share:.1%}) take {part:.0%}")
    for what, key in (("folder", lambda cost: cost.folder), ("file", lambda cost: cost.file)):
        groups: dict[str, list[Cost]] = defaultdict(list)
        for cost in tests:
            groups[key(cost)].append(cost)
        dearest = sorted(groups.items(), key=lambda entry: -sum(cost.cpu for cost in entry[1]))
        lines += ["", _head(what)]
        lines += [_row(total(costs), f"{name} ({len(costs)})") for name, costs in dearest[:rows]]
    lines += ["", _head("test")]
    lines += [_row(total([cost]), cost.test) for cost in ordered[:rows]]
    return "\n".join(lines)


def _head(what: str) -> str:
    return "".join(f"{column:>10}" for column in ("CPU s", *CAUSES)) + f"  {what}"


def _row(causes: Counter[str], name: str) -> str:
    return (
        "".join(f"{value:10.2f}" for value in (sum(causes.values()), *(causes[c] for c in CAUSES)))
        + f"  {name}"
    )


def main() -> int:
    """Run pytest and print the tables; the exit status is pytest's."""
    parser = argparse.ArgumentParser(prog="python -m tests.costs", description=__doc__)
    parser.add_argument("--read", type=Path, help="a folder that an earlier run has written")
    parser.add_argument("--folder", type=Path, help="where this run writes")
    parser.add_argument("--rows", type=int, default=50)
    known, rest = parser.parse_known_args()
    status = 0
    folder = known.read or known.folder or Path(tempfile.mkdtemp(prefix="samebytes-costs-"))
    if not known.read:
        folder.mkdir(parents=True, exist_ok=True)
        command = [sys.executable, "-m", "pytest", "-p", "tests.costs.plugin", *rest]
        status = subprocess.run(
            command, env={**os.environ, FOLDER: str(folder.absolute())}, check=False
        ).returncode
    print(report(*read(folder), known.rows))
    print(f"\nThe records are in {folder}.")
    return status


if __name__ == "__main__":
    sys.exit(main())
