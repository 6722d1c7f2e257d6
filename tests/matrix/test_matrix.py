"""Every producer × every consumer × dtypes × shapes: each pair shares memory, or fails as the committed table says.

``python tests/matrix/test_matrix.py`` writes ``matrix.tsv`` and ``docs/protocols.md`` anew from what the installed
libraries do. Only cells in which samebytes takes part are ours to promise.
"""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import samebytes as sb
from samebytes.view import ArrayView

sys.path.insert(0, str(Path(__file__).parent))
from peers import CONSUMERS, DTYPES, NEEDS, PRODUCERS, SHAPES, dtype

HERE = Path(__file__).parent
TABLE = HERE / "matrix.tsv"
DOCS = HERE.parents[1] / "docs" / "protocols.md"
# A row per pair in which samebytes is one side.
PAIRS = [("samebytes", c) for c in CONSUMERS] + [(p, "samebytes.view") for p in PRODUCERS if p != "samebytes"]
# torch 2.13 ends the process on a negative stride, NumPy's arrays included (c10::Error out of a C function).
FATAL = {("torch.from_dlpack", "negative")}


def needed(name: str) -> str:
    """The module that a producer or consumer needs; empty: none beside NumPy."""
    return NEEDS.get(name.partition(".")[0], "")


def outcome(producer: str, consumer: str, name: str, shape: str) -> str:
    """``shared``, ``shared, read-only``, ``copied``, or who refuses and by which error."""
    try:
        made = PRODUCERS[producer](name, shape)
    except KeyError:
        return "not made"  # the library has no such array
    except Exception as error:
        return f"not made: {type(error).__name__}"
    if (consumer, shape) in FATAL:
        return "not tried"
    take, address = CONSUMERS[consumer]
    try:
        taken = take(made.array)
    except Exception as error:
        return f"refused: {type(error).__name__}"
    if made.memory is None:  # immutable arrays: sb.view says what they are
        assert isinstance(taken, ArrayView)
        assert np.asarray(taken).dtype == dtype(name)
        return "shared, read-only" if taken.readonly else "shared"
    return compared(made.memory, taken, address)


def compared(memory: np.ndarray[Any, Any], taken: Any, address: Any) -> str:
    """Write on one side, read on the other."""
    if not memory.size:
        return "nothing to share"
    if address(taken) not in (memory.__array_interface__["data"][0], sb.view(memory).ptr):
        return "copied"
    seen = sb.view(taken)
    if memory.flags.writeable:
        first = (0,) * memory.ndim
        before, shown = memory[first], np.asarray(seen).tobytes()
        memory[first] = 0 if before else 1
        assert np.asarray(seen).tobytes() != shown, "what was written is not seen"
        memory[first] = before
        return "shared, read-only" if seen.readonly else "shared"
    return "shared, read-only" if seen.readonly else "shared, flag lost"


def cells() -> dict[tuple[str, str, str], dict[str, str]]:
    """Outcomes for the libraries that are installed: (producer, consumer, shape) -> dtype -> outcome."""
    return {
        (producer, consumer, shape): {name: outcome(producer, consumer, name, shape) for name in DTYPES}
        for producer, consumer in PAIRS
        if all(not needed(n) or find_spec(needed(n)) for n in (producer, consumer))
        for shape in SHAPES
    }


def read_table() -> dict[tuple[str, str, str], dict[str, str]]:
    head, *rows = (line.split("\t") for line in TABLE.read_text().splitlines())
    return {(r[0], r[1], r[2]): dict(zip(head[3:], r[3:], strict=True)) for r in rows}


EXPECTED = read_table() if TABLE.exists() else {}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("producer", "consumer"),
    [pytest.param(*p, marks=[pytest.mark.full] if any(map(needed, p)) else []) for p in PAIRS],
)
def test_every_cell_is_as_promised(producer, consumer):
    for name in filter(None, map(needed, (producer, consumer))):
        pytest.importorskip(name)
    for shape in SHAPES:
        found = {name: outcome(producer, consumer, name, shape) for name in DTYPES}
        assert found == EXPECTED[producer, consumer, shape], shape


def test_every_cell_has_a_promise():
    assert set(EXPECTED) == {(*pair, shape) for pair in PAIRS for shape in SHAPES}
    assert sum(map(len, EXPECTED.values())) == len(PAIRS) * len(SHAPES) * len(DTYPES)


def test_the_docs_show_the_table():
    assert DOCS.read_text() == document(EXPECTED)


# --- the page

LEGEND = {
    "shared": "the same memory, writable on both sides",
    "shared, read-only": "the same memory, and the consumer knows that it must not write",
    "shared, flag lost": "the same memory; the consumer has no read-only arrays",
    "nothing to share": "no elements; shape and dtype arrive",
    "copied": "the consumer itself made a copy",
    "not made": "the producer has no such array",
    "not tried": "torch 2.13 ends the process on a negative stride, NumPy's own arrays included",
}

# Why a side refuses: whose limit it is. (side, error) -> sentence
LIMITS = {
    ("numpy.from_dlpack", "RuntimeError"): "NumPy's DLPack import knows no bfloat16 and no 8-bit floats",
    ("memoryview", "ProtocolError"): "PEP 3118 has no format for bfloat16 and the 8-bit floats",
    ("pyarrow.py_buffer", "BufferError"): "pyarrow's buffers are contiguous bytes",
    (
        "jax.from_dlpack",
        "ProtocolError",
    ): "JAX asks for a capsule that cannot say read-only, so the view gives none",
    ("jax.from_dlpack", "JaxRuntimeError"): "JAX imports C order without gaps only",
    (
        "jax.from_dlpack",
        "ValueError",
    ): "JAX would copy: it shares what is aligned to 64 bytes and in an order it has",
    ("samebytes.view", "ProtocolError"): "the producer shows such an array by no protocol",
}


def reason(consumer: str, found: str) -> str:
    """The limit behind a refusal."""
    who, _, error = found.partition(": ")
    if who != "refused":
        return LEGEND.get(found, "the producer's own constructor refuses")
    return LIMITS[consumer, error]  # a refusal without a reason is no promise


def document(table: dict[tuple[str, str, str], dict[str, str]]) -> str:
    """docs/protocols.md."""
    lines = [
        "# Who shares memory with whom",
        "",
        "`tests/matrix` makes each array, hands it on, writes on one side and reads on the other. This page is what it",
        "expects, cell by cell; dtypes with the same outcome stand together.",
        "",
        *(f"- **{word}**: {meaning}." for word, meaning in LEGEND.items()),
        "",
    ]
    for producer, consumer in PAIRS:
        lines += [f"## {producer} → {consumer}", "", "| shape | dtypes | outcome |", "|---|---|---|"]
        for shape in SHAPES:
            groups: dict[str, list[str]] = {}
            for name, found in table[producer, consumer, shape].items():
                groups.setdefault(found, []).append(name)
            for found, names in groups.items():
                who = "all" if len(names) == len(DTYPES) else ", ".join(names)
                why = "" if found in LEGEND else f" ({reason(consumer, found)})"
                lines.append(f"| {shape} | {who} | {found}{why} |")
        lines.append("")
    return "\n".join(lines)


if __name__ == "__main__":
    found = cells()
    head = "\t".join(("producer", "consumer", "shape", *DTYPES))
    rows = ["\t".join((*key, *(row[name] for name in DTYPES))) for key, row in found.items()]
    TABLE.write_text("\n".join([head, *rows, ""]))
    DOCS.write_text(document(found))
