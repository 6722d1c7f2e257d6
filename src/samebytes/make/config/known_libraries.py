"""What is known of a library alone: a file for each, in the configuration's format, found by the names of its headers.

Ours lie in the folder ``libraries``; those of users in the folders that ``SAMEBYTES_LIBRARIES`` names, and count more.
A file is read when a header of that library is bound for the first time.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fnmatch import fnmatch
from functools import cache
from pathlib import Path
from typing import Any

from ...errors import BindError
from ...frozen import frozen
from ...model.intents import EVERY, Intent, parse_intent, suggest
from ...model.module import Module
from . import Config, load
from .schema import HEADERS

FOLDER = Path(__file__).parent / "libraries"
VARIABLE = "SAMEBYTES_LIBRARIES"
# What such a file may say: the rest is what each call of ``bind`` decides.
KEYS = frozenset({"Name", "Version", HEADERS, "Function Argument Intents", "Texts", "Unchecked Formats"})


@frozen
class KnownLibrary:
    """One library's file.

    Attributes
    ----------
    name : str
        The file's, as :func:`samebytes.explain` shows it.
    headers : tuple of str
        Shell-style patterns of what follows ``#include``: ``openssl/*.h``.
    intents : mapping of str to mapping
        By function, and parameter name or index.
    texts, unchecked : tuple of str
    exact : bool
        Whether all that it names has to exist: a user's file is about the user's version of the library.
    """

    name: str
    headers: tuple[str, ...]
    intents: dict[str, dict[str | int, Intent]]
    texts: tuple[str, ...] = ()
    unchecked: tuple[str, ...] = ()
    exact: bool = False

    def has(self, file: str) -> bool:
        """Whether a file is one of its headers."""
        return any(fnmatch(file, f"*/{pattern}") for pattern in self.headers)


def check_known(known: KnownLibrary, module: Module) -> None:
    """Refuse names of a user's file that no header of the library has.

    Raises
    ------
    BindError
        If there is one: it is not bound, and no header that was read, or that the file is about, has such a word.
    """
    bound = {f.name for f in module.functions}
    texts: list[str] = []
    for key, names in (
        ("Function Argument Intents", known.intents),
        ("Texts", known.texts),
        ("Unchecked Formats", known.unchecked),
    ):
        for name in names:
            if name in bound or name == EVERY:
                continue
            texts = texts or [path.read_text("utf-8", "replace") for path in _headers(known, module)]
            if not any(re.search(rf"\b{re.escape(name)}\b", text) for text in texts):
                raise BindError(
                    f"{known.name}: {key} names {name!r}, which no header of the library has."
                    f"{suggest(name, sorted(bound))}"
                )


def _headers(known: KnownLibrary, module: Module) -> set[Path]:
    """The files that were read, and the library's other headers beside them, each of which declares a part of it."""
    every = {Path(path) for path in module.included if os.path.isfile(path)}
    roots = {
        path.parents[pattern.count("/")]
        for path in every
        for pattern in known.headers
        if fnmatch(str(path), f"*/{pattern}")
    }
    return every | {
        p for root in roots for pattern in known.headers for p in root.glob(pattern) if p.is_file()
    }


def folders() -> tuple[str, ...]:
    """The folders of users' files, absolute.

    Raises
    ------
    BindError
        If one does not exist.
    """
    given = tuple(
        os.path.abspath(os.path.expanduser(path))
        for path in os.environ.get(VARIABLE, "").split(os.pathsep)
        if path
    )
    for path in given:
        if not os.path.isdir(path):
            raise BindError(f"{VARIABLE} names the folder {path}, which does not exist")
    return given


def files(where: Sequence[str]) -> tuple[str, ...]:
    """Users' files, in the order of their folders."""
    return tuple(str(path) for folder in where for path in sorted(Path(folder).glob("*.yaml")))


def known_of(module: Module, users: Sequence[str]) -> tuple[KnownLibrary, ...]:
    """What is known of the libraries whose headers declare a module's functions; users' files come last.

    Raises
    ------
    BindError
        If a user's file has a key that means nothing there.
    """
    declared = {f.location.file for f in module.functions if f.location}
    every = (*_ours(), *(replace(_read(Path(path)), exact=True) for path in users))
    return tuple(known for known in every if any(map(known.has, declared)))


@cache
def _ours() -> tuple[KnownLibrary, ...]:
    return tuple(_read(path) for path in sorted(FOLDER.glob("*.yaml")))


def _read(path: Path) -> KnownLibrary:
    found = load(path)
    for key in found.values:
        if key not in KEYS:
            raise BindError(
                f"{path.name}: {key} means nothing in a library's file, which has {', '.join(sorted(KEYS))}"
            )
    if not found[HEADERS]:
        raise BindError(f"{path.name}: a library's file names its {HEADERS}, as ['zlib.h', 'openssl/*.h']")
    return KnownLibrary(
        path.name,
        found[HEADERS],
        dict(_intents(found, path.name)),
        found["Texts"],
        found["Unchecked Formats"],
    )


def _intents(found: Config, name: str) -> Iterator[tuple[str, dict[str | int, Intent]]]:
    chosen: Any
    for function, chosen in found["Function Argument Intents"].items():
        where = f"{name}: {function}"
        yield function, {key: parse_intent(value, f"{where}: {key}") for key, value in chosen.items()}
