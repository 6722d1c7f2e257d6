"""What g++ answers to statements, one by one: what each prints, or that it does not compile."""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from pathlib import Path

REFUSED = "no"


def refused_lines(text: str, file: str, std: str, home: Path) -> set[int]:
    """The numbers of the lines, of those that a text calls a file's by ``#line``, that g++ does not compile."""
    source = home / "refused.cpp"
    source.write_text(text)
    command = ["g++", "-w", f"-std={std}", str(source), "-fsyntax-only", "-fmax-errors=0"]
    said = subprocess.run(command, capture_output=True, text=True, check=False).stderr
    return {int(number) for number in re.findall(rf"^{file}:(\d+):\d+: error", said, re.MULTILINE)}


def answers(program: str, statements: Sequence[str], std: str, home: Path) -> list[str]:
    """What each statement prints in a line; :data:`REFUSED` where g++ does not compile it."""

    def text(body: Sequence[str]) -> str:
        return f'#include <cstdio>\n{program}int main() {{\n#line 1 "asked"\n' + "\n".join(body) + "\n}\n"

    bad = refused_lines(text(statements), "asked", std, home)
    source, made = home / "t.cpp", home / "t"
    taken = (f'std::printf("{REFUSED}\\n");' if i in bad else one for i, one in enumerate(statements, 1))
    source.write_text(text([*taken]))
    subprocess.run(["g++", "-w", f"-std={std}", str(source), "-o", str(made)], check=True)
    return subprocess.run([str(made)], capture_output=True, text=True, check=True).stdout.splitlines()


def tally(
    place: str, verdicts: Iterable[tuple[str, str]], decided: Collection[str]
) -> tuple[Counter[str], list[str]]:
    """How often each verdict came, and the lines of what is wrong, or refused for a reason that nobody decided.

    Parameters
    ----------
    place : str
        The seed and the standard, as the lines begin.
    verdicts : iterable of (verdict, line)
    """
    every = list(verdicts)
    wrong = [
        f"{place}: {verdict}: {line}"
        for verdict, line in every
        if verdict == "wrong" or (verdict.startswith("refused: ") and verdict[9:] not in decided)
    ]
    return Counter(verdict for verdict, _ in every), wrong


def totals(
    compared: Callable[[int, str, Path], tuple[Counter[str], list[str]]], seeds: Iterable[int]
) -> Counter[str]:
    """How often each verdict came of some programs, in C++17 and C++20; what is wrong is printed meanwhile."""
    total: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as place:
        for seed in seeds:
            for standard in ("gnu++17", "gnu++20"):
                counted, failures = compared(seed, standard, Path(place))
                total += counted
                print(*failures, sep="\n", end="\n" * bool(failures))
    return total
