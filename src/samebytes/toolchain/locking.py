"""A lock that processes and threads take in turn: filelock's, which is imported where the first build is written."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ..forks import importing

if TYPE_CHECKING:
    from filelock import BaseFileLock


def lock(path: Path, *, wait: bool = True) -> BaseFileLock:
    """A lock to be held within a ``with`` block, free in the child of a fork.

    Parameters
    ----------
    path : Path
        Made where it is not there, which is all that the file is for.
    wait : bool
        Whether to wait for who has it.

    Raises
    ------
    OSError
        On entering: TimeoutError if somebody else has it and it is not waited for, FileNotFoundError if its folder is
        gone, another if the file cannot be opened or its file system has no locks.
    """
    with importing:  # a fork waits for it
        from filelock import FileLock

    # Without `fallback_to_soft=False` a file system without locks gets a marker that a killed process leaves for ever.
    return FileLock(path, timeout=-1 if wait else 0, fallback_to_soft=False)
