"""The committed verdicts, ``cells.tsv`` and ``wrong.tsv``, and the page that shows them, ``docs/targets.md``."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from .arguments import ARGUMENTS
from .cells import ABSENT, DIES, REFUSED, SAME, WRONG, Cell
from .kinds import KINDS, Kind
from .reasons import REASONS

HERE = Path(__file__).parent
CELLS, WRONGS, DOCS = HERE / "cells.tsv", HERE / "wrong.tsv", HERE.parents[2] / "docs" / "targets.md"
NAMES = (
    "Python",
    "package",
    "@njit",
    "numba-cuda",
    "CUDA kernel",
    ".cu function",
    "HIP kernel",
    "SYCL kernel",
)
LETTERS = {SAME: "=", REFUSED: "-", ABSENT: ".", WRONG: "!", DIES: "#"}
_WORDS = {letter: word for word, letter in LETTERS.items()}

Verdicts = dict[str, dict[Cell, str]]  # of each target


# --- the files


def _letter(verdict: str) -> str:
    return LETTERS.get(verdict) or verdict.partition(": ")[2]


def _word(letter: str) -> str:
    return _WORDS[letter] if letter in _WORDS else f"{'takes' if letter.isupper() else 'differs'}: {letter}"


@dataclass
class Table:
    """What is committed.

    Attributes
    ----------
    verdicts : mapping
    lacking : mapping of (target, kind) to str
        Why a target has no such parameter.
    wrong : mapping of (target, kind, argument) to (verdict, words)
        The cells that are wrong today.
    """

    verdicts: Verdicts = field(default_factory=dict)
    lacking: dict[tuple[str, str], str] = field(default_factory=dict)
    wrong: dict[tuple[str, str, str], tuple[str, str]] = field(default_factory=dict)

    def put(self, target: str, cells: Mapping[Cell, tuple[str, str]]) -> None:
        """Take over what was judged of some kinds of a target; the others stay."""
        kinds = {kind for kind, _ in cells}
        self.wrong = {key: row for key, row in self.wrong.items() if key[0] != target or key[1] not in kinds}
        self.lacking = {
            key: why for key, why in self.lacking.items() if key[0] != target or key[1] not in kinds
        }
        told = self.verdicts.setdefault(target, {})
        told.update({cell: said for cell, (said, _) in cells.items()})
        for (kind, argument), (said, why) in cells.items():
            if said in (WRONG, DIES):
                self.wrong[target, kind, argument] = said, why
        for kind in kinds:
            if all(cells[kind, argument][0] == ABSENT for argument in ARGUMENTS):
                self.lacking[target, kind] = cells[kind, next(iter(ARGUMENTS))][1]

    def rows(self) -> Iterator[tuple[str, str, str]]:
        """The lines of ``cells.tsv``."""
        for target in filter(self.verdicts.__contains__, NAMES):
            for kind in KINDS:
                if why := self.lacking.get((target, kind)):
                    yield target, kind, f"{_LACKING}{why}"
                    continue
                said = (self.verdicts[target].get((kind, argument), ABSENT) for argument in ARGUMENTS)
                yield target, kind, "".join(map(_letter, said))


_LACKING = "none: "


def read() -> Table:
    """What is committed.

    Raises
    ------
    AssertionError
        If the arguments are not those of the table.
    """
    found = Table()
    head, *lines = CELLS.read_text().splitlines()
    assert head.split("\t")[2:] == [*ARGUMENTS], "other arguments: python -m tests.targets.judge --write"
    for target, kind, letters in (line.split("\t") for line in lines):
        told = found.verdicts.setdefault(target, {})
        if letters.startswith(_LACKING):
            found.lacking[target, kind] = letters.removeprefix(_LACKING)
            continue
        cells = zip(ARGUMENTS, letters, strict=True)
        told.update({(kind, argument): _word(letter) for argument, letter in cells})
    for target, kind, argument, *row in (line.split("\t") for line in WRONGS.read_text().splitlines()[1:]):
        found.wrong[target, kind, argument] = row[0], row[1]
    return found


def write(table: Table) -> None:
    """Write the files, and the page of them."""
    lines = [("target", "kind", *ARGUMENTS), *table.rows()]
    CELLS.write_text("".join("\t".join(line) + "\n" for line in lines))
    order = {name: i for i, name in enumerate((*NAMES, *KINDS, *ARGUMENTS))}
    rows = sorted(table.wrong.items(), key=lambda row: [order[name] for name in row[0]])
    wrong = [("target", "kind", "argument", "verdict", "why"), *((*key, *row) for key, row in rows)]
    WRONGS.write_text("".join("\t".join(line) + "\n" for line in wrong))
    DOCS.write_text(page(read()))


# --- the page


def counts(cells: Mapping[Cell, str]) -> Counter[str]:
    """How many cells say what; all that differ are one, but for those of which the target has none by nature."""
    return Counter(_sort(said) for said in cells.values() if said != ABSENT)


def _sort(said: str) -> str:
    word, _, key = said.partition(": ")
    return NATURE if key in REASONS and REASONS[key].nature else word


NATURE = "by nature"


def share(n: Mapping[str, int]) -> float:
    """How many hundredths of what Python takes differ; what a target has none of by nature does not count."""
    return 100 * n["differs"] / max(n[SAME] + n["differs"], 1)


def _overview(found: Verdicts) -> list[str]:
    names = (
        "target",
        "cells",
        SAME,
        REFUSED,
        "differs",
        "of what Python takes",
        NATURE,
        "takes more",
        "wrong",
        "dies",
    )
    lines = [f"| {' | '.join(names)} |", "|---" * len(names) + "|"]
    for target in filter(found.__contains__, NAMES):
        n = counts(found[target])
        words = [n[word] or "–" for word in (SAME, REFUSED, "differs", NATURE, "takes", WRONG, DIES)]
        row = (*words[:3], f"{share(n):.0f} %" if n["differs"] else "–", *words[3:])
        lines.append(f"| {target} | {n.total():,} | " + " | ".join(map(str, row)) + " |")
    return lines


def _cell(found: Mapping[Cell, str], kind: str) -> str:
    """A kind of a target: whether all that Python takes is taken, and why not."""
    n = Counter(found.get((kind, a), ABSENT) for a in ARGUMENTS)
    taken, wrong = n[SAME], n[WRONG] + n[DIES]
    if not n.total() - n[ABSENT]:
        return ""
    keys = sorted(said.removeprefix("differs: ") for said in n if said.startswith("differs"))
    differs = sum(n[f"differs: {key}"] for key in keys)
    words = "all" if not differs else f"{taken} of {taken + differs}: {', '.join(keys)}"
    return words + (f"; **{wrong} wrong**" if wrong else "")


def _rows(found: Verdicts) -> list[str]:
    """Kinds of which the same is true stand together."""
    targets = [t for t in NAMES if t in found and t != "Python"]
    merged: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for kind in KINDS.values():
        merged[tuple(_cell(found[t], kind.name) for t in targets)].append(_spelled(kind))
    lines = ["| parameter | " + " | ".join(targets) + " |", "|---|" + "---|" * len(targets)]
    return lines + [f"| {', '.join(names)} | " + " | ".join(cells) + " |" for cells, names in merged.items()]


_SPELLED = {
    "STD::": "std::", "MD::": "std::", "HALF": "half", "BF16": "bfloat16", "E4M3": "float8e4m3", "E5M2": "float8e5m2",
    "F4": "float4", "I2": "int2", "decltype(nullptr)": "nullptr_t", "std::dynamic_extent": "n",
}  # fmt: skip


def _spelled(kind: Kind) -> str:
    """The parameter in C++'s words, with its intent."""
    text = kind.parameter
    for ours, theirs in _SPELLED.items():
        text = text.replace(ours, theirs)
    intents = (i if isinstance(i, str) else "out_array_return" for i in kind.intent.values())
    return f"`{text}`" + "".join(f" ({intent})" for intent in intents)


