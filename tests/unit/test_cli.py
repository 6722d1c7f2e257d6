"""The command line: help, the doctor's report and exit code, the demo's answers when something is missing."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from rich.console import Console

from samebytes.tools import cli, doctor
from samebytes.tools.doctor import CHECKS, Check
from samebytes.version import __version__


def report(*checks: Check) -> tuple[bool, str]:
    console = Console(file=io.StringIO(), width=200)
    complete = doctor.examine(console, checks)
    return complete, console.file.getvalue()  # type: ignore[attr-defined]


def test_help_lists_the_commands() -> None:
    result = CliRunner().invoke(cli.main, ["--help"])
    assert result.exit_code == 0
    assert "demo" in result.output
    assert "doctor" in result.output


def test_version() -> None:
    assert f"samebytes, version {__version__}" in CliRunner().invoke(cli.main, ["--version"]).output


def test_doctor_finds_what_is_required_here() -> None:
    result = CliRunner().invoke(cli.main, ["doctor"])
    assert result.exit_code == 0, result.output
    for check in CHECKS:
        assert check.name in result.output


@pytest.mark.parametrize(
    ("found", "required", "complete"),
    [("1.0", True, True), ("1.0", False, True), (None, False, True), (None, True, False)],
)
def test_doctor_fails_only_for_what_is_required(found: str | None, required: bool, complete: bool) -> None:
    verdict, text = report(Check("group", "part", lambda: found, "It adds much: pip install it.", required))
    assert verdict is complete
    assert (found or "It adds much") in text


def test_doctor_shows_brackets_as_they_are() -> None:
    assert (
        "'samebytes[compiler]'"
        in report(Check("g", "p", lambda: None, "pip install 'samebytes[compiler]'."))[1]
    )


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: f"{check.group}-{check.name}")
def test_every_missing_part_is_one_sentence(check: Check) -> None:
    assert check.missing.endswith(".")
    assert ": " in check.missing


def test_no_heavy_import_for_the_doctor() -> None:
    code = (
        "import sys, samebytes.tools.doctor as d; [c.find() for c in d.CHECKS]; "
        "print({'torch', 'jax', 'pyarrow'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


def test_demo_without_matplotlib_is_one_sentence(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.cbook", None)
    result = CliRunner().invoke(cli.main, ["demo", "--out", str(tmp_path / "x.png")])
    assert result.exit_code == 1
    assert result.output.strip() == (
        "Error: The demo takes its elevation data from Matplotlib: pip install 'samebytes[demo]'."
    )


@pytest.mark.full  # it is make demo's, too
def test_demo_writes_a_map(tmp_path: Path) -> None:
    picture = tmp_path / "map.png"
    done = subprocess.run(
        [sys.executable, "-m", "samebytes", "demo", "--out", str(picture)],
        capture_output=True, text=True, env={**os.environ, "PYTHONIOENCODING": "ascii"}, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert "The same bytes" in done.stdout
    assert picture.read_bytes().startswith(b"\x89PNG")
