"""Whether a stored build is what it says: its manifest, and the content of every file that the manifest names.

What is loaded is read each time. What the build was made of is read where its stamp is not the one that stands beside
the build since it was last read.
"""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from typing import Any, BinaryIO

from ..later import at_first_use
from .stamps import Stamp, lasts, stamp_of
from .trust import file, folder

MANIFEST, STAMPS = "manifest.json", "stamps.json"
_KEYS = {"request", "inputs", "absent", "outputs"}


hashlib = at_first_use("hashlib")
_LARGE = 1 << 20  # bytes: less is read sooner than OpenSSL is loaded, which then takes a third of the time


def _own_sha256() -> Callable[[bytes], Any]:
    """SHA-256 of Python's own, which ``hashlib`` has beside OpenSSL's; OpenSSL's where Python was built without."""
    for name in ("_sha2", "_sha256"):  # from Python 3.12 on, and before
        with suppress(ImportError):
            return import_module(name).sha256  # type: ignore[no-any-return]
    return hashlib.sha256  # type: ignore[no-any-return]


_sha256 = _own_sha256()


def digest(data: bytes) -> str:
    """SHA-256 as hexadecimal text."""
    return str((_sha256 if len(data) < _LARGE else hashlib.sha256)(data).hexdigest())


def _digest_from(opened: BinaryIO, size: int) -> str:
    """The digest of what an open file of about that size holds, which is read now."""
    if size < _LARGE:
        return digest(opened.read())
    return str(hashlib.file_digest(opened, "sha256").hexdigest())


# The stamp of a file whose content was read -> its digest: some bytes for each header and library of this process.
_digests: dict[Stamp, str] = {}


def _digest_of(descriptor: int) -> tuple[Stamp | None, str]:
    """The digest of an open file's content, and the stamp by which it is known from now on, if it has one."""
    taken, stamp = time.time_ns(), stamp_of(os.fstat(descriptor))  # both before it is read
    if (known := _digests.get(stamp)) is not None:
        return stamp, known
    with open(descriptor, "rb", closefd=False) as opened:
        known = _digest_from(opened, stamp[2])
    if not lasts(stamp, taken, descriptor):
        return None, known
    _digests[stamp] = known
    return stamp, known


def _stamped_digest(path: str) -> tuple[Stamp | None, str | None]:
    try:
        if (known := _digests.get(stamp := stamp_of(os.stat(path)))) is not None:
            return stamp, known
        with open(path, "rb") as opened:
            return _digest_of(opened.fileno())
    except (OSError, ValueError):  # a null character in a path
        return None, None


def file_digest(path: str) -> str | None:
    """The digest of a file's content, or None if it cannot be read."""
    return _stamped_digest(path)[1]


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
        return "good" if _unchanged(entry, manifest["inputs"]) else "stale"


def _holds(entry: int, name: str, expected: str) -> bool:
    """Whether a file of an entry has the content that its manifest says: what is loaded is always read."""
    with file(name, entry) as descriptor:
        return _digest_of(descriptor)[1] == expected


def _unchanged(entry: int, inputs: dict[str, str | None]) -> bool:
    """Whether what a build read, by absolute paths, has the content that it had.

    The stamps that those files had when their content was that stand in a file beside the manifest, which says nothing
    of them: a file may get another stamp and keep its content.
    """
    known, fresh = _read_stamps(entry), {}
    for path, expected in inputs.items():
        with suppress(OSError, ValueError):
            if path in known and known[path] == [*stamp_of(os.stat(path))]:
                continue
        stamp, found = _stamped_digest(path)
        if found != expected:
            return False
        if stamp is not None:
            fresh[path] = stamp
    if fresh:
        with suppress(OSError):  # a cache that is only read; another thread that does the same
            replace_file(entry, STAMPS, lambda own: {"file": own, "stamps": {**known, **fresh}})
    return True


def _read_stamps(entry: int) -> dict[str, Any]:
    """The stamps beside a manifest, unless their file is a copy: another machine's say nothing here."""
    with (
        suppress(OSError, ValueError, KeyError, TypeError, RecursionError),
        file(STAMPS, entry) as descriptor,
    ):
        found = json.loads(content(descriptor))
        if found["file"] == _place(descriptor):
            return dict(found["stamps"])
    return {}


def _place(descriptor: int) -> list[int]:
    return [*stamp_of(os.fstat(descriptor))[:2]]


def replace_file(inside: int, name: str, data: Callable[[list[int]], object]) -> None:
    """Give a file in a folder of ours a content: who reads it sees the old or the new one.

    Parameters
    ----------
    inside : int
        The folder's descriptor.
    name : str
    data : callable
        Called with the new file's device and inode; the JSON value that it is to hold.
    """
    new = f".{name}.{os.getpid()}-{threading.get_ident()}"
    try:
        descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600, dir_fd=inside)
        with open(descriptor, "w") as opened:
            opened.write(json.dumps(data(_place(descriptor))))
        os.rename(new, name, src_dir_fd=inside, dst_dir_fd=inside)
    except BaseException:
        with suppress(OSError):
            os.unlink(new, dir_fd=inside)
        raise


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
