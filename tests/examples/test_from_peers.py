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

pytestmark = pytest.mark.full  # it takes long

DOCS = Path(__file__).parents[2] / "docs"
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)
# A page's peer, and the page whose files it works with. What needs a GPU runs in tests/launch/test_document.py.
PAGES = {
    "pybind11": "pybind11",
    "nanobind": "nanobind",
    "cppyy": "cppyy",
    "ctypes": "ctypes",
    "cffi": "ctypes",
    "cython": "cython",
    "load_inline": "load_inline",
}
MODULES = {"cython": "Cython", "load_inline": "torch"}
THEIRS = [name for name in PAGES if name != "ctypes"]
# What those who come from Cython and torch have: setuptools, which builds theirs.
_CYTHONIZE = """
from setuptools import Extension, setup
from Cython.Build import cythonize
setup(script_args=["-q", "build_ext", "--inplace"],
      ext_modules=cythonize([Extension("grid", ["grid.pyx"], language="c++")], quiet=True))
"""


def _blocks(page: str, language: str) -> list[str]:
    text = (DOCS / f"from_{page}.md").read_text()
    return [match[2] for match in _BLOCK.finditer(text) if match[1] == language]


def _write_files(peer: str, folder: Path) -> None:
    """The files of a page, each named by its first line, and the library that ctypes opens."""
    page = PAGES[peer]
    for language in ("cpp", "c", "cython"):
        for block in _blocks(page, language):
            named = re.match(r"(?://|/\*|#) (\S+)", block)
            assert named is not None, block
            (folder / named[1]).write_text(block)
    if page == "ctypes":
        subprocess.run(["cc", "-shared", "-fPIC", "meter.c", "-o", "libmeter.so"], cwd=folder, check=True)


def _run(script: str, folder: Path) -> None:
    (folder / "page.py").write_text(script)
    done = subprocess.run(
        [sys.executable, "page.py"], capture_output=True, text=True, cwd=folder, check=False
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("peer", PAGES)
def test_ours(peer: str, tmp_path: Path) -> None:
    _write_files(peer, tmp_path)
    (script,) = _blocks(peer, "python")
    _run(script, tmp_path)


def test_theirs_in_ctypes(tmp_path: Path) -> None:
    _write_files("ctypes", tmp_path)
    (script,) = _blocks("ctypes", "py")
    _run(script, tmp_path)


@pytest.mark.full
@pytest.mark.parametrize("peer", THEIRS)
def test_theirs(peer: str, tmp_path: Path) -> None:
    for module in {MODULES.get(peer, peer), *({"setuptools"} if peer in ("cffi", "cython") else ())}:
        if importlib.util.find_spec(module) is None:
            pytest.skip(f"{module} is not installed")
    if peer == "load_inline" and importlib.util.find_spec("ninja") is None:
        pytest.skip("ninja, which builds extensions of torch's, is not installed")
    _write_files(peer, tmp_path)
    if peer in ("pybind11", "nanobind"):
        _build(peer, tmp_path)
    elif peer == "cython":
        _run(_CYTHONIZE, tmp_path)
    (script,) = _blocks(peer, "py")
    _run(script, tmp_path)


def _sources(peer: str) -> tuple[list[str], list[str]]:
    """The flags and the sources with which a module of a peer's is built."""
    module = importlib.import_module(peer)
    if peer == "pybind11":
        return [f"-I{module.get_include()}"], []
    root = Path(module.__file__ or "").parent
    includes = [f"-I{root / 'include'}", f"-I{root / 'ext/robin_map/include'}", "-fno-strict-aliasing"]
    return includes, [str(root / "src/nb_combined.cpp")]


def _build(peer: str, folder: Path) -> None:
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
    headers = {
        next(block for block in _blocks(peer, "cpp") if block.startswith("// audio.hpp"))
        for peer in ("pybind11", "nanobind", "cppyy")
    }
    assert len(headers) == 1
