"""Runs compilers so that a fork meanwhile holds no pipe of theirs open, whose end would then never come."""

from __future__ import annotations

import contextlib
import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from ..forks import importing

# Seconds after which a command that may take long says why.
PATIENCE = 5.0
_said: set[str] = set()


def run(
    command: Sequence[str], *, cwd: Path | None = None, slow: str = "", more: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """What a command says, in the C locale, without input.

    While the process starts no fork begins: its child would keep the ends of pipes that are on their way to the
    process, and whoever reads these would wait for the child.

    Parameters
    ----------
    command : sequence of str
    cwd : Path, optional
    slow : str
        What the log ``samebytes`` says, once, if the command takes longer than :data:`PATIENCE`.
    more : mapping of str to str, optional
        Variables of its environment beside this process's.
    """
    with importing:
        process = subprocess.Popen(
            command, cwd=cwd, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            text=True, errors="replace", env={**os.environ, **(more or {}), "LC_ALL": "C"},
        )  # fmt: skip
    with process:
        try:
            output, errors = _outputs(process, slow)
        except BaseException:
            process.kill()
            raise
    return subprocess.CompletedProcess(command, process.returncode, output, errors)


def _outputs(process: subprocess.Popen[str], slow: str) -> tuple[str, str]:
    if slow and slow not in _said:
        with contextlib.suppress(subprocess.TimeoutExpired):
            return process.communicate(timeout=PATIENCE)
        _said.add(slow)
        with importing:
            import logging
        logging.getLogger("samebytes").warning(slow)
    return process.communicate()
