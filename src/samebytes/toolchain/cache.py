"""A content-addressed store of built libraries, safe for many processes and for corrupt entries."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import shutil
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from filelock import FileLock

from ..errors import BindError
from ..forks import importing
from .pruning import tidy

_MANIFEST = "manifest.json"
_PATIENCE = 3
_UNWRITABLE = {errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


def digest(data: bytes) -> str:
    """SHA-256 as hexadecimal text."""
    return hashlib.sha256(data).hexdigest()


@lru_cache(maxsize=4096)
def _file_digest(path: str, size: int, mtime_ns: int, inode: int) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def file_digest(path: str) -> str | None:
    """The digest of a file's content, or None if it cannot be read."""
    try:
        stat = os.stat(path)
        return _file_digest(path, stat.st_size, stat.st_mtime_ns, stat.st_ino)
    except OSError:
        return None


@dataclass(frozen=True, slots=True)
class Inputs:
    """The files that decide a build besides the request.

    Attributes
    ----------
    read : tuple of str
        Absolute paths of what was read.
    absent : list of str
        What was looked for and is not there.
    """

    read: tuple[str, ...]
    absent: list[str] = field(default_factory=list)

    def outside(self, work: Path) -> list[str]:
        """What was read outside the directory of the build."""
        inside = f"{work}{os.sep}"
        return sorted({path for path in map(os.path.abspath, self.read) if not path.startswith(inside)})


@dataclass(frozen=True, slots=True)
class Entry:
    """One stored build: a directory whose files are never changed."""

    path: Path

    def file(self, name: str) -> Path:
        """One of its files."""
        return self.path / name


class Cache:
    """Builds under ``root``, each found by what was asked and by the content of every file it read.

    Parameters
    ----------
    root : Path
        Created with mode 0700. A directory that others may write to is refused: libraries are loaded from it.
    """

    def __init__(self, root: Path) -> None:
        self.root = root

    def get(self, request: object, make: Callable[[Path], Inputs]) -> Entry:
        """The stored build of ``request``, made now if there is none.

        Parameters
        ----------
        request : JSON value
            All that decides the build except the content of files.
        make : callable
            Called with an empty directory to fill; returns the files that decided the result.

        Returns
        -------
        Entry
        """
        shelf = self.root / digest(json.dumps(request, sort_keys=True).encode())
        for _ in range(_PATIENCE):
            self._prepare()
            found = self._find(shelf) or self._made(shelf, request, make)
            if found is not None:
                return found
        raise BindError(f"the builds in {self.root} keep disappearing while they are made")

    def _made(self, shelf: Path, request: object, make: Callable[[Path], Inputs]) -> Entry | None:
        """The build, made under the shelf's lock; None if the shelf was removed meanwhile."""
        try:
            shelf.mkdir(mode=0o700, exist_ok=True)
            with FileLock(shelf / "lock"):
                made = self._find(shelf, clean=True) or self._make(shelf, request, make)
        except _Removed:
            return None
        except FileNotFoundError:
            if shelf.exists():
                raise
            return None
        except OSError as error:
            raise self._unwritable(error) from error
        tidy(self.root)
        return made

    def _unwritable(self, error: OSError) -> Exception:
        """The error in words where it is the cache that cannot be written to; else itself."""
        place = error.filename or self.root  # a write names no file
        if error.errno not in _UNWRITABLE or not str(place).startswith(str(self.root)):
            return error
        return BindError(
            f"the cache {self.root} cannot be written to ({error.strerror}): make room, or set SAMEBYTES_CACHE_DIR "
            "to a directory that can."
        )

    def _prepare(self) -> None:
        try:
            self.root.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise BindError(
                f"the cache {self.root} cannot be made ({error.strerror}): "
                "set SAMEBYTES_CACHE_DIR to a directory of yours."
            ) from error
        stat = self.root.stat()
        if stat.st_uid != os.getuid() or stat.st_mode & 0o022:
            raise BindError(
                f"the cache {self.root} is not safe to load libraries from: it must belong to you and be writable "
                "by you alone (chmod 700), or set SAMEBYTES_CACHE_DIR to a directory that is."
            )

    def _find(self, shelf: Path, *, clean: bool = False) -> Entry | None:
        try:
            entries = [item for item in os.scandir(shelf) if item.is_dir() and not item.name.startswith(".")]
        except FileNotFoundError:
            return None
        for item in entries:
            verdict = _verify(Path(item.path))
            if verdict == "good":
                return _used(Path(item.path))
            if verdict == "corrupt" and clean:  # only under the lock: nobody else is making it just now
                shutil.rmtree(item.path, ignore_errors=True)
        return None

    def _make(self, shelf: Path, request: object, make: Callable[[Path], Inputs]) -> Entry:
        rested: dict[str, tuple[int, ...] | None] = {}
        for _ in range(_PATIENCE):
            work = Path(tempfile.mkdtemp(prefix=".build-", dir=shelf))
            try:
                begun = time.time_ns()
                inputs = _whole(work, make)
                # A file that was edited while it was read: what was built may fit neither version. One whose time is
                # to come (another machine's clock) is the same as it was after the attempt before.
                times = {path: _times(path) for path in inputs.outside(work)}
                if all(t and (t[0] < begun or rested.get(path) == t) for path, t in times.items()):
                    return self._keep(shelf, work, request, inputs)
                rested = times
            finally:
                shutil.rmtree(work, ignore_errors=True)
        raise BindError("the files keep changing while they are compiled; try again when they rest")

    def _keep(self, shelf: Path, work: Path, request: object, inputs: Inputs) -> Entry:
        for leftover in [*work.glob("*.o"), *work.glob("*.d")]:
            leftover.unlink()
        manifest = {
            "request": request,
            "inputs": {path: file_digest(path) for path in inputs.outside(work)},
            "absent": inputs.absent,
            "outputs": {file.name: file_digest(str(file)) for file in work.iterdir()},
        }
        text = json.dumps(manifest, sort_keys=True, indent=1)
        (work / _MANIFEST).write_text(text)
        target = shelf / digest(text.encode())[:32]
        if target.exists():
            shutil.rmtree(target)
        work.rename(target)
        return Entry(target)


def _used(path: Path) -> Entry:
    """The entry, marked as used now."""
    with suppress(OSError):
        os.utime(path)
    return Entry(path)


class _Removed(Exception):
    """Another process removed what was being made."""


def _whole(work: Path, make: Callable[[Path], Inputs]) -> Inputs:
    try:
        return make(work)
    except Exception as error:
        if work.exists():
            raise
        raise _Removed from error


def _times(path: str) -> tuple[int, ...] | None:
    """When a file was changed, and what else tells that it was."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_ino


def _verify(path: Path) -> str:
    """``"good"``, ``"stale"`` (a file it read has changed) or ``"corrupt"``."""
    try:
        manifest = json.loads((path / _MANIFEST).read_text())
        outputs, inputs, absent = manifest["outputs"].items(), manifest["inputs"].items(), manifest["absent"]
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return "corrupt"
    if any(file_digest(str(path / name)) != expected for name, expected in outputs):
        return "corrupt"
    if any(map(os.path.exists, absent)):
        return "stale"
    return "good" if all(file_digest(name) == expected for name, expected in inputs) else "stale"


def default_cache() -> Cache:
    """The user's cache: ``$SAMEBYTES_CACHE_DIR``, else the platform's cache directory."""
    chosen = os.environ.get("SAMEBYTES_CACHE_DIR")
    if chosen:
        return Cache(Path(chosen))
    with importing:
        from platformdirs import user_cache_path

    return Cache(user_cache_path("samebytes"))
