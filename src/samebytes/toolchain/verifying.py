"""Whether a stored build is what it says: its manifest, and the content of every file that the manifest names."""

from __future__ import annotations

import hashlib
import json
import os
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from .trust import file, folder

MANIFEST = "manifest.json"
_KEYS = {"request", "inputs", "absent", "outputs"}


def digest(data: bytes) -> str:
    """SHA-256 as hexadecimal text."""
    return hashlib.sha256(data).hexdigest()


@lru_cache(maxsize=4096)
def _file_digest(path: str, size: int, mtime_ns: int, inode: int) -> str:
    with open(path, "rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


def file_digest(path: str) -> str | None:
    """The digest of a file's content, or None if it cannot be read."""
    try:
        stat = os.stat(path)
        return _file_digest(path, stat.st_size, stat.st_mtime_ns, stat.st_ino)
    except (OSError, ValueError):  # a null character in a path
        return None


@cache
def own_sources() -> str:
    """A digest of this package's own files by name, size and time: a changed checkout, or another release, builds anew.

    Their content would take longer to read than a library of the cache takes to load.
    """
    folders, facts = [str(Path(__file__).parents[1])], []
    while folders:
        with os.scandir(folders.pop()) as entries:
            for entry in entries:
                if entry.name == "__pycache__":
                    continue
                if entry.is_dir():
                    folders.append(entry.path)
                elif not entry.name.endswith((".so", ".pyi")):
                    stat = entry.stat()
                    facts.append((entry.path, stat.st_size, stat.st_mtime_ns))
    return digest(repr(sorted(facts)).encode())


def content(descriptor: int) -> bytes:
    """What an open file holds."""
    with open(descriptor, "rb", closefd=False) as opened:
        return opened.read()


def verify(name: str, shelf: int) -> str:
    """``"good"``, ``"stale"`` (a file it read has changed) or ``"corrupt"``."""
    with folder(name, shelf) as entry:
        try:
            with file(MANIFEST, entry) as descriptor:
                manifest = _manifest(content(descriptor), name)
            if not all(_holds(entry, output, expected) for output, expected in manifest["outputs"].items()):
                return "corrupt"
        except (OSError, ValueError, RecursionError):
            return "corrupt"
    if any(map(os.path.exists, manifest["absent"])):
        return "stale"
    unchanged = (file_digest(path) == expected for path, expected in manifest["inputs"].items())
    return "good" if all(unchanged) else "stale"


def _manifest(text: bytes, name: str) -> dict[str, Any]:
    """The manifest of an entry, which is named after it.

    Raises
    ------
    ValueError, RecursionError
        If it is not what this version writes.
    """
    if digest(text)[:32] != name:
        raise ValueError("the entry is named after another manifest")
    found = json.loads(text)
    if not isinstance(found, dict) or found.keys() != _KEYS:
        raise ValueError("its keys are others")
    inputs, outputs, absent = found["inputs"], found["outputs"], found["absent"]
    if not (isinstance(inputs, dict) and isinstance(outputs, dict) and isinstance(absent, list)):
        raise ValueError("its values are of other types")
    texts = (*outputs, *outputs.values(), *absent, *(v for v in inputs.values() if v is not None))
    if not all(isinstance(v, str) for v in texts) or any(o != os.path.basename(o) for o in outputs):
        raise ValueError("a name or a digest is none")
    return found


def _holds(entry: int, name: str, expected: str) -> bool:
    """Whether a file of an entry has the content that its manifest says."""
    with file(name, entry) as descriptor:
        found = os.fstat(descriptor)
        known = (found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns)
        if _contents.get(known) != expected:
            with open(descriptor, "rb", closefd=False) as opened:
                _contents[known] = hashlib.file_digest(opened, "sha256").hexdigest()
        return _contents[known] == expected


# What tells a file that did not change -> the digest of its content: some bytes for each library of this process.
_contents: dict[tuple[int, ...], str] = {}
