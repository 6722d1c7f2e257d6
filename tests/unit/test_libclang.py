"""Which libclang reads headers: the package's, one that is named, or the newest of the system; two of them agree."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import samebytes as sb
from samebytes.read.clang import choosing

SYSTEM = choosing.on_the_system()
needs_another = pytest.mark.skipif(not SYSTEM, reason="the system has no libclang: apt install libclang1-19")


def binding(folder: Path, *, native: bool, loaded: bool = False) -> Any:
    """What stands for clang.cindex."""
    if native:
        (folder / "native").mkdir()
    config = SimpleNamespace(loaded=loaded, library_file=None)
    config.set_library_file = lambda file: setattr(config, "library_file", file)
    return SimpleNamespace(__file__=str(folder / "cindex.py"), Config=config)


@pytest.fixture
def system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[int, str]:
    files = {}
    for number in (15, 18, 20):
        folder = tmp_path / f"llvm-{number}" / "lib"
        folder.mkdir(parents=True)
        files[number] = folder / f"libclang-{number}.so.1"
        files[number].touch()
    monkeypatch.setattr(choosing, "_PLACES", (str(tmp_path / "llvm-*/lib/libclang-*.so*"),))
    return {number: str(file) for number, file in files.items()}


@pytest.mark.parametrize(
    ("asked", "native", "chosen"),
    [("", True, None), ("", False, 20), ("18", True, 18), ("20", False, 20)],
)
def test_which_is_chosen(
    asked: str, native: bool, chosen: int | None, system: dict[int, str], tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setenv(choosing.VARIABLE, asked)
    clang = binding(tmp_path, native=native)
    choosing.choose(clang)
    assert clang.Config.library_file == (chosen and system[chosen])


@pytest.mark.parametrize("asked", ["15", "/nowhere/libclang.so"])
def test_what_is_not_there_is_an_error_that_lists_what_is(
    asked: str, system: dict[int, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(choosing.VARIABLE, asked)
    with pytest.raises(sb.BindError, match=rf"the system has 20 \({system[20]}\), 18"):
        choosing.choose(binding(tmp_path, native=True))


def test_one_that_comes_too_late_is_an_error(
    system: dict[int, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(choosing.VARIABLE, "20")
    with pytest.raises(sb.BindError, match="another libclang was loaded"):
        choosing.choose(binding(tmp_path, native=True, loaded=True))


def test_one_that_is_too_old_is_refused() -> None:
    with pytest.raises(
        sb.MissingDependency, match=r"version 14\.0\.6 was loaded, and reading C\+\+ needs libclang 18"
    ):
        choosing.version_of("Debian clang version 14.0.6")
    assert choosing.version_of("clang version 19.1.7 (Debian)") == 19


@needs_another
@pytest.mark.full
def test_another_reads_the_corpus_to_the_same_models() -> None:
    number = next(iter(SYSTEM))
    tests = Path(__file__).parent / "headers" / "test_golden.py"
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tests)],
        env={**os.environ, choosing.VARIABLE: str(number)}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-3000:]


@needs_another
def test_another_is_named() -> None:
    number = next(iter(SYSTEM))
    script = "from samebytes.read.clang.libclang import index, version; index(); print(version())"
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, choosing.VARIABLE: str(number)}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout == f"{number}\n"
