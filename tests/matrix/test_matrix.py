"""Every producer × every consumer × element types × shapes: each cell shares memory, or fails as the table says.

``python tests/matrix/test_matrix.py`` writes ``matrix.tsv`` and ``docs/protocols.md`` anew from what the installed
libraries do.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))
from matrix import table
from matrix.alone import ALONE
from matrix.arrays import DTYPES, SHAPES
from matrix.cells import FRAGILE, PAIRS, pair
from matrix.consumers import CONSUMERS, needed
from matrix.limits import LIMITS, SHARED, TRAP
from matrix.producers import PRODUCERS

HERE = Path(__file__).parent
EXPECTED = table.read() if table.TABLE.exists() else {}


def libraries(*names: str) -> None:
    for name in filter(None, map(needed, names)):
        pytest.importorskip(name, exc_type=ImportError)
        if name == "nanobind" and not shutil.which("g++"):
            pytest.skip("g++ is not installed, and nanobind's part is an extension")


def marked(*names: str) -> object:
    return pytest.param(*names, marks=[pytest.mark.full] if any(map(needed, names)) else [])


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("producer", "consumer"), [marked(*p) for p in PAIRS])
def test_every_cell_is_as_promised(producer, consumer):
    libraries(producer, consumer)
    found = pair(producer, consumer)
    assert found == {cell: EXPECTED[cell] for cell in found}


@pytest.mark.full
def test_what_ends_the_process():
    """Each such cell in a process of its own; it does so without samebytes, too."""
    libraries("torch", "jax", "pyarrow", "tvm-ffi", "nanobind")
    done = subprocess.run([sys.executable, str(HERE / "fragile.py")], capture_output=True, text=True)
    assert not done.returncode, done.stderr
    found = json.loads(done.stdout)
    assert {found.pop(consumer) for consumer, _ in FRAGILE} == {TRAP}
    assert found == {"\t".join(c): EXPECTED[c] for c in EXPECTED if (c[1], c[2]) in FRAGILE}


@pytest.mark.full
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("key", ALONE)
def test_a_limit_is_the_librarys_own(key):
    """Without samebytes the library refuses the same."""
    libraries(*CONSUMERS, *PRODUCERS)
    with pytest.raises(Exception) as caught:
        ALONE[key]()
    assert not type(caught.value).__module__.startswith("samebytes")


def test_every_cell_has_a_promise():
    assert set(EXPECTED) == {(*p, shape, name) for p in PAIRS for shape in SHAPES for name in DTYPES}
    assert set(EXPECTED.values()) == {*SHARED, *LIMITS}  # and no reason is without a cell


def test_each_refusal_is_a_limit_of_its_producer_or_consumer():
    for (producer, consumer, *_), outcome in EXPECTED.items():
        if outcome not in SHARED:
            assert LIMITS[outcome].is_of(producer) or LIMITS[outcome].is_of(consumer)


def test_the_docs_show_the_table():
    assert table.DOCS.read_text() == table.page(EXPECTED)


if __name__ == "__main__":
    table.write({cell: outcome for p in PAIRS for cell, outcome in pair(*p).items()})
