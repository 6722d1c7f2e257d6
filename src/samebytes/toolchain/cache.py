"""A content-addressed store of built libraries, safe for many processes and for corrupt entries."""

from __future__ import annotations

import errno
import json
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import field
from itertools import islice
from typing import TYPE_CHECKING, Any

from ..errors import BindError
from ..forks import importing
from ..frozen import frozen
from ..later import at_first_use
from . import locking, pruning
from .cache_folder import absolute, another, check_name, users_caches
from .headers import INCLUDE
from .trust import Untrusted, check_above, check_items, file, folder, folders_above, steady
from .verifying import MANIFEST, content, digest, file_digest, replace_file, verify

if TYPE_CHECKING:
    from pathlib import Path

pathlib, shutil, tempfile = map(at_first_use, ("pathlib", "shutil", "tempfile"))

_PATIENCE = 3
_LOCKLESS = {errno.ENOSYS, errno.ENOLCK, errno.EOPNOTSUPP}
_UNWRITABLE = {errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


@frozen
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
        """What was read outside the directory of the build; our own headers are part of ``own_sources()``."""
        inside = (f"{work}{os.sep}", f"{INCLUDE}{os.sep}")
        return sorted({path for path in map(os.path.abspath, self.read) if not path.startswith(inside)})


@frozen
class Entry:
    """One stored build: a directory whose files are never changed."""

    place: str

    @property
    def path(self) -> Path:
        """The directory."""
        return pathlib.Path(self.place)  # type: ignore[no-any-return]

    def file(self, name: str) -> Path:
        """One of its files."""
        return self.path / name

    def read(self, name: str) -> bytes:
        """What one of its files holds: FileNotFoundError where another process has emptied the cache just now."""
        with self._opened() as entry, file(name, entry) as descriptor:
            return content(descriptor)

    def note(self, name: str, value: object) -> None:
        """Keep a JSON value beside its files, where the cache can be written to."""
        with suppress(BindError, OSError), self._opened() as entry:
            replace_file(entry, name, lambda own: value)

    def renew(self, name: str, change: Callable[[Any], object]) -> None:
        """Replace a value beside its files by what is made of it, while no other process does."""
        with suppress(BindError, OSError), locking.lock(self.path / f".{name}.lock"):
            self.note(name, change(self.noted(name)))

    def noted(self, name: str) -> Any:
        """A value that stands beside its files; None where there is none, or an odd one."""
        with (
            suppress(OSError, ValueError, RecursionError),
            self._opened() as entry,
            file(name, entry) as descriptor,
        ):
            return json.loads(content(descriptor))
        return None

    @contextmanager
    def _opened(self) -> Iterator[int]:
        (shelf, own), root = os.path.split(self.place), os.path.dirname(os.path.dirname(self.place))
        with (
            _words(root), folder(root) as outer, folder(os.path.basename(shelf), outer) as inner,
            folder(own, inner) as entry,
        ):  # fmt: skip
            yield entry

    def remove(self) -> None:
        """Take it out of the cache, as it is not what it should be."""
        shutil.rmtree(self.place, ignore_errors=True)


def steady_path(library: str) -> str:
    """The path by which a stored build's file is loaded, so that it is the very file that was checked."""
    root = next(islice(folders_above(library), 2, None))
    with _words(root):
        return steady(root, library)


class Cache:
    """Builds under ``root``, each found by what was asked and by the content of every file it read.

    Parameters
    ----------
    root : path
        Created with mode 0700. What is not the user's alone, it or anything in it, is refused: libraries are loaded
        from it.
    """

    def __init__(self, root: str | Path) -> None:
        self.place = os.path.realpath(root)

    @property
    def root(self) -> Path:
        """The directory, whatever links lead to it."""
        return pathlib.Path(self.place)  # type: ignore[no-any-return]

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
        shelf = self._shelf(request)
        for _ in range(_PATIENCE):
            self.prepare()
            with _words(self.place):
                # The first look needs no lock: an entry appears whole, by a rename, and its files never change.
                found = self._find(shelf) or self._made(pathlib.Path(shelf), request, make)
            if found is not None:
                return found
        raise BindError(f"the builds in {self.place} keep disappearing while they are made")

    def find(self, request: object) -> Entry | None:
        """The stored build of ``request``; None if there is none."""
        with _words(self.place):
            return self._find(self._shelf(request))

    def _shelf(self, request: object) -> str:
        return os.path.join(self.place, digest(json.dumps(request, sort_keys=True).encode()))

    def _made(self, shelf: Path, request: object, make: Callable[[Path], Inputs]) -> Entry | None:
        """The build, made under the shelf's lock; None if the shelf was removed meanwhile."""
        try:
            shelf.mkdir(mode=0o700, exist_ok=True)
            with locking.lock(shelf / "lock"):
                made = self._find(str(shelf), clean=True) or self._make(shelf, request, make)
        except _Removed:
            return None
        except (
            FileNotFoundError
        ) as error:  # of the lock: the shelf was removed; another may have made it again
            if shelf.exists() and str(error.filename) != str(shelf / "lock"):
                raise
            return None
        except OSError as error:
            raise self._unwritable(error) from error
        # After the shelf's lock, as pruning passes over shelves whose lock it cannot have at once.
        pruning.tidy(self.root)
        return made

    def _unwritable(self, error: OSError) -> Exception:
        """The error in words where it is the cache that cannot be written to; else itself."""
        if error.errno in _LOCKLESS:
            return BindError(
                f"the file system of the cache {self.place} has no locks ({error.strerror}): set SAMEBYTES_CACHE_DIR "
                "to a directory on a local disk."
            )
        place = error.filename or self.place  # a write names no file
        if error.errno not in _UNWRITABLE or not str(place).startswith(self.place):
            return error
        return BindError(
            f"the cache {self.place} cannot be written to ({error.strerror}): make room, or set SAMEBYTES_CACHE_DIR "
            "to a directory that can."
        )

    def prepare(self) -> None:
        """Make the root if it is not there.

        Raises
        ------
        BindError
            If it cannot be made, or lies where everybody may exchange it.
        """
        another_name = "Set SAMEBYTES_CACHE_DIR to a directory of another name; links are followed"
        check_name(self.place, "the cache (SAMEBYTES_CACHE_DIR)", another_name)
        try:
            above = [*folders_above(self.place)]
            for place in (*reversed(above), self.place):  # makedirs makes parents with the mode of the umask
                if not os.path.exists(place):
                    with suppress(FileExistsError):  # another process of ours was sooner
                        os.mkdir(place, mode=0o700)
        except OSError as error:
            raise BindError(
                f"the cache {self.place} cannot be made ({error.strerror}): "
                "set SAMEBYTES_CACHE_DIR to a directory of yours."
            ) from error
        with _words(self.place):
            check_above(self.place)

    def _find(self, shelf: str, *, clean: bool = False) -> Entry | None:
        """A good entry of a shelf, everything on the way to which is ours alone."""
        try:
            with folder(self.place) as root, folder(os.path.basename(shelf), root) as inside:
                for name in check_items(inside):
                    path = os.path.join(shelf, name)
                    if name.startswith(".") or not os.path.isdir(path):
                        continue
                    verdict = verify(name, inside)
                    if verdict == "good":
                        return _used(path)
                    if (
                        verdict == "corrupt" and clean
                    ):  # only under the lock: nobody else is making it just now
                        shutil.rmtree(path, ignore_errors=True)
        except FileNotFoundError:
            pass
        return None

    def _make(self, shelf: Path, request: object, make: Callable[[Path], Inputs]) -> Entry:
        rested: dict[str, tuple[int, ...] | None] = {}
        for _ in range(_PATIENCE):
            work = pathlib.Path(tempfile.mkdtemp(prefix=".build-", dir=shelf))
            try:
                begun = time.time_ns()
                inputs = _whole(work, make)
                # A file that was edited while it was read: what was built may fit neither version. One whose time is
                # to come (another machine's clock) is the same as it was after the attempt before.
                outside = inputs.outside(work)
                times = {path: _times(path) for path in outside}
                if all(t and (t[0] < begun or rested.get(path) == t) for path, t in times.items()):
                    return self._keep(shelf, work, request, outside, inputs.absent)
                rested = times
            finally:
                shutil.rmtree(work, ignore_errors=True)
        raise BindError("the files keep changing while they are compiled; try again when they rest")

    def _keep(self, shelf: Path, work: Path, request: object, read: list[str], absent: list[str]) -> Entry:
        for leftover in [*work.glob("*.o"), *work.glob("*.d")]:
            leftover.unlink()
        for made in work.iterdir():
            made.chmod(made.stat().st_mode & 0o700)  # whatever the umask is
        manifest = {
            "request": request,
            "inputs": {path: file_digest(path) for path in read},
            "absent": absent,
            "outputs": {file.name: file_digest(str(file)) for file in work.iterdir()},
        }
        # The entry is named after this text, which says what all other files hold: none can be exchanged unseen.
        text = json.dumps(manifest, sort_keys=True, indent=1)
        with open(
            os.open(work / MANIFEST, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w"
        ) as manifest_file:
            manifest_file.write(text)
        target = shelf / digest(text.encode())[:32]
        if target.exists():
            shutil.rmtree(target)
        # At once: who looks without the lock sees all of it or nothing.
        work.rename(target)
        return Entry(str(target))


def _used(path: str) -> Entry:
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


@contextmanager
def _words(root: str) -> Iterator[None]:
    """Say what to do about a cache that is not ours alone."""
    try:
        yield
    except Untrusted as error:
        at = "it" if error.path == root else os.path.join(root, error.path)
        raise BindError(
            f"the cache {root} is not safe to load libraries from: {at} {error.reason}. What lies there may be "
            "another's, and another mode or owner does not change that: set SAMEBYTES_CACHE_DIR to a new directory "
            f"of yours, such as {another()}, which samebytes makes."
        ) from None


def default_cache() -> Cache:
    """The user's cache: ``$SAMEBYTES_CACHE_DIR``, else the platform's cache directory.

    ``~`` is the home directory; a relative path starts where samebytes was imported, whatever directory the program
    goes to later.

    Raises
    ------
    BindError
        If the path leads nowhere.
    """
    chosen = os.environ.get("SAMEBYTES_CACHE_DIR")
    if chosen:
        return Cache(absolute(chosen))
    if (caches := users_caches()) is not None:
        return Cache(absolute(os.path.join(caches, "samebytes")))
    with importing:
        from platformdirs import user_cache_path

    return Cache(absolute(str(user_cache_path("samebytes"))))
