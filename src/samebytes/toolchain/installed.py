"""Which files came with a file in one package, as the databases of Debian's and conda's packages have it."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

_DPKG = Path("/var/lib/dpkg/info")


@lru_cache(maxsize=64)
def package_of(path: str) -> frozenset[str]:
    """The files of the package that a file came in.

    Parameters
    ----------
    path : str
        Absolute, without links.

    Returns
    -------
    frozenset of str
        Absolute paths; none where no database knows the file.
    """
    for find in (_of_debian, _of_conda):
        if found := find(path):
            return found
    return frozenset()


def _of_debian(path: str) -> frozenset[str]:
    line = f"\n{path}\n".encode()
    for lists in _lists():
        for name in lists:
            data = _bytes(name)
            if line in data:
                return frozenset(data.decode(errors="surrogateescape").splitlines())
    return frozenset()


@lru_cache(maxsize=1)
def _lists() -> tuple[tuple[Path, ...], ...]:
    """The lists of packages for development, and the others, which have headers seldom."""
    every = sorted(_DPKG.glob("*.list")) if _DPKG.is_dir() else []
    development = tuple(p for p in every if "-dev" in p.name)
    return development, tuple(p for p in every if "-dev" not in p.name)


def _of_conda(path: str) -> frozenset[str]:
    prefix, found, inside = path.partition("/include/")
    records = Path(prefix, "conda-meta")
    if not found or not records.is_dir():
        return frozenset()
    for record in sorted(records.glob("*.json")):
        data = _bytes(record)
        if f'"include/{inside}"'.encode() in data:
            return frozenset(os.path.join(prefix, name) for name in _files(data))
    return frozenset()


def _files(data: bytes) -> Iterator[str]:
    try:
        yield from json.loads(data).get("files", ())
    except ValueError:  # it is being written
        return


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""
