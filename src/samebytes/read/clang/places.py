"""Where declarations stand: asked of libclang at once, where its binding makes four objects and a text of each."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Iterator

from .libclang import Cursor, TranslationUnit, cindex, queries


def file_of(cursor: Cursor) -> str | None:
    """The name of the file in which a declaration stands; the compiler's own stand in none."""
    return file_at(cursor._tu, queries().place(cursor)[0])


def files_of(cursors: Iterable[Cursor]) -> Iterator[int | None]:
    """Which file each declaration stands in, as a number that is the same for the same file of a unit."""
    place = queries().place
    return (place(cursor)[0] for cursor in cursors)


def place_of(cursor: Cursor) -> tuple[str | None, int, int]:
    """File, line and column of a declaration."""
    file, line, column, _ = queries().place(cursor)
    return file_at(cursor._tu, file), line, column


def offset_of(cursor: Cursor) -> int:
    """The offset of a declaration's name in its file."""
    offset: int = queries().place(cursor)[3]
    return offset


def extent_of(cursor: Cursor) -> tuple[str | None, int, int]:
    """The file in which a declaration begins, and the offsets in it of the first byte and behind the last."""
    file, begin, end = queries().extent(cursor)
    return file_at(cursor._tu, file), begin, end


def file_at(unit: TranslationUnit, file: int | None) -> str | None:
    """The name of a file by its address, which means no other for as long as there is the unit; asked once."""
    if file is None:
        return None
    try:
        known: dict[int, str] = unit.samebytes_files
    except AttributeError:
        known = unit.samebytes_files = {}
    if file not in known:
        known[file] = cindex().File(ctypes.cast(file, cindex().c_object_p)).name
    return known[file]