def _reasons(found: Verdicts) -> list[str]:
    lines = ["| | reason | by nature | targets, and how many cells |", "|---|---|---|---|"]
    for key, reason in REASONS.items():
        told = {
            t: sum(said.partition(": ")[2] == key for said in found[t].values()) for t in NAMES if t in found
        }
        lines.append(
            f"| {key} | {reason.words} | {reason.nature} | {', '.join(f'{t} {n}' for t, n in told.items() if n)} |"
        )
    return lines


def _absent(table: Table) -> list[str]:
    """The parameters that targets do not have, and why."""
    merged: dict[tuple[str, str], list[str]] = defaultdict(list)
    for (target, kind), why in table.lacking.items():
        merged[target, why].append(_spelled(KINDS[kind]))
    rows: dict[tuple[str, str], list[str]] = defaultdict(list)
    for (target, why), names in merged.items():
        rows[why, ", ".join(names)].append(target)
    lines = ["| targets | reason | parameters |", "|---|---|---|"]
    return lines + [f"| {', '.join(targets)} | {why} | {names} |" for (why, names), targets in rows.items()]


def page(table: Table) -> str:
    """docs/targets.md."""
    found = table.verdicts
    return "\n".join([
        "# What each target takes",
        "",
        f"`tests/targets/judge` calls C++ with {len(KINDS)} kinds of parameters and {len(ARGUMENTS)} of arguments:",
        "from Python, from a generated package, from `@njit`, from numba-cuda, as kernels, as functions of a `.cu`.",
        "C++ folds the bytes that it gets into a number, and writes others. Both are compared with the Python call,",
        "and that with g++. `python -m tests.targets.judge --write` writes this page.",
        "",
        "- **same**: the target passes the same bytes, and C++ writes the same.",
        "- **refused**: Python refuses the argument, and the target does.",
        "- **differs**: Python takes it, and the target refuses it, for a reason of the second table.",
        "- **by nature**: the same, where the target has none of the kind at all: text, lists, containers, callbacks.",
        "  It is no part of the hundredths.",
        "- **takes more**: Python refuses it, and the target cannot know; a capital letter of the same table.",
        "- **wrong**: other bytes, or Python refuses what the target takes; **dies**: the process ends.",
        "  `tests/targets/judge/wrong.tsv` lists each.",
        "",
        *_overview(found),
        "",
        "An argument that is right lies in the memory of the target.",
        "",
        "## By kind",
        "",
        "`all`: the target takes all that Python takes. `3 of 5: a`: it takes 3 of 5, and reason a says why.",
        "Empty: the target has no such parameter; the last table says why.",
        "",
        *_rows(found),
        "",
        "## Reasons",
        "",
        *_reasons(found),
        "",
        "## What targets do not have",
        "",
        *_absent(table),
        "",
    ])  # fmt: skip


def differences(expected: Verdicts, target: str, found: Iterable[tuple[Cell, str]]) -> list[str]:
    """The cells of a target that are not as the table says, in words."""
    told = expected.get(target, {})
    return [
        f"{target} × {cell[0]} × {cell[1]}: expected {told.get(cell, ABSENT) or 'no cell'}, got {said or 'no cell'}"
        for cell, said in found
        if said != told.get(cell, ABSENT)
    ]
