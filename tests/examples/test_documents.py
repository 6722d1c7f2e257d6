"""Runs the Python of the documents: each file's blocks in order, in a process of its own."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

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


@pytest.mark.parametrize("name", ["README.md", "docs/index.md"])
def test_the_code_of_a_document_runs(name: str, tmp_path: Path) -> None:
    script = tmp_path / f"{Path(name).name}.py"
    script.write_text(python_of(ROOT / name))
    assert script.read_text().strip()
    done = subprocess.run(
        [sys.executable, str(script)], capture_output=True, text=True, cwd=tmp_path, check=False
    )
    assert done.returncode == 0, f"{name}\n{done.stderr}"
