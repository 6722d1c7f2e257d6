"""With -g a debugger finds every line: of a file, of source text, of an instantiation that is built later."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # programs of their own

SOURCE = """
template <class T> struct Cell { Cell() {} ~Cell() {} T held = 1; T twice(T x) {
  return x * 2; } };
inline int marked(int x) {
  return x + 1;
}
"""


@pytest.fixture(autouse=True)
def binutils() -> None:
    for program in ("nm", "addr2line"):
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not installed")


def place(library: str, name: str) -> tuple[Path, int]:
    """The file and line at which a library's function begins."""
    table = subprocess.run(["nm", "-C", library], capture_output=True, text=True, check=True).stdout
    address = next(line.split()[0] for line in table.splitlines() if f"{name}(" in line)
    command = ["addr2line", "-e", library, address]
    found = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    file, _, line = found.strip().rpartition(":")
    return Path(file), int(line.split()[0])


@pytest.mark.parametrize("flags", [["-g", "-O0"], ["-ggdb3", "-O0"]])
def test_source_text_is_where_it_is_said_to_be(flags: list[str]) -> None:
    lib = sb.compile(SOURCE, flags=flags)
    assert lib.marked(1) == 2
    file, line = place(lib.__file__, "marked")
    assert (file.read_text(), line) == (SOURCE, 4)


def test_an_instantiation_that_is_built_later() -> None:
    lib = sb.compile(SOURCE, flags=["-g", "-O0"])
    before = loaded()
    cell = lib.Cell[int]
    assert cell().twice(4) == 8
    found = {place(file, "twice") for file in loaded() - before if _has(file, "Cell<int>::twice(")}
    assert {(file.read_text(), line) for file, line in found} == {(SOURCE, 2)}


def loaded() -> set[str]:
    """The libraries in this process; another test's file may be gone by now."""
    lines = Path("/proc/self/maps").read_text().splitlines()
    return {line.split()[-1] for line in lines if line.endswith("library.so")}


def _has(file: str, name: str) -> bool:
    return name in subprocess.run(["nm", "-C", file], capture_output=True, text=True, check=True).stdout


def test_a_file(tmp_path: Path) -> None:
    (tmp_path / "own.hpp").write_text(SOURCE)
    lib = sb.bind(tmp_path / "own.hpp", flags=["-g", "-O0"])
    assert place(lib.__file__, "marked") == (tmp_path / "own.hpp", 4)


@pytest.mark.parametrize("flags", [[], ["-g", "-g0"]])
def test_without_it_nothing_is_stored(flags: list[str]) -> None:
    lib: Any = sb.compile(SOURCE, flags=[*flags, "-O0"])
    with pytest.raises(ValueError, match="invalid literal"):
        place(lib.__file__, "marked")
