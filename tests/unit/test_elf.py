"""The reader of object files says what binutils say; what it changes, the linker takes."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from samebytes.toolchain import elf
from samebytes.toolchain.elf import Elf

pytestmark = pytest.mark.skipif(shutil.which("readelf") is None, reason="binutils are not installed")

SOURCE = """#include <string>
inline int counter = 3;
static int own = 4;
thread_local int each = 5;
extern int elsewhere;
int used(int x) { return x + elsewhere + own + counter + each; }
std::string text() { return "text"; }
"""


def readelf(path: Path, *how: str) -> str:
    return subprocess.run(["readelf", "-W", *how, path], capture_output=True, text=True, check=True).stdout


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("elf")
    (folder / "a.cpp").write_text(SOURCE)
    subprocess.run(
        ["g++", "-fPIC", "-c", "a.cpp", "-std=c++17", "-ffunction-sections"], cwd=folder, check=True
    )
    subprocess.run(["g++", "-shared", "a.o", "-o", "liba.so", "-lm"], cwd=folder, check=True)
    return folder


BINDINGS = {"LOCAL": 0, "GLOBAL": 1, "WEAK": 2, "UNIQUE": 10}
VISIBILITIES = {"DEFAULT": 0, "INTERNAL": 1, "HIDDEN": 2, "PROTECTED": 3}
ROW = re.compile(r"^\s*\d+: \w+\s+\w+ (\w+)\s+(\w+)\s+(\w+)\s+(\w+) ?(\S*)", re.M)


@pytest.mark.parametrize(("file", "kind", "how"), [
    ("a.o", elf.SYMBOLS, "--syms"), ("liba.so", elf.SYMBOLS, "--syms"),
    ("liba.so", elf.DYNAMIC_SYMBOLS, "--dyn-syms"),
])  # fmt: skip
def test_symbols(built: Path, file: str, kind: int, how: str) -> None:
    text = readelf(built / file, how)
    if how == "--syms":
        text = text[text.index("'.symtab'") :]
    due = [
        (name.partition("@")[0], BINDINGS[binding], VISIBILITIES[visibility], section == "UND")
        for type_, binding, visibility, section, name in ROW.findall(text)
        if type_ != "SECTION"
    ]
    seen = [
        (s.name.partition("@")[0], s.binding, s.visibility, not s.defined)
        for s in Elf((built / file).read_bytes()).symbols(kind)
        if s.kind != 3  # STT_SECTION: readelf shows the section's own name
    ]
    assert len(seen) > 8
    assert seen == due


def test_what_a_library_needs(built: Path) -> None:
    due = re.findall(r"\(NEEDED\)\s+Shared library: \[(.*)\]", readelf(built / "liba.so", "-d"))
    assert Elf((built / "liba.so").read_bytes()).needed() == due
    assert any("stdc++" in name for name in due)
    assert Elf((built / "a.o").read_bytes()).needed() == []


def test_relocations(built: Path) -> None:
    file = Elf((built / "a.o").read_bytes())
    symbols = list(file.symbols())
    text = readelf(built / "a.o", "-r")
    assert len(list(file.relocations())) == len(re.findall(r"^[0-9a-f]{12,16}  [0-9a-f]{12,16} ", text, re.M))
    mentioned = {symbols[r.symbol].name for r in file.relocations() if ".text._Z4usedi" in
                 file.name(file.sections[r.section])}  # fmt: skip
    assert {"elsewhere", "counter", "each"} <= mentioned


def test_changes_are_the_linkers(built: Path) -> None:
    file = Elf((built / "a.o").read_bytes())
    named = {s.name: s for s in file.symbols() if s.binding != elf.LOCAL}
    file.rename({named["_Z4usedi"]: "renamed", named["elsewhere"]: "far"})
    file.make_unique(named["counter"])
    file.hide(named["each"])
    (built / "b.o").write_bytes(file.data)
    subprocess.run(["g++", "-shared", "b.o", "-o", "libb.so"], cwd=built, check=True)
    dynamic = readelf(built / "libb.so", "--dyn-syms")
    assert re.search(r"FUNC +GLOBAL DEFAULT +\d+ renamed", dynamic)
    assert re.search(r"UND far", dynamic)
    assert re.search(r"OBJECT +UNIQUE +DEFAULT +\d+ counter", dynamic)
    assert "_Z4usedi" not in dynamic
    assert not re.search(r"TLS +\w+ +\w+ +\d+ each", dynamic)


@pytest.mark.parametrize("data", [b"", b"\x7fELF", b"\x7fELF\x01\x01" + bytes(60), b"MZ" + bytes(60)])
def test_other_files_are_none(data: bytes) -> None:
    with pytest.raises(ValueError, match="no 64-bit little-endian ELF file"):
        Elf(data)
