"""Which names of its libraries a program asks for, where somebody wants to know: ``samebytes bind --used-by``."""

from __future__ import annotations

import atexit
import json
import os
from typing import Any

from .library import Library, Namespace, own_names

# Names a folder, in which each process leaves a file: the headers that it bound, and what it asked of each.
VARIABLE = "SAMEBYTES_USED"
_asked: dict[str, set[str]] = {}


class _Recorded(Namespace):
    """A namespace that notes what is asked of it."""

    def __getattribute__(self, name: str) -> Any:
        if not name.startswith("_"):
            header, paths = own_names(self)["__recorded__"]
            _asked[header].update(path + name for path in paths)
        return object.__getattribute__(self, name)


class RecordedNamespace(_Recorded):
    """One inside of a library."""


class RecordedLibrary(_Recorded, Library):
    """A library that notes what is asked of it."""


def record(library: Library, header: str) -> Library:
    """Have a library note what is asked of it; it is linked."""
    if not _asked:
        atexit.register(_write, os.environ[VARIABLE])
    header = os.path.realpath(header)
    _asked.setdefault(header, set())
    open_: list[tuple[Namespace, str]] = [(library, "")]
    while open_:
        space, path = open_.pop()
        own = own_names(space)
        _, paths = own.setdefault("__recorded__", (header, set()))
        if path in paths:
            continue
        paths.add(path)  # it may have several: C++ gives namespaces further names
        open_ += [(v, f"{path}{n}.") for n, v in own.items() if isinstance(v, Namespace)]
        made = RecordedLibrary if isinstance(space, Library) else RecordedNamespace
        object.__setattr__(space, "__class__", made)
    return library


def _write(folder: str) -> None:
    said = {header: sorted(names) for header, names in _asked.items()}
    with open(os.path.join(folder, f"{os.getpid()}.json"), "w", encoding="utf-8") as file:
        json.dump(said, file)


def recorded(folder: str) -> dict[str, set[str]]:
    """What the processes of a program have left in a folder."""
    found: dict[str, set[str]] = {}
    for entry in os.scandir(folder):
        with open(entry.path, encoding="utf-8") as file:
            for header, names in json.load(file).items():
                found.setdefault(header, set()).update(names)
    return found
