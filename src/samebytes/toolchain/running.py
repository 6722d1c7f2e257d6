"""Runs compilers so that a fork meanwhile holds no pipe of theirs open, whose end would then never come."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

from ..forks import importing


def run(command: Sequence[str], *, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """What a command says, in the C locale, without input.

    While the process starts no fork begins: its child would keep the ends of pipes that are on their way to the
    process, and whoever reads these would wait for the child.
    """
    with importing:
        process = subprocess.Popen(
            command, cwd=cwd, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            text=True, errors="replace", env={**os.environ, "LC_ALL": "C"},
        )  # fmt: skip
    with process:
        try:
            output, errors = process.communicate()
        except BaseException:
            process.kill()
            raise
    return subprocess.CompletedProcess(command, process.returncode, output, errors)
