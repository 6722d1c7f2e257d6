"""Runs the Python of the documents: each file's blocks in order, in a process of its own."""

from __future__ import annotations

import io
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from samebytes.layouts import picture
from samebytes.layouts.picture.table import table

pytestmark = [
    pytest.mark.optimised,  # documents say what users see
    pytest.mark.full,
]

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)


def python_of(document: Path) -> str:
    """The document with all but its Python blanked, so that a traceback's line numbers are the document's."""
    text = document.read_text()
    kept = {
        line
        for match in BLOCK.finditer(text)
        for line in range(text.count("\n", 0, match.start(1)), text.count("\n", 0, match.end(1)))
    }
    return "\n".join(line if i in kept else "" for i, line in enumerate(text.split("\n")))


# What runs where its libraries are: tests/examples/libraries/test_hip_examples.py, tests/launch/test_document.py,
# test_from_peers.py.
ELSEWHERE = {"docs/hip.md", "docs/kernels.md"}
DOCUMENTS = [
    str(path.relative_to(ROOT))
    for path in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    if BLOCK.search(path.read_text())
    and str(path.relative_to(ROOT)) not in ELSEWHERE
    and not path.name.startswith("from_")
]


# What pages are about beyond samebytes' own requirements: they run where it is installed.
ABOUT = {"docs/numba.md": "numba", "docs/howto/numba.md": "numba"}
CASES = [
    pytest.param(name, marks=pytest.mark.full) if name in ABOUT else name
    for name in DOCUMENTS
]  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_the_code_of_a_document_runs(name: str, tmp_path: Path) -> None:
    if name in ABOUT:
        pytest.importorskip(ABOUT[name], reason=f"{ABOUT[name]} is not installed")
    script = tmp_path / f"{Path(name).name}.py"
    script.write_text(python_of(ROOT / name))
    assert script.read_text().strip()
    done = subprocess.run(
        [sys.executable, str(script)], capture_output=True, text=True, cwd=tmp_path, check=False
    )
    assert done.returncode == 0, f"{name}\n{done.stderr}"


def test_the_picture_and_the_table_of_a_layout_are_fresh() -> None:
    found: dict[str, Any] = {}
    document = ROOT / "docs" / "layout.md"
    exec(compile(python_of(document), str(document), "exec"), found)
    assert (ROOT / "docs" / "particle.svg").read_text() == picture.svg(found["Particle"], "cuda")
    console = Console(file=io.StringIO(), width=120)
    console.print(table(found["Particle"], "cuda"))
    lines = (line.rstrip() for line in console.file.getvalue().splitlines())  # type: ignore[attr-defined]
    assert "\n".join(lines) in document.read_text()
