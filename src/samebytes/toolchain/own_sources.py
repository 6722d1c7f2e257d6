"""The digest of this package's own sources that shape a build: a changed reader, emitter or header builds anew."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator
from contextlib import suppress
from functools import cache

from .answers import Answer, Conditions, recall
from .stamps import Stamp, lasts, stamp_of
from .verifying import digest

# The rooms after `make` decide nothing of a build.
_LATER_ROOMS = frozenset({"values", "arrays", "call", "launch", "loading", "compiled", "api", "tools"})
# A docstring below a line that opens a block; a test compares what is left with Python's own reading of each file.
DOCSTRING = re.compile(rb':\n *r?"""(?s:.*?)"""\n')
OPENING = re.compile(rb'"""(?s:.*?)"""\n')


@cache
def own_sources() -> str:
    """A digest of the files by name and content, without docstrings: it is the same in each copy of this release.

    To read them all takes as long as to load a library of the cache. The digest is therefore remembered by the stamps
    of the files.
    """
    return sources_digest(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def sources_digest(root: str) -> str:
    """The digest of a copy of the package."""
    taken = time.time_ns()
    stamps = sorted((path, stamp_of(found)) for path, found in _files(root))
    question = f"own sources {digest(repr(stamps).encode())}"
    answer = recall(question, lambda: _answer(root, stamps), lambda _: _conditions(stamps, taken))
    assert answer is not None
    return answer[0]


def code(path: str, text: bytes) -> bytes:
    """What of a source shapes a build: all of it, but the docstrings of Python's."""
    if not path.endswith(".py"):
        return text
    return DOCSTRING.sub(b":\n", OPENING.sub(b"", text, count=1) if text.startswith(b'"""') else text)


def _answer(root: str, stamps: list[tuple[str, Stamp]]) -> Answer:
    digests = []
    for path, _ in stamps:
        with open(path, "rb") as opened:
            digests.append((os.path.relpath(path, root), digest(code(path, opened.read()))))
    return [digest(repr(digests).encode())]


def _conditions(stamps: list[tuple[str, Stamp]], taken: int) -> Conditions | None:
    """None where a change that comes at once might leave the newest file its stamp."""
    path, stamp = max(stamps, key=lambda entry: max(entry[1][3:]))
    with suppress(OSError), open(path, "rb") as opened:
        return {} if lasts(stamp, taken, opened.fileno()) else None
    return None


def _files(root: str) -> Iterator[tuple[str, os.stat_result]]:
    folders = [root]
    while folders:
        place = folders.pop()
        with os.scandir(place) as entries:
            for entry in entries:
                if entry.name == "__pycache__" or (
                    place == root and entry.name.removesuffix(".py") in _LATER_ROOMS
                ):
                    continue
                if entry.is_dir():
                    folders.append(entry.path)
                elif not entry.name.endswith((".so", ".pyi")):
                    yield entry.path, entry.stat()
