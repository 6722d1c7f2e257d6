"""What a project's ``compile_commands.json`` says of a file: the flags with which its own build compiles it.

The format is Clang's "JSON Compilation Database": entries of a ``directory``, a ``file``, and its ``arguments`` or
``command``.
"""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from ..errors import BindError
from .flags import each_flag

_NAME = "compile_commands.json"
_WRITTEN_BY = (
    "CMake writes one with -DCMAKE_EXPORT_COMPILE_COMMANDS=ON, Meson by itself, `bear -- make` for others"
)
# Flags of one run alone: what it makes, where, and for whom.
_OF_THE_RUN = (
    "-c", "-S", "-E", "-o", "-M", "-x", "-W", "-w", "-fsyntax-only", "-fmodules-ts", "-fmodule-mapper", "-fdeps-",
    "-fdiagnostics-", "-fcolor-diagnostics", "-pipe",
)  # fmt: skip
_WHOLE = frozenset({"-c", "-S", "-E", "-w", "-pipe"})
# Flags whose value is a path, in one word or two; by the name that it is searched under.
_PATHS = ("-I", "-isystem", "-iquote", "-idirafter", "-include", "-imacros", "--sysroot=", "-isysroot")
_SEARCHED = ("-I", "-isystem")
_OTHER_DRIVERS = frozenset({"cl", "cl.exe", "clang-cl", "clang-cl.exe"})


class Entry(NamedTuple):
    """One file's compilation: the file, and the flags that say what its text means."""

    file: str
    flags: tuple[str, ...]


def commanded_flags(given: str, file: str | None) -> tuple[str, ...]:
    """The flags of a file's own entry; of a header, those of the source that is nearest to it.

    Parameters
    ----------
    given : str
        The database, or its folder; behind ``#``, the source that is meant.
    file : str or None
        The header or source; None for text.

    Raises
    ------
    BindError
        If there is no such file, it is no database, or sources that are equally near are compiled differently.
    """
    database, source = _place(given)
    entries = _entries(database)
    if source:
        near = [one for one in entries if _ends_with(one.file, source)]
        if not near:
            raise BindError(f"compile_commands: {database} has no {source!r}{_near(source, entries)}")
    else:
        near = _nearest(entries, file)
    if len({one.flags for one in near}) > 1:
        shown = ", ".join(sorted({one.file for one in near})[:3])
        example = os.path.basename(near[0].file)
        raise BindError(
            f"compile_commands: {database} has no entry for {file or 'source text'}, and compiles what is near to it "
            f"with different flags ({shown}); say whose are meant: compile_commands='{given}#{example}'"
        )
    return near[0].flags


def _place(given: str) -> tuple[str, str]:
    path, _, source = (given, "", "") if os.path.exists(given) else given.rpartition("#")
    path = os.path.abspath(path or given)
    if os.path.isdir(path):
        path = os.path.join(path, _NAME)
    if not os.path.isfile(path):
        raise BindError(f"compile_commands: {path} does not exist; {_WRITTEN_BY}")
    return path, source


def _entries(database: str) -> list[Entry]:
    try:
        found = json.loads(Path(database).read_bytes())
    except ValueError as error:
        raise BindError(f"compile_commands: {database} is no JSON ({error}); {_WRITTEN_BY}") from None
    if not isinstance(found, list) or not found:
        raise BindError(f"compile_commands: {database} is no list of compilations; {_WRITTEN_BY}")
    return [_entry(database, i, one) for i, one in enumerate(found)]


def _entry(database: str, index: int, one: Any) -> Entry:
    where = f"compile_commands: {database}, entry {index}"
    if (
        not isinstance(one, dict)
        or not {"directory", "file"} <= set(one)
        or not {"arguments", "command"} & set(one)
    ):
        raise BindError(f"{where} lacks its directory, its file, or its command")
    folder = os.path.join(os.path.dirname(database), one["directory"])
    words = list(one["arguments"]) if "arguments" in one else shlex.split(one["command"])
    if words and os.path.basename(words[0].replace("\\", "/")).lower() in _OTHER_DRIVERS:
        raise BindError(f"{where} is for {words[0]}, whose flags are not those of g++ and clang++")
    return Entry(os.path.realpath(os.path.join(folder, one["file"])), tuple(_kept(words[1:], folder)))


def _kept(words: Iterable[str], folder: str) -> Iterator[str]:
    """The flags that say what a text means, every path absolute."""
    for flag, *value in each_flag(_expanded(words, folder)):
        if not flag.startswith("-") or _is_of_the_run(flag):
            continue
        name = next((n for n in _PATHS if flag.startswith(n)), "")
        if not name:
            yield from (flag, *value)
            continue
        path = value[0] if value else flag[len(name) :]
        absolute = os.path.normpath(os.path.join(folder, path)) if _is_path(name, path, folder) else path
        if name in _SEARCHED:
            yield f"-I{absolute}"
        elif name.endswith("="):
            yield f"{name}{absolute}"
        else:
            yield from (name, absolute)


def _is_path(name: str, path: str, folder: str) -> bool:
    """Whether a value is one: what is included may be a name that is searched for, and ``=`` stands for the sysroot."""
    return not path.startswith("=") and (
        name not in ("-include", "-imacros") or os.path.exists(os.path.join(folder, path))
    )


def _is_of_the_run(flag: str) -> bool:
    return flag in _WHOLE or any(flag.startswith(f) for f in _OF_THE_RUN if f not in _WHOLE)


def _expanded(words: Iterable[str], folder: str) -> Iterator[str]:
    """The words, and those of the files that ``@file`` names."""
    for word in words:
        path = os.path.join(folder, word[1:])
        if word.startswith("@") and os.path.isfile(path):
            yield from _expanded(shlex.split(Path(path).read_text()), folder)
        else:
            yield word


def _nearest(entries: list[Entry], file: str | None) -> list[Entry]:
    """The file's own entry, else those of its stem, else all; of these, those nearest in the tree."""
    if file is None:
        return entries
    path = os.path.realpath(file)
    own = [one for one in entries if one.file == path]
    if own:
        return own[:1]
    spoken = [one for one in entries if path.endswith((".c", ".h")) or not one.file.endswith(".c")] or entries
    stem = Path(path).stem
    kin = [one for one in spoken if Path(one.file).stem == stem] or spoken
    shared = [len(os.path.commonpath([path, one.file])) for one in kin]
    return [one for one, length in zip(kin, shared, strict=True) if length == max(shared)]


def _ends_with(path: str, source: str) -> bool:
    return path == os.path.realpath(source) or f"/{path}".endswith(f"/{source.lstrip('./')}")


def _near(source: str, entries: list[Entry]) -> str:
    from difflib import get_close_matches

    names = sorted({os.path.basename(one.file) for one in entries})
    near = get_close_matches(os.path.basename(source), names, n=1)
    return f". Did you mean {near[0]!r}?" if near else f"; it has {', '.join(names[:3])}"
