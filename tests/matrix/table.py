"""The committed outcomes, ``matrix.tsv``, and the page that shows them, ``docs/protocols.md``."""

from __future__ import annotations

from collections import defaultdict
from itertools import product
from pathlib import Path

from .arrays import DTYPES, SHAPES
from .cells import PAIRS, Cell
from .consumers import CONSUMERS
from .limits import LIMITS, SHARED
from .producers import PRODUCERS

TABLE = Path(__file__).with_name("matrix.tsv")
DOCS = Path(__file__).parents[2] / "docs" / "protocols.md"
HEAD = ("producer", "consumer", "shapes", "dtypes", "outcome")


def _joined(names: tuple[str, ...], everything: tuple[str, ...]) -> str:
    return "all" if names == everything else ", ".join(names)


def _split(text: str, everything: tuple[str, ...]) -> tuple[str, ...]:
    return everything if text == "all" else tuple(text.split(", "))


def grouped(found: dict[Cell, str], producer: str, consumer: str) -> list[tuple[str, str, str]]:
    """A pair's cells as few rows: shapes, dtypes, outcome."""
    rows: dict[tuple[str, tuple[str, ...]], list[str]] = defaultdict(list)
    for shape in SHAPES:
        dtypes: dict[str, list[str]] = defaultdict(list)
        for name in DTYPES:
            dtypes[found[producer, consumer, shape, name]].append(name)
        for outcome, names in dtypes.items():
            rows[outcome, tuple(names)].append(shape)
    return [
        (_joined(tuple(shapes), SHAPES), _joined(names, DTYPES), outcome)
        for (outcome, names), shapes in rows.items()
    ]


def read() -> dict[Cell, str]:
    """Every cell and its outcome.

    Raises
    ------
    AssertionError
        If a cell stands there twice.
    """
    cells: dict[Cell, str] = {}
    for line in TABLE.read_text().splitlines()[1:]:
        producer, consumer, shapes, dtypes, outcome = line.split("\t")
        for shape, name in product(_split(shapes, SHAPES), _split(dtypes, DTYPES)):
            cell = (producer, consumer, shape, name)
            assert cell not in cells, cell
            cells[cell] = outcome
    return cells


def write(found: dict[Cell, str]) -> None:
    rows = [HEAD, *((*pair, *row) for pair in PAIRS for row in grouped(found, *pair))]
    TABLE.write_text("".join("\t".join(row) + "\n" for row in rows))
    DOCS.write_text(page(found))


# --- the page


def _made(outcome: str, producer: str) -> bool:
    """Whether the producer has the array of such a cell."""
    return outcome in SHARED or not LIMITS[outcome].is_of(producer)


def _overview(found: dict[Cell, str]) -> list[str]:
    """How many of the arrays that a producer has arrive in the same memory."""
    lines = ["| from ↓ to → | " + " | ".join(CONSUMERS) + " |", "|---|" + "---|" * len(CONSUMERS)]
    for producer in PRODUCERS:
        row = []
        for consumer in CONSUMERS:
            words = [found[producer, consumer, s, d] for s in SHAPES for d in DTYPES]
            shared = sum(w in SHARED for w in words)
            had = sum(_made(w, producer) for w in words)
            row.append("all" if shared == had else f"{shared} of {had}" if shared else "–")
        lines.append(f"| {producer} | " + " | ".join(row) + " |")
    return lines


def _rows(found: dict[Cell, str], consumer: str) -> list[str]:
    """What becomes of the arrays that producers have; producers of which the same is true stand together."""
    merged: dict[tuple[str, str, str], list[str]] = defaultdict(list)
    for producer in PRODUCERS:
        for shapes, dtypes, outcome in grouped(found, producer, consumer):
            if _made(outcome, producer):
                words = outcome if outcome in SHARED else f"refused: {LIMITS[outcome].words}"
                merged[shapes, dtypes, words].append(producer)
    return [
        f"| {_joined(tuple(producers), tuple(PRODUCERS))} | {shapes} | {_short(dtypes)} | {words} |"
        for (shapes, dtypes, words), producers in merged.items()
    ]


def _lacking(found: dict[Cell, str]) -> list[str]:
    """What producers do not have."""
    return [
        f"| {producer} | {shapes} | {_short(dtypes)} | {LIMITS[outcome].words} |"
        for producer in PRODUCERS
        for shapes, dtypes, outcome in grouped(found, producer, "samebytes.view")
        if not _made(outcome, producer)
    ]


def _short(dtypes: str) -> str:
    """The shorter of a list of element types and what it leaves out."""
    names = _split(dtypes, DTYPES)
    rest = [n for n in DTYPES if n not in names]
    return f"all but {', '.join(rest)}" if rest and len(rest) < len(names) else dtypes


def page(found: dict[Cell, str]) -> str:
    """docs/protocols.md."""
    lines = [
        "# Who shares memory with whom",
        "",
        "`tests/matrix` makes each array in each library, takes `sb.view` of it, hands that to each consumer, writes",
        "on one side and reads on the other, both ways. This page is what it expects; `tests/matrix/matrix.tsv` has",
        f"every one of the {len(found):,} cells: {len(PRODUCERS)} producers, {len(CONSUMERS)} consumers, "
        f"{len(DTYPES)} element types, {len(SHAPES)} shapes.",
        "",
        *(f"- **{word}**: {meaning}." for word, meaning in SHARED.items()),
        "",
        "Whatever is not shared is refused by the producer or by the consumer, for a reason that stands beside it;",
        "where it could be ours, a test shows the same refusal without samebytes.",
        "",
        "A view holds the object that it shows. Where that object itself can be made to show other memory while the",
        "view lives, the view is left behind: torch's `t.data = ...`, `t.set_()` and `t.resize_()` give the old memory",
        "back, and so does NumPy's `resize(refcheck=False)`; `numpy.from_dlpack(t)` is left behind in the same way.",
        "A call that gets such a view refuses it where it can see that the array's memory has moved.",
        "",
        "A view of elements that overlap is shared as any other; a parameter that C++ may write to refuses it.",
        "",
        "## At a glance",
        "",
        "How many of the arrays that a producer can make arrive in the same memory:",
        "",
        *_overview(found),
        "",
        "## What producers do not have",
        "",
        "| producer | shapes | element types | reason |",
        "|---|---|---|---|",
        *_lacking(found),
        "",
    ]
    for consumer, how in CONSUMERS.items():
        lines += [f"## To {consumer}", ""]
        lines += [how.notes[0].upper() + how.notes[1:] + ".", ""] if how.notes else []
        lines += [
            "| producers | shapes | element types | outcome |",
            "|---|---|---|---|",
            *_rows(found, consumer),
            "",
        ]
    return "\n".join(lines)
