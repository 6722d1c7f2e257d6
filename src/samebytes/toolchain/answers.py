"""What GCC's drivers and front ends say of themselves, and other answers that the cache remembers.

Only GCC's own programs are remembered: what starts another compiler (ccache, a script, zig's wheel) may start a newer
one tomorrow, and clang looks for GCC's installations each time.
"""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import Any

from ..errors import BindError
from .cache import default_cache
from .stamps import Stamp, lasts, stamp_of
from .trust import Untrusted, file, folder
from .verifying import content, replace_file

ANSWERS = ".compilers.json"
MACROS = ".macros.json"  # a file of its own, as only who builds reads it
_VERSION = 1
_MOST = 64  # answers in a file: the last ones are remembered
_GCC = re.compile(r"(.*-)?(g\+\+|gcc|c\+\+|cc)(-\d+(\.\d+)*)?")
_MAKER = "Free Software Foundation"
_TELLS = b"COLLECT_GCC_OPTIONS"  # a variable that GCC's drivers set for what they start
Answer = list[str]
# What an answer hangs on, by path: a file's stamp, of a folder its device and inode; None: nothing is there.
Conditions = Mapping[str, list[int] | None]


def about_driver(driver: str, question: Iterable[object], ask: Callable[[], Answer | None]) -> Answer | None:
    """What a driver says of itself, its version first.

    Parameters
    ----------
    driver : str
        Its file, no link.
    question : iterable of JSON values
        All else that decides what it says.
    ask : callable
        Starts it; None where it does not run.
    """
    taken, stamp = time.time_ns(), stamp_of(os.stat(driver))  # before it is started

    def conditions(said: Answer) -> Conditions | None:
        known = _MAKER in said[0] and _is_gcc(driver, stamp, taken)
        return {driver: [*stamp]} if known else None

    return recall(json.dumps(["driver", driver, *question]), ask, conditions)


def about_folders(version: str, question: Iterable[object], ask: Callable[[], Answer]) -> Answer:
    """The folders that a driver names where it says what it searches, a line each; it chooses them by what is there.

    Parameters
    ----------
    version : str
        What the driver says of itself.
    question : iterable of JSON values
        All else that decides what it says.
    ask : callable
        Starts it.
    """

    def conditions(said: Answer) -> Conditions | None:
        named = [line.strip() for line in said]
        if _MAKER not in version or not named or not all(map(os.path.isabs, named)):
            return None  # what is relative is another folder elsewhere
        return {path: _place(path) for path in named}

    return recall(json.dumps(["folders", version, *question]), ask, conditions) or []


def about_front_end(
    driver: str, question: Iterable[object], ask: Callable[[], tuple[Answer, list[str]]]
) -> Answer:
    """What a driver's front end says of itself.

    Parameters
    ----------
    driver : str
        Its file, no link.
    question : iterable of JSON values
        All else that decides what it says, whose driver's stamp and version are.
    ask : callable
        Starts it; what it says, and the files that decide it, there or not: none where others may.
    """
    taken, files = time.time_ns(), []

    def answer() -> Answer:
        said, found = ask()
        files.extend(found)
        return said

    def conditions(said: Answer) -> Conditions | None:
        with suppress(OSError):
            if files and _is_gcc(driver, stamp := stamp_of(os.stat(driver)), taken):
                return {driver: [*stamp], **{path: _lasting(path, taken) for path in files}}
        return None

    return recall(json.dumps(["front end", driver, *question]), answer, conditions, MACROS) or []


def _lasting(path: str, taken: int) -> list[int] | None:
    """The stamp of a file; None of none.

    Raises
    ------
    OSError
        If a change may not show in it.
    """
    try:
        with open(path, "rb") as opened:
            if lasts(stamp := stamp_of(os.fstat(opened.fileno())), taken, opened.fileno()):
                return [*stamp]
    except FileNotFoundError:
        return None
    raise OSError(f"{path} may have been changed just now")


def recall(
    question: str,
    ask: Callable[[], Answer | None],
    conditions: Callable[[Answer], Conditions | None],
    name: str = ANSWERS,
) -> Answer | None:
    """The answer to a question: the one of the cache while its conditions hold, or what is asked now.

    Parameters
    ----------
    question : str
        All that decides the answer and is no condition.
    ask : callable
        Finds the answer; None where there is none.
    conditions : callable
        What the answer hangs on besides; None: it is not remembered.
    name : str
        The file in the cache.
    """
    entry: Any = _read(name).get(question)
    with suppress(OSError, TypeError, KeyError, AttributeError, ValueError):  # none, or an odd one
        if all(_holds(path, expected) for path, expected in entry["conditions"].items()):
            return [str(line) for line in entry["said"]]
    said = ask()
    if said is not None and (found := conditions(said)) is not None:
        _write(name, question, {"conditions": found, "said": said})
    return said


def _is_gcc(driver: str, stamp: Stamp, taken: int) -> bool:
    """Whether a driver is GCC's own by its name and its content, and each change gives it another stamp."""
    if not _GCC.fullmatch(os.path.basename(driver)):
        return False
    with suppress(OSError), open(driver, "rb") as opened:
        data = opened.read()
        return data.startswith(b"\x7fELF") and _TELLS in data and lasts(stamp, taken, opened.fileno())
    return False


def _place(path: str) -> list[int] | None:
    with suppress(OSError):
        return [*stamp_of(os.stat(path))[:2]]
    return None


def _holds(path: str, expected: list[int] | None) -> bool:
    if expected is None:
        return not os.path.exists(path)
    return [*stamp_of(os.stat(path))[: len(expected)]] == expected


def _read(name: str) -> dict[str, Any]:
    """The answers of a cache that is ours alone."""
    with suppress(BindError, Untrusted, OSError, ValueError, TypeError, KeyError, RecursionError):
        with folder(default_cache().place) as root, file(name, root) as descriptor:
            found = json.loads(content(descriptor))
        if found["version"] == _VERSION and isinstance(found["answers"], dict):
            return dict(found["answers"])
    return {}


def _write(name: str, question: str, entry: dict[str, Any]) -> None:
    answers = {**_read(name), question: entry}
    found = {"version": _VERSION, "answers": dict([*answers.items()][-_MOST:])}
    # A cache that is only read, or that is refused, in words, where a build is stored.
    with suppress(BindError, Untrusted, OSError):
        cache = default_cache()
        cache.prepare()
        with folder(cache.place) as root:
            replace_file(root, name, lambda own: found)
