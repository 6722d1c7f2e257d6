"""Libraries of one name: the dynamic linker of a process takes the first that it loaded for all of them (dlopen(3))."""

from __future__ import annotations

import contextlib
import ctypes
import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from .elf import Elf

_DLINFO_LINK_MAP = 2  # RTLD_DI_LINKMAP of <dlfcn.h>


def other_of_its_name(library: str | os.PathLike[str]) -> str:
    """What to say where the process has another library under a name that this one needs; empty where it has none.

    A copy with the same bytes is no other. A name with a version, ``libz.so.1``, promises that each of that name
    will do. Only what the folders of its run path have is looked at, and in turn those of the libraries there.
    """
    seen: set[Path] = set()
    remaining = [Path(library)]
    while remaining:
        for name, file in _from_run_path(remaining.pop()):
            if file in seen:
                continue
            seen.add(file)
            remaining.append(file)
            if why := _difference(name, file):
                return why
    return ""


def _from_run_path(library: Path) -> Iterator[tuple[str, Path]]:
    """The libraries that one needs and that its run path has, with the names that it needs them by."""
    try:
        file = Elf.tables(library)
    except (OSError, ValueError):
        return  # loading it says why
    origin = str(library.resolve().parent)
    folders = [f.replace("$ORIGIN", origin).replace("${ORIGIN}", origin) for f in file.search_folders()]
    for name in file.needed():
        places = [Path(name)] if os.sep in name else [Path(folder, name) for folder in folders]
        if (found := next((place for place in places if place.is_file()), None)) is not None:
            yield name, found


def _difference(name: str, file: Path) -> str:
    """What to say where another file than this answers to a name; empty where none does, or one with its bytes."""
    loaded = _file_named(name)
    if loaded is None or _has_bytes_of(loaded, file):
        return ""
    if os.path.exists(loaded) and os.path.samefile(loaded, file):
        return f"{file} was built again after this process loaded it, and the old one would answer; start a new process"
    if not name.endswith(".so"):
        return ""
    return (
        f"it needs {file}, and this process has {loaded} under the name {name!r}, which would answer for it; "
        "give one of them a name of its own (-Wl,-soname where it is linked), or start a new process"
    )


def _has_bytes_of(loaded: str, file: Path) -> bool:
    """Whether the library that the process has mapped from a path is this file, as far as it can be seen."""
    mappings = _mappings(loaded)
    if not mappings:
        return True
    now = os.stat(loaded).st_ino if os.path.exists(loaded) else 0
    if any(part.file == now for part in mappings):
        return os.path.samefile(loaded, file) or Path(loaded).read_bytes() == file.read_bytes()
    data = file.read_bytes()
    # Another file has taken its path: what is mapped is all that is left of it. Code and headers are as in the file.
    return all(
        ctypes.string_at(part.start, part.size).rstrip(b"\0")
        == data[part.offset : part.offset + part.size].rstrip(b"\0")
        for part in mappings
        if part.is_code or part.offset == 0
    )


class _LinkMap(ctypes.Structure):
    """``struct link_map`` of <link.h>."""

    _fields_ = (("l_addr", ctypes.c_size_t), ("l_name", ctypes.c_char_p))


def _file_named(name: str) -> str | None:
    """The file that the process has under a name; None where it has none."""
    process = ctypes.CDLL(None)
    process.dlopen.restype = ctypes.c_void_p
    handle = process.dlopen(os.fsencode(name), os.RTLD_LAZY | os.RTLD_NOLOAD)
    if not handle:
        return None
    found = ctypes.POINTER(_LinkMap)()
    failed = process.dlinfo(ctypes.c_void_p(handle), _DLINFO_LINK_MAP, ctypes.byref(found))
    path = None if failed else os.fsdecode(found.contents.l_name)
    process.dlclose(ctypes.c_void_p(handle))
    return path or None


class _Mapping(NamedTuple):
    """A part of a file in this process' memory (proc(5), /proc/pid/maps): bytes, and the file's number (inode)."""

    start: int
    size: int
    offset: int
    is_code: bool
    file: int


def _mappings(path: str) -> list[_Mapping]:
    """What the process has mapped from a path, which another file may have taken since."""
    wanted = os.path.realpath(path)
    found = []
    with (
        contextlib.suppress(OSError),
        open("/proc/self/maps", encoding="utf-8", errors="surrogateescape") as maps,
    ):
        for line in maps:
            fields = line.rstrip("\n").split(None, 5)
            if len(fields) == 6 and fields[5].removesuffix(" (deleted)") == wanted:
                start, end = (int(word, 16) for word in fields[0].split("-"))
                is_code = fields[1].startswith("r-x")
                found.append(_Mapping(start, end - start, int(fields[2], 16), is_code, int(fields[4])))
    return found
