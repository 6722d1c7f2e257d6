"""The notebook of the documents, executed anew: every cell gives what it gave."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.full
NOTEBOOK = Path(__file__).parents[2] / "docs" / "notebook.ipynb"


def _seen(cells: list[dict[str, Any]]) -> list[list[str]]:
    """What each cell shows, without what differs between machines: the compiler's name, folders and wording."""
    return [[_plain(output) for output in cell.get("outputs", ())] for cell in cells]


def _plain(output: dict[str, Any]) -> str:
    if "ename" in output:
        return f"{output['ename']}: {output['evalue'].partition('command:')[0]}"
    data = output.get("data", {})
    text = "".join(data.get("text/html") or data.get("text/plain") or output.get("text") or ())
    return re.sub(r"\s+", " ", text)


def test_every_cell_gives_what_it_gave(tmp_path: Path) -> None:
    for module in ("nbclient", "nbformat", "ipykernel"):
        pytest.importorskip(module, reason=f"{module} is not installed")
    import nbformat
    from nbclient import NotebookClient

    notebook = nbformat.read(NOTEBOOK, as_version=4)
    settings = {"metadata": {"path": str(tmp_path)}}
    NotebookClient(notebook, kernel_name="python3", timeout=300, resources=settings).execute()
    assert _seen(notebook.cells) == _seen(json.loads(NOTEBOOK.read_text())["cells"])
