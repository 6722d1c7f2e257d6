"""Runs the benchmark: `python bench/run.py [--quick] [--json FILE] [--markdown FILE]`."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import Progress

import c_api
import machine
import report

HERE = Path(__file__).resolve().parent
BUILD = HERE.parent / "build" / "bench"
ROUNDS, REPEATS = 15, 9
QUICK_ROUNDS, QUICK_REPEATS = 3, 5
WIDTH = 140  # columns of the tables in a file or a log


def one_round(build: Path, repeats: int, first: int) -> dict[str, Any]:
    """Run worker.py in a fresh process and return what it measured."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "round.json"
        command = [sys.executable, str(HERE / "worker.py"), "--build", str(build), "--out", str(out)]
        command += ["--repeats", str(repeats), "--first", str(first)]
        done = subprocess.run(command, capture_output=True, text=True, env=c_api.environment(build))
        if done.returncode:
            raise SystemExit(f"The round ended with status {done.returncode}:\n{done.stdout}{done.stderr}")
        return json.loads(out.read_text())


def measure(build: Path, rounds: int, repeats: int, console: Console) -> report.Results:
    """Build and check once, then measure `rounds` rounds; the peer that begins changes with each."""
    with Progress(console=console, transient=True) as progress:
        task = progress.add_task("building the peers", total=rounds + 1)
        checked = one_round(build, 0, 0)
        measured, seen = [], []
        for i in range(rounds):
            progress.update(task, advance=1, description=f"round {i + 1} of {rounds}")
            found = one_round(build, repeats, i)
            measured.append(found["ns"])
            seen.append(found["views"])
    return report.Results(
        rounds=tuple(measured),
        views=tuple(seen),
        facts=checked["peers"],
        accepted=checked["accepted"],
        left_out=tuple(checked["left_out"]),
        machine=machine.describe(),
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help=f"{QUICK_ROUNDS} rounds instead of {ROUNDS}")
    parser.add_argument("--rounds", type=int, help="number of rounds")
    parser.add_argument("--build", type=Path, default=BUILD, help="where the peers are built")
    parser.add_argument("--json", type=Path, help="write the numbers of every round to this file")
    parser.add_argument(
        "--markdown", type=Path, help="write the tables and the machine's description to this file"
    )
    options = parser.parse_args()
    rounds, repeats = (QUICK_ROUNDS, QUICK_REPEATS) if options.quick else (ROUNDS, REPEATS)
    console = Console(width=None if sys.stdout.isatty() else WIDTH)
    results = measure(options.build.resolve(), options.rounds or rounds, repeats, console)
    report.show(results, console)
    if options.json:
        options.json.write_text(json.dumps(asdict(results), indent=1, ensure_ascii=False))
    if options.markdown:
        options.markdown.write_text(report.markdown(results))
    return int(any(sentence.startswith("samebytes") for sentence in results.left_out))


if __name__ == "__main__":
    sys.exit(main())
