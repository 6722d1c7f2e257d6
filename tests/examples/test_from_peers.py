"""Runs both halves of the pages for those who come from another binding: theirs where it is installed."""

from __future__ import annotations

import importlib
import importlib.util
import re
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
BUILT = ["pybind11", "nanobind"]
PEERS = [*BUILT, "cppyy"]
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)


def _blocks(peer: str, language: str) -> list[str]:
    text = (DOCS / f"from_{peer}.md").read_text()
    return [match[2] for match in _BLOCK.finditer(text) if match[1] == language]


def _header(peer: str) -> str:
    (found,) = (block for block in _blocks(peer, "cpp") if block.startswith("// audio.hpp"))
    return found


def _run(script: str, folder: Path) -> None:
    (folder / "page.py").write_text(script)
    done = subprocess.run(
        [sys.executable, "page.py"], capture_output=True, text=True, cwd=folder, check=False
    )
    assert done.returncode == 0, done.stderr


def _sources(peer: str) -> tuple[list[str], list[str]]:
    """The flags and the sources with which a module of a peer's is built."""
    module = importlib.import_module(peer)
    if peer == "pybind11":
        return [f"-I{module.get_include()}"], []
    root = Path(module.__file__ or "").parent
    includes = [f"-I{root / 'include'}", f"-I{root / 'ext/robin_map/include'}", "-fno-strict-aliasing"]
    return includes, [str(root / "src/nb_combined.cpp")]


@pytest.mark.parametrize("peer", PEERS)
def test_ours(peer: str, tmp_path: Path) -> None:
    (tmp_path / "audio.hpp").write_text(_header(peer))
    (script,) = _blocks(peer, "python")
    _run(script, tmp_path)


@pytest.mark.full
@pytest.mark.parametrize("peer", PEERS)
def test_theirs(peer: str, tmp_path: Path) -> None:
    if importlib.util.find_spec(peer) is None:
        pytest.skip(f"{peer} is not installed")
    (tmp_path / "audio.hpp").write_text(_header(peer))
    if peer in BUILT:
        _build(peer, tmp_path)
    (script,) = _blocks(peer, "py")
    _run(script, tmp_path)


def _build(peer: str, folder: Path) -> None:
    (glue,) = (block for block in _blocks(peer, "cpp") if block.startswith("// audio_module.cpp"))
    (folder / "audio_module.cpp").write_text(glue)
    flags, sources = _sources(peer)
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    python = f"-I{sysconfig.get_paths()['include']}"
    options = ["-std=c++17", "-O1", "-shared", "-fPIC", "-fvisibility=hidden", "-DNDEBUG", python, *flags]
    subprocess.run(
        ["g++", *options, "audio_module.cpp", *sources, "-o", f"audio_module{suffix}"],
        cwd=folder,
        check=True,
    )


def test_the_header_is_the_same_on_all_pages() -> None:
    assert len({_header(peer) for peer in PEERS}) == 1
