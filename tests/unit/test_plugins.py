"""Plug-ins: files of a folder by their names, and what other distributions register."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from samebytes.plugins import Plugins


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Plugins[str]:
    """A folder with two plug-ins, and a distribution that adds one and would replace another."""
    package = tmp_path / "kinds"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "base.py").write_text("raise AssertionError('no plug-in')\n")
    (package / "plain.py").write_text("KIND = 'plain'\n")
    (package / "hidden_.py").write_text("KIND = 'hidden'\n")
    (tmp_path / "elsewhere.py").write_text("FOREIGN = 'foreign'\nPLAIN = 'not the plain one'\n")
    register(tmp_path, "kinds", "foreign = elsewhere:FOREIGN\nplain = elsewhere:PLAIN")
    monkeypatch.syspath_prepend(str(tmp_path))
    __import__("kinds")
    yield Plugins("kinds", "KIND", group="kinds")
    for name in [name for name in sys.modules if name.partition(".")[0] in ("kinds", "elsewhere")]:
        del sys.modules[name]


def register(place: Path, group: str, rows: str) -> None:
    about = place / "other-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: other\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(f"[{group}]\n{rows}\n")


def test_names_are_those_of_files_and_of_entry_points(folder: Plugins[str]) -> None:
    assert folder.names() == ("hidden", "plain", "foreign")


def test_our_own_comes_before_another_of_its_name(folder: Plugins[str]) -> None:
    assert folder.find("plain") == "plain"
    assert folder.all() == ("hidden", "plain", "foreign")


def test_what_is_none_is_not_found(folder: Plugins[str]) -> None:
    assert folder.find("base") is None
    assert folder.find("hidden_") is None
    assert folder.find("absent") is None


def test_a_file_is_imported_when_it_is_found(folder: Plugins[str]) -> None:
    assert "kinds.plain" not in sys.modules
    folder.find("plain")
    assert "kinds.plain" in sys.modules
    assert "kinds.hidden_" not in sys.modules


def test_without_a_group_there_are_files_alone(folder: Plugins[str]) -> None:
    assert Plugins[str]("kinds", "KIND").names() == ("hidden", "plain")


DIALECT = """
from dataclasses import replace
from samebytes.layouts.dialects.cxx import DIALECT as CXX
DIALECT = replace(CXX, name="mine")
"""


def test_a_dialect_of_another_distribution(tmp_path: Path) -> None:
    (tmp_path / "my_language.py").write_text(DIALECT)
    register(tmp_path, "samebytes.dialects", "mine = my_language:DIALECT")
    asked = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import samebytes as sb; "
        "print(sb.sizeof(sb.float32x3, dialect='mine')); sb.sizeof(sb.float32, dialect='theirs')"
    )
    done = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=False)
    assert done.stdout == "12\n"
    assert done.stderr.endswith("no dialect 'theirs': there are cuda, cxx, hip, sycl, mine\n")
