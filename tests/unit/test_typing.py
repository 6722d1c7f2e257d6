"""Type checkers accept and refuse exactly the marked lines of tests/typing/structs.py, and the stub has every name."""

import ast
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # mypy and pyright check large files

EXAMPLE = Path(__file__).parents[1] / "typing" / "structs.py"
STUB = Path(sb.__file__).with_suffix(".pyi")

CHECKERS = {
    "mypy": ["-m", "mypy", "--strict", "--no-error-summary", "--config-file="],
    "pyright": ["-m", "pyright", "--pythonpath", sys.executable],
}


@pytest.mark.parametrize("checker", CHECKERS)
def test_checkers_refuse_the_marked_lines_and_no_others(checker, tmp_path):
    if find_spec(checker) is None:
        pytest.skip(f"{checker} is not installed")
    done = subprocess.run(
        [sys.executable, *CHECKERS[checker], str(EXAMPLE)],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
    )
    refused = {int(line) for line in re.findall(r"structs\.py:(\d+):(?:\d+ -)? error", done.stdout)}
    lines = EXAMPLE.read_text().splitlines()
    marked = {number for number, line in enumerate(lines, 1) if "  # error" in line}
    assert refused == marked, done.stdout + done.stderr


def _bound(tree):
    for node in tree.body:
        if isinstance(node, ast.ImportFrom | ast.Import):
            yield from (alias.asname or alias.name for alias in node.names)
        elif isinstance(node, ast.ClassDef | ast.FunctionDef):
            yield node.name
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            yield from (t.id for t in (node.targets if isinstance(node, ast.Assign) else [node.target]))


def test_the_stub_has_every_public_name_and_no_other():
    tree = ast.parse(STUB.read_text())
    named = {name for name in _bound(tree) if not name.startswith("_")}
    named -= {
        "annotations",
        *(
            n.asname or n.name
            for i in tree.body
            if isinstance(i, ast.ImportFrom) and i.module in ("typing", "collections.abc")
            for n in i.names
        ),
    }
    assert named == {name for name in dir(sb) if not name.startswith("_")}
    listed = next(n.value for n in tree.body if isinstance(n, ast.Assign) and n.targets[0].id == "__all__")
    assert sorted(ast.literal_eval(listed)) == sorted(sb.__all__)
