"""What of our own sources a build is keyed by: their content, without docstrings, wherever they lie."""

from __future__ import annotations

import ast
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import samebytes
from samebytes.toolchain.own_sources import DOCSTRING, OPENING, code, sources_digest

PACKAGE = Path(samebytes.__file__).parent
PROGRAM = """
import sys, pathlib
sys.path.insert(0, sys.argv[1])
# Editable installs have a finder of their own.
sys.meta_path[:] = [finder for finder in sys.meta_path if "ScikitBuild" not in type(finder).__name__]
import samebytes as sb
assert sb.__file__.startswith(sys.argv[1])
assert sb.compile("inline int twice(int x) { return 2 * x; }").twice(4) == 8
print(len(list(pathlib.Path(sys.argv[2]).glob("*/*/library.so"))))
"""


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package, as another clone has it, the core included."""
    place = tmp_path_factory.mktemp("clone") / "samebytes"
    shutil.copytree(PACKAGE, place, ignore=shutil.ignore_patterns("__pycache__"))
    for core in Path(samebytes._native.__file__).parent.glob("_native*.so"):
        shutil.copy(core, place)
    return place


def docstrings(text: bytes) -> Iterator[tuple[int, int]]:
    """The lines of each, first and last."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and (
            ast.get_docstring(node, clean=False) is not None
        ):
            yield node.body[0].lineno, node.body[0].end_lineno or 0


@pytest.mark.full
def test_nothing_but_docstrings_is_left_out() -> None:
    count = 0
    for path in PACKAGE.rglob("*.py"):
        text = path.read_bytes()
        known = set(docstrings(text))
        matches = [match.span() for match in DOCSTRING.finditer(text)]
        lines = [(text.count(b"\n", 0, begin) + 2, text.count(b"\n", 0, end)) for begin, end in matches]
        if opening := OPENING.match(text):
            lines.append((1, opening[0].count(b"\n")))
        assert known.issuperset(lines), path
        count += len(lines)
    assert count > 5000  # nearly all there are


def test_a_file_that_is_not_python_counts_whole() -> None:
    text = b'"""a"""\n:\n"""b"""\n'
    assert code("x.py", text) == b":\n"
    assert code("x.cpp", text) == text


def test_another_copy_has_the_same_digest(copy: Path) -> None:
    assert sources_digest(str(copy)) == sources_digest(str(PACKAGE))


@pytest.mark.parametrize(
    ("file", "old", "new", "differs"),
    [
        ("emit/base.py", b'"""', b'"""In other words: ', False),  # the docstring of a file
        ("emit/base.py", b"return ", b"return  ", True),
        ("emit/parts/report.cpp", b";", b"; ", True),
        ("include/samebytes/array.hpp", b";", b"; ", True),
        ("call/frame.py", b"return ", b"return  ", False),  # a room after make
    ],
)
def test_what_shapes_a_build_is_in_the_key(
    copy: Path, file: str, old: bytes, new: bytes, differs: bool
) -> None:
    before, text = sources_digest(str(copy)), (copy / file).read_bytes()
    assert old in text
    try:
        (copy / file).write_bytes(text.replace(old, new, 1))
        assert (sources_digest(str(copy)) != before) == differs
    finally:
        (copy / file).write_bytes(text)
    assert sources_digest(str(copy)) == before


@pytest.mark.full  # four programs
def test_a_shim_that_changed_is_built_again_and_a_docstring_is_not(
    copy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache, room = tmp_path / "cache", copy / "emit" / "base.py"
    monkeypatch.setenv("SAMEBYTES_CACHE_DIR", str(cache))
    changed = next(iter(sorted((copy / "emit" / "parts").glob("*.*pp"))))

    def builds(root: Path) -> int:
        """How many libraries the cache has after a program of a copy."""
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM, str(root.parent), str(cache)],
            capture_output=True,
            text=True,
            check=False,
        )
        assert not done.returncode, done.stderr
        return int(done.stdout)

    shutil.copytree(copy, another := tmp_path / "another" / "samebytes")
    assert builds(copy) == 1
    assert builds(another) == 1  # it takes what the first has built
    text = room.read_text()
    room.write_text(text.replace('"""', '"""In other words: ', 1))
    assert builds(copy) == 1
    changed.write_text(changed.read_text() + "\n// another shim\n")
    assert builds(copy) == 2
