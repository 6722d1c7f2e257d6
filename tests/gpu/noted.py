"""A plugin of pytest's for one file's run: what became of each test, line by line, also where the process dies."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

VARIABLE = "SAMEBYTES_GPU_ROWS"


def _write(**said: Any) -> None:
    with Path(os.environ[VARIABLE]).open("a") as file:
        file.write(json.dumps(said) + "\n")


def _name(nodeid: str) -> str:
    return nodeid.partition("::")[2].partition("[")[0]


def _reason(report: pytest.TestReport) -> str:
    if report.skipped and isinstance(report.longrepr, tuple):
        return str(report.longrepr[2]).removeprefix("Skipped: ")
    crash = getattr(report.longrepr, "reprcrash", None)
    return str(crash.message if crash else report.longrepr).strip().partition("\n")[0]


def pytest_runtest_logstart(nodeid: str) -> None:
    _write(test=_name(nodeid), outcome="begun")


def pytest_runtest_logfinish(nodeid: str) -> None:
    _write(test=_name(nodeid), outcome="ended")


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """A test's own outcome, and what went wrong before or after it."""
    wrong = report.outcome != "passed"
    if report.when == "call" or wrong:
        reason = _reason(report) if wrong else ""
        measured = dict(report.user_properties) if report.when == "call" else {}
        _write(test=_name(report.nodeid), outcome=report.outcome, reason=reason, measured=measured)
    _write(test=_name(report.nodeid), outcome="took", seconds=report.duration)


def pytest_collectreport(report: pytest.CollectReport) -> None:
    """A file that cannot be imported has no tests, and is a failure all the same."""
    if report.failed:
        _write(test="its imports", outcome="failed", reason=_reason(report))  # type: ignore[arg-type]
