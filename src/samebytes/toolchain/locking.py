"""A lock that processes and threads take in turn: ``flock`` of a file in the cache."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
from types import TracebackType
from weakref import WeakSet

from ..forks import importing

_FLAGS = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC


class Timeout(Exception):
    """Somebody else has the lock."""


class FileLock:
    """Held within a ``with`` block; not taken twice by one thread.

    Parameters
    ----------
    path : Path
        Made where it is not there, which is all that the file is for.
    wait : bool
        Whether to wait for who has it.

    Raises
    ------
    Timeout
        On entering, if somebody else has it and it is not waited for.
    OSError
        On entering, if the file cannot be opened; FileNotFoundError if its folder is gone, too.
    """

    def __init__(self, path: Path, *, wait: bool = True) -> None:
        self._path, self._wait = path, wait
        self._descriptor = -1

    def __enter__(self) -> None:
        _all.add(self)
        while not self._take():
            pass

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        if self._descriptor >= 0:  # not in the child of a fork
            fcntl.flock(self._descriptor, fcntl.LOCK_UN)  # a child of a fork may have the descriptor, too
            self._close()

    def _take(self) -> bool:
        """Lock the file; False if it was removed meanwhile, and its lock keeps nobody out."""
        with importing:  # a fork waits for it: each descriptor is known to what closes it in the child
            self._descriptor = os.open(self._path, _FLAGS, 0o600)
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | (0 if self._wait else fcntl.LOCK_NB))
            if os.path.samestat(os.fstat(self._descriptor), os.stat(self._path)):
                return True
        except FileNotFoundError:
            pass
        except BlockingIOError:
            self._close()
            raise Timeout(str(self._path)) from None
        except BaseException:
            self._close()
            raise
        self._close()
        return False

    def _close(self) -> None:
        os.close(self._descriptor)
        self._descriptor = -1


def _in_child() -> None:
    """The child of a fork has the parent's locks no longer: it could neither give them back nor be waited for."""
    for lock in list(_all):
        if lock._descriptor >= 0:
            lock._close()


_all: WeakSet[FileLock] = WeakSet()
os.register_at_fork(after_in_child=_in_child)
