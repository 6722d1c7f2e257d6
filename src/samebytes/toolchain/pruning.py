"""What leaves the cache of builds: the longest unused first, by age and by size; never what is in use."""

from __future__ import annotations

import os
import re
import shutil
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

from ..errors import BindError
from ..frozen import frozen
from .locking import lock
from .trust import Untrusted, check_items, folder

_DAY = 86400.0
_RECENT = 3600.0  # seconds; another process may be about to load what was found so lately
_STAMP = ".pruned"
_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([kmgt]?)(?:i?b)?", re.IGNORECASE)


@frozen
class Build:
    """One stored build.

    Attributes
    ----------
    path : Path
    size : int
        Bytes of its files.
    used : float
        When it was last found or made, in seconds since the epoch.
    """

    path: Path
    size: int
    used: float


@frozen
class Limits:
    """How much is kept: builds used in the last ``days``, and of those at most ``size`` bytes."""

    days: float = float("inf")
    size: float = float("inf")


def bytes_of(text: str) -> float:
    """``"500M"``, ``"5 GiB"``, ``"inf"`` in bytes; a kilobyte has 1024.

    Raises
    ------
    BindError
        If it is no size.
    """
    match = _SIZE.fullmatch(text.strip())
    if match is None and text.strip().lower() != "inf":
        raise BindError(f"{text!r} is no size: write 500M, 5G or inf")
    return float(match[1]) * 1024 ** " kmgt".index(match[2].lower() or " ") if match else float("inf")


def limits() -> Limits:
    """``$SAMEBYTES_CACHE_MAX_DAYS`` (180) and ``$SAMEBYTES_CACHE_MAX_SIZE`` (5G).

    Raises
    ------
    BindError
        If one of them is no number, or no size.
    """
    days = os.environ.get("SAMEBYTES_CACHE_MAX_DAYS") or "180"
    try:
        return Limits(float(days), bytes_of(os.environ.get("SAMEBYTES_CACHE_MAX_SIZE") or "5G"))
    except ValueError as error:
        raise BindError(f"SAMEBYTES_CACHE_MAX_DAYS or _SIZE cannot be read: {error}") from None


def builds(root: Path) -> Iterator[Build]:
    """Every build under a cache's root, and what broken ones left behind."""
    for shelf in _folders(root):
        for place in _folders(shelf):
            try:
                files = [item.stat(follow_symlinks=False) for item in os.scandir(place)]
                yield Build(place, sum(f.st_size for f in files), place.stat().st_mtime)
            except OSError:  # removed by another process
                continue


def _folders(place: Path) -> Iterator[Path]:
    try:
        yield from (Path(item.path) for item in os.scandir(place) if item.is_dir(follow_symlinks=False))
    except OSError:
        return


def prune(root: Path, keep: Limits, *, recent: float = _RECENT) -> list[Build]:
    """Remove what is over the limits.

    Parameters
    ----------
    root : Path
    keep : Limits
    recent : float
        Seconds; what was used since stays, whatever the limits are.

    Returns
    -------
    list of Build
        What was removed.
    """
    now, held, chosen = time.time(), 0, []
    for build in sorted(builds(root), key=lambda b: b.used, reverse=True):
        held += build.size
        age = now - build.used
        broken = build.path.name.startswith(".")  # what a killed process left
        if age >= recent and (broken or age > keep.days * _DAY or held > keep.size):
            chosen.append(build)
    return [build for build in chosen if remove(build)]


def clear(root: Path) -> list[Build]:
    """Remove every build that nobody is making just now."""
    return prune(root, Limits(size=-1), recent=0)


def tidy(root: Path) -> None:
    """Prune by the user's limits, at most once a day."""
    stamp, keep = root / _STAMP, limits()
    try:
        if time.time() - stamp.stat().st_mtime < _DAY:
            return
    except OSError:
        pass
    try:
        with open(os.open(stamp, os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW, 0o600), "wb") as opened:
            os.utime(opened.fileno())
    except OSError:
        return
    prune(root, keep)


def total(found: Iterable[Build]) -> int:
    """Bytes of some builds."""
    return sum(build.size for build in found)


def remove(build: Build) -> bool:
    """Remove a build and its shelf, unless the shelf is in use, or another's."""
    shelf = build.path.parent
    try:
        with folder(shelf) as inside:
            check_items(inside)
            with lock(shelf / "lock", wait=False):
                shutil.rmtree(build.path, ignore_errors=True)
                if not any(_folders(shelf)):
                    shutil.rmtree(shelf, ignore_errors=True)
    except (OSError, Untrusted):
        return False
    return not build.path.exists()
